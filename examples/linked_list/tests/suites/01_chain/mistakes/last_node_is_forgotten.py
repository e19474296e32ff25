"""The walks stop when there is no next node, and at that moment the node at hand has not been
looked at. Ask of the node itself whether it is there, not of its neighbour.
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
    while node is not None and node.next is not None:
        found.append(node.value)
        node = node.next
    return found


def length(head):
    count = 0
    node = head
    while node is not None and node.next is not None:
        count += 1
        node = node.next
    return count
