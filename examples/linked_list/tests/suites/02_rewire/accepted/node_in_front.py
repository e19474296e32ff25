"""A node in front of the chain makes the first node one like the others."""


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
    while node is not None:
        found.append(node.value)
        node = node.next
    return found


def reverse(head):
    done = None
    while head:
        head.next, done, head = done, head, head.next
    return done


def remove(head, value):
    before = node = Node(None, head)
    while node.next and node.next.value != value:
        node = node.next
    if node.next:
        node.next = node.next.next
    return before.next
