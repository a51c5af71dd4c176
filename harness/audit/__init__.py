"""A second reading of what models answered, to hold the log against: ``dale audit``.

Written from the contract (section 4) and from the wire formats alone. It shares no code with the adapters and the
normaliser whose verdicts it checks, and may import nothing of ``harness.providers``; a test holds it to that. ``wires``
reads raw answers, ``reading`` finds the stated call and its class, ``games`` plays a log again and compares, ``report``
shows what came of it.
"""
