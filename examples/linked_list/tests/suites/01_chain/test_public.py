"""Short chains, as in the lesson."""

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
def test_a_chain_of_three(submission):
    """linked([4, 7, 1]) has these three nodes, in this order"""
    head = submission.linked([4, 7, 1])
    assert submission.define(WALK).walk(head) == [4, 7, 1], "the nodes hold other values"


@pytest.mark.points(1)
def test_values_of_a_chain(submission):
    """values gives back what is in the nodes"""
    head = submission.Node(4, submission.Node(7, submission.Node(1)))
    assert submission.values(head) == [4, 7, 1], "4, 7 and 1 are in the nodes"


@pytest.mark.points(1)
def test_length_of_a_chain(submission):
    """length of a chain of three is 3"""
    head = submission.Node(4, submission.Node(7, submission.Node(1)))
    assert submission.length(head) == 3, "there are three nodes"
