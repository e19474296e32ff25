"""The two ways in which the grader itself ends early. What a submission does wrong is never here:
that is data (`result.CheckResult`), because a wrong submission is an everyday event."""


class UsageError(Exception):
    """A wrong command, path or course file: one line that names the thing, the place and the
    remedy. The command line prints it and exits with 2."""


class GraderError(Exception):
    """A fault of ours (grader or course), never of the student's. The command line exits with 3."""
