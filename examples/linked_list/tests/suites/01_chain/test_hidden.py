"""Empty and long chains, zeros, and what may not change."""

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


def chain(submission, items):
    """A chain that is right, made of the submission's nodes."""
    head = None
    for item in reversed(items):
        head = submission.Node(item, head)
    return head


@pytest.mark.points("1/2")
def test_nothing(submission):
    """An empty chain is None, has no values and length 0"""
    assert submission.linked([]) is None, "linked([]) is not None"
    assert submission.values(None) == [], "values(None) is not []"
    assert submission.length(None) == 0, "length(None) is not 0"


@pytest.mark.points("1/2")
def test_values_that_count_as_false(submission):
    """A zero or an empty text does not end a chain"""
    items = ["", 0, 0, "end"]
    head = chain(submission, items)
    assert submission.values(head) == items, "something is lost at a zero or an empty text"
    assert submission.length(head) == len(items), "the count stops at a zero or an empty text"


@pytest.mark.points(1)
@given(items=st.lists(st.integers(-99, 99), min_size=1, max_size=12))
def test_any_chain(submission, items):
    """Chains of up to twelve numbers are built in order"""
    found = submission.define(WALK).walk(submission.linked(items))
    assert found == items, f"linked({items}) holds {found}"


@pytest.mark.points(1)
def test_reading_changes_nothing(submission):
    """After values and length the chain is as it was"""
    items = [5, 5, -3, 8]
    head = chain(submission, items)
    found, count = submission.values(head), submission.length(head)
    after = submission.define(WALK).walk(head)
    assert (found, count) == (items, len(items)), "the values or their count are not right"
    assert after == items, "the chain is another one after it was read"
