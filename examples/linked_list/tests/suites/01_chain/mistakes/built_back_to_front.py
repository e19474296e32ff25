"""Each node is put in front of the chain while the items come from the first to the last, so the
last item ends up first. Which item has to be put in front last of all?
"""


class Node:
    def __init__(self, value, after=None):
        self.value = value
        self.next = after


def linked(items):
    head = None
    for item in items:
        head = Node(item, head)
    return head


def values(head):
    found = []
    node = head
    while node is not None:
        found.append(node.value)
        node = node.next
    return found


def length(head):
    count = 0
    node = head
    while node is not None:
        count += 1
        node = node.next
    return count
