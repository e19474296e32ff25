"""Exercise 01: a chain of nodes. README.md beside this file is the lesson.

Fill in the three TODOs, then run

    python -m grader -e 01_chain
"""


class Node:
    """One box of the chain: a value, and the arrow to the next box (None at the end)."""

    def __init__(self, value, after=None):
        self.value = value
        self.next = after


def linked(items):
    """A chain with these items in the same order: its first node, or None if there are none.

    linked([4, 7]) is Node(4, Node(7)).
    """
    raise NotImplementedError("TODO: linked builds a chain from a list")


def values(head):
    """The values of a chain in a list, from its first node on. [] for None."""
    raise NotImplementedError("TODO: values walks along a chain")


def length(head):
    """How many nodes a chain has. 0 for None."""
    raise NotImplementedError("TODO: length counts nodes")
