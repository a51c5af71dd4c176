"""The page of a run: one HTML file that needs nothing beside itself, with figures, examples and a replay of every game.

Built from reports, ratings, rates and logs; may import all of these, and no agent, provider or command line.
"""
