"""Other libraries' interfaces, where PettingZoo and Gymnasium alone do not reach; each module needs its library."""
