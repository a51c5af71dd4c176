"""What a tournament will take and how much it will tell, before a game of it is played: ``dale tournament plan``.

``quick`` plays a few scripted games of the same settings, in which ``meter`` has the agents make the requests that
would be sent; ``sample`` reads a calibration run; ``estimate`` brings both and what is declared together, figure by
figure, each with what it rests on; ``totals`` adds up calls, tokens, money and time; ``precision`` simulates how wide
intervals will be; ``show`` and ``sentences`` print it. Needs no key and no network, and is deterministic.
"""
