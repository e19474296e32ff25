"""The values come out turned round, but in new nodes: whoever held a node of the old chain still
sees the old order. Change arrows, and leave the nodes.
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
        done = Node(node.value, done)
        node = node.next
    return done


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
