"""The same nodes, the ends, equal values, and nothing at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

WALK = """
def walk(node):
    found = []
    while node is not None and len(found) < 1000:
        found.append(node.value)
        node = node.next
    return found
"""


def removed(submission, items, value):
    """What is left of a chain of these items, in a list."""
    head = submission.remove(submission.linked(items), value)
    return submission.define(WALK).walk(head)


@pytest.mark.points(1)
def test_the_nodes_are_the_same(submission):
    """reverse changes arrows and makes no node"""
    first = submission.linked(["a", "b", "c"])
    second, third = first.next, first.next.next
    head = submission.reverse(first)
    arrows = third.next, second.next, first.next
    held = [node.value for node in (head, third, second, first)]
    assert head is third, "the new first node is not the old last one"
    assert arrows == (second, first, None), "an arrow does not point to the node before"
    assert held == ["c", "c", "b", "a"], "a value has moved to another node"


@pytest.mark.points("1/2")
def test_a_chain_of_nothing(submission):
    """An empty chain stays empty"""
    assert submission.reverse(None) is None, "reverse(None) is not None"
    assert submission.remove(None, 1) is None, "remove(None, 1) is not None"


@pytest.mark.points("1/2")
def test_the_ends(submission):
    """The first and the last node can be taken out"""
    found = removed(submission, [6, 2, 9], 6), removed(submission, [6, 2, 9], 9)
    assert found == ([2, 9], [6, 2]), "the first or the last node was not the one that went"


@pytest.mark.points("1/2")
def test_equal_values(submission):
    """Of equal values only the first one goes"""
    assert removed(submission, [3, 5, 8, 5, 5], 5) == [3, 8, 5, 5], (
        "more or less than one node went"
    )


@pytest.mark.points("1/2")
def test_a_value_that_is_not_there(submission):
    """Nothing goes when the value is nowhere"""
    assert removed(submission, [3, 5, 8], 4) == [3, 5, 8], (
        "a node went that does not hold the value"
    )


@pytest.mark.points(1)
@given(items=st.lists(st.integers(-99, 99), min_size=2, max_size=12))
def test_any_chain_turned_round(submission, items):
    """Chains of up to twelve numbers come out turned round"""
    found = submission.define(WALK).walk(submission.reverse(submission.linked(items)))
    assert found == items[::-1], f"{items} became {found}"
