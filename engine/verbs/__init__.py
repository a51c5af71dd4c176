"""The verbs card texts are made of: shared, immutable questions and steps.

May import everything up to `frames`; cards put verbs together, nothing here names a card program.
"""
