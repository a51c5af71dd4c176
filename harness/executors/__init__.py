"""Playing one run with several processes, on this host or on a Ray cluster; all of them claim games from one database.

May import whatever plays a run (``harness.tournament``); nothing but the command line imports this.
"""
