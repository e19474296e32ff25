"""Three nodes, turned round and taken out."""

import pytest

# Runs beside the submission: one question brings all values, however long the chain has become.
WALK = """
def walk(node):
    found = []
    while node is not None and len(found) < 1000:
        found.append(node.value)
        node = node.next
    return found
"""


@pytest.mark.points(1)
def test_reverse_of_three(submission):
    """4, 7, 1 becomes 1, 7, 4"""
    head = submission.reverse(submission.linked([4, 7, 1]))
    found = submission.define(WALK).walk(head)
    assert found == [1, 7, 4], f"the chain that begins at what reverse gives back holds {found}"


@pytest.mark.points(1)
def test_remove_from_the_middle(submission):
    """4, 7, 1 without 7 is 4, 1"""
    head = submission.remove(submission.linked([4, 7, 1]), 7)
    found = submission.define(WALK).walk(head)
    assert found == [4, 1], f"what is left holds {found}"
