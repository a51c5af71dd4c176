"""Servers of language models: what is sent to them, what comes back, and how it is read.

``types`` is the vocabulary; ``openai_responses``, ``openai_chat`` and ``anthropic_messages`` translate to and from the
three wire formats, all pure; ``client`` is the only place that sends; ``normalise`` turns a reply into one call or one
class of failure; ``probe`` finds out what a server takes; ``local`` holds the embedded model. Knows no game. May import
``harness.errors``, ``harness.canonical`` and ``harness.secrets``.
"""
