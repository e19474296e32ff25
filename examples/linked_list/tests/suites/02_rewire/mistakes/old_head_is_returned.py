"""The arrows are right, but the node that is given back is the old first one, which is the last
one now. Which node does the turned chain begin with?
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
    return head


def remove(head, value):
    if head is None:
        return None
    if head.value == value:
        return head.next
    node = head
    while node.next is not None:
        if node.next.value == value:
            node.next = node.next.next
            break
        node = node.next
    return head
