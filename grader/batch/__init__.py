"""Thousands of submissions: graded in several processes, written as they finish, restartable."""
