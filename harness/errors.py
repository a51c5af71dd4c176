"""The one error a user of the command line is meant to see."""

from __future__ import annotations

import errno

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class UserError(Exception):
    """Something the user can put right: one sentence saying what is wrong, where, and what would be right.

    The command line prints it on standard error and exits with code 2.
    """


def cannot_write(what: object, error: OSError) -> UserError:
    """The error for a file the disk does not take; of a full disk it says what to do."""
    more = ": make room there, then go on with dale tournament resume" if error.errno in _FULL else ""
    return UserError(f"cannot write {what}: {error.strerror or error}{more}.")
