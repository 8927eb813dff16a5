"""Tests of pepperenvs; CONTRIBUTING.md lists the layers."""
