"""Recursion in place of loops."""


class Node:
    def __init__(self, value, after=None):
        self.value = value
        self.next = after


def linked(items):
    return Node(items[0], linked(items[1:])) if items else None


def values(head):
    return [head.value, *values(head.next)] if head else []


def length(head):
    return 1 + length(head.next) if head else 0
