"""Traceability (`dale rules coverage`): for each rule and card statement the code that enforces it and the tests of it.

Reads a checkout: the engine's sources (`citations`), the scenario files and Python tests (`exercised`) and the short
list of what needs neither (`tests/coverage.toml`, `declared`); `table` joins them, `show` prints them. May import
the rest of the harness but agents, providers and the command line.
"""
