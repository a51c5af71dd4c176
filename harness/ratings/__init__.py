"""Strength of entrants from the outcomes of their games: models of rankings, intervals by resampling blocks, rank sets.

Pure functions over plain results. May import ``harness.records`` and ``harness.log``; knows no agent and no provider.
"""
