"""Strength of entrants from the outcomes of their games: models of rankings, intervals by resampling blocks, rank sets.

Pure functions over plain results. May import ``harness.records``, ``harness.log`` and the shares of
``harness.compliance``; knows no agent and no provider.
"""
