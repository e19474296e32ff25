"""Reads what a student handed in, whatever its shape, and never runs any of it."""

from grader.submission.model import Cell, Rejected, Source, Submission
from grader.submission.read import read_submission

__all__ = ["Cell", "Rejected", "Source", "Submission", "read_submission"]
