"""Exercise 02: turn the arrows round. README.md beside this file is the lesson.

Fill in the two TODOs, then run

    python -m grader -e 02_rewire

Given, finished: Node, and linked and values of exercise 01.
"""


class Node:
    """One box of the chain: a value, and the arrow to the next box (None at the end)."""

    def __init__(self, value, after=None):
        self.value = value
        self.next = after


def linked(items):
    """A chain with these items in the same order: its first node, or None if there are none."""
    head = None
    for item in reversed(items):
        head = Node(item, head)
    return head


def values(head):
    """The values of a chain in a list, from its first node on. [] for None."""
    found = []
    node = head
    while node is not None:
        found.append(node.value)
        node = node.next
    return found


def reverse(head):
    """Turn every arrow round; give back the new first node. No node is made, and none is lost."""
    raise NotImplementedError("TODO: reverse turns every arrow round")


def remove(head, value):
    """Take out the first node that holds `value`, if there is one; give back the first node of
    what is left. The other nodes stay as they are."""
    raise NotImplementedError("TODO: remove takes one node out")
