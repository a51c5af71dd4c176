"""The players: scripted, searching, human, model-backed and replayed agents, all the same thing to a match.

``base`` says what an agent is, ``spec`` how one is named. May import the engine, texts and providers; never a match.
"""
