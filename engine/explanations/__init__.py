"""Why a proposal is not legal, and the smallest change that makes it so.

`calls` brings two calls into one form, `edits` says how they differ, `nearest` looks for the legal one that differs
least. May import everything of the engine but `game`.
"""
