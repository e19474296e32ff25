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


def length(head):
    """How many nodes a chain has. 0 for None."""
    count = 0
    node = head
    while node is not None:
        count += 1
        node = node.next
    return count
