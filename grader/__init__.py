"""The grader: runs a course's hidden suites against submissions that it never trusts."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("autograd-exercise-kit")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "0.0.0"


def load_ipython_extension(shell: object) -> None:
    """`%load_ext grader` in a notebook: the magics `%%grade ID` and `%grade ID`."""
    from grader import notebook_magic

    notebook_magic.register(shell)
