"""Rule following: how often an entrant broke a rule where it could have, by code, with intervals and comparisons.

May import ``harness.log``, ``harness.records``, ``harness.report`` and the engine, and ``harness.tables`` to show it;
knows no agent and no provider.
"""
