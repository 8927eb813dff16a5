"""Importing this module registers every game with Gymnasium and with PettingZoo.

    import pepperenvs.drivers.registration
    env = pettingzoo.make("aec", "pepperenvs/heat_guess_v0", num_players=3)

Gymnasium needs no more than `import pepperenvs`. PettingZoo knows the games after that if it was imported before, else
after the first use of one of their PettingZoo environments.
"""

from pepperenvs.drivers import ids

ids.register_with_gymnasium()
ids.register_with_pettingzoo()
