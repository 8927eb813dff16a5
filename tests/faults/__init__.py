"""Faults that the tests of a game must notice: a list a game, and a program that puts them in one by one."""
