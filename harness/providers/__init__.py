"""Servers of language models: what is sent to them, what comes back, and how it is read.

``types`` is the vocabulary; ``openai_chat`` and ``anthropic_messages`` translate to and from the two wire formats, both
pure; ``client`` is the only place that sends; ``normalise`` turns a reply into one call or one class of failure;
``local`` holds the embedded model. Knows no game. May import ``harness.errors`` and ``harness.canonical``.
"""
