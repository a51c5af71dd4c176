"""Everything around the engine: agents, matches, tournaments, logs, reports and the command ``dale``.

May import the engine's public names. Inside, dependencies point one way: errors, randomness and texts; agents and
providers (which know no game); match; schedule; tournament; report and replay; cli.
"""
