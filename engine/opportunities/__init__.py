"""What a player can do wrong at a decision: for every violation code that is open, an illegal example.

Each module makes calls that are to break the codes of one group; `catalogue` says which makers serve a code and `find`
has the checker confirm them. May import everything of the engine but `game`.
"""
