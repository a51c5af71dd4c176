"""The games of a run scored again from their logs: under another policy, and as the engine judges now.

``reading`` reads logs of other versions, ``rejudging`` puts every recorded proposal to the engine again, ``scoring``
says how a game ends under another policy, fewer attempts or strict reading, ``sensitivity`` compares them all,
``report`` puts it together and ``show`` prints it. Nothing is guessed: a game that would have gone on otherwise than it
was played is cut.
"""
