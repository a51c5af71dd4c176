"""The one error a user of the command line is meant to see."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can put right: one sentence saying what is wrong, where, and what would be right.

    The command line prints it on standard error and exits with code 2.
    """
