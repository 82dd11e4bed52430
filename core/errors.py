"""The errors that reach a person, and the ones that callers tell apart.

`UserError` is said next to the thing it is about; `EnvironmentFault` is something about this computer (disk full,
no keyring) and becomes a banner with an action; anything else is a defect and becomes one crash report.
Cancellation is silent and is not an error.
"""


class MunimentError(Exception):
    """Base of all errors that carry a sentence for people. `code` is stable and for programs."""

    code: str = "error"

    def __init__(self, sentence: str, *, code: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if code is not None:
            self.code = code


class UserError(MunimentError):
    """Something a person asked for can't be done; the sentence names the thing and what to do."""

    code = "refused"


class InvalidValue(UserError):
    """A value breaks a rule of the domain (an empty key, a limit out of range, salience that is not a number)."""

    code = "invalid"


class NotFound(UserError):
    """The thing named doesn't exist (any more)."""

    code = "not_found"


class VersionConflict(UserError):
    """The thing was changed after the caller read it; nothing was written.

    present: what stands now, None where it is gone. wanted: what was to be written. Both are values of the domain.
    """

    code = "version_conflict"

    def __init__(self, sentence: str, *, present: object = None, wanted: object = None) -> None:
        super().__init__(sentence)
        self.present = present
        self.wanted = wanted


class OutsideScope(UserError):
    """A read or write by somebody who doesn't own the scope. An error, never an empty answer."""

    code = "outside_scope"


class WorkspaceInUse(UserError):
    """Another process owns the workspace."""

    code = "in_use"


class WorkspaceUnreadable(UserError):
    """A workspace that is missing, damaged or of a newer format. The others go on."""

    code = "unreadable"


class EnvironmentFault(MunimentError):
    """This computer can't do it now: disk full, read-only folder, no keyring, a library missing."""

    code = "environment"


class WorkLost(UserError):
    """Whoever took the reports of a worker is gone; the work itself may go on."""

    code = "work_lost"
