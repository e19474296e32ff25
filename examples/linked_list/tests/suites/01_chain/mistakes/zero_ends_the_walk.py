"""The walks ask whether the value counts as true. A zero and an empty text do not, and are values
all the same. The end of a chain is the node that is None.
"""


class Node:
    def __init__(self, value, after=None):
        self.value = value
        self.next = after


def linked(items):
    head = None
    for item in reversed(items):
        head = Node(item, head)
    return head


def values(head):
    found = []
    node = head
    while node and node.value:
        found.append(node.value)
        node = node.next
    return found


def length(head):
    count = 0
    node = head
    while node and node.value:
        count += 1
        node = node.next
    return count
