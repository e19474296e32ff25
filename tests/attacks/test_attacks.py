"""No submission forges a score, reads what is hidden, hurts another or stops the grader.

Every attack is run under each sandbox level through the grader's own session, on a course that
allows every import. Nothing may be found from outside: no points above what its honest part earns,
no hidden text, no other file changed, no process left, no host file read, no packet, no dead or
slow grader, and the next submission gets its full points. The same attack then has to succeed
against a grader that lacks the wall it aims at, so that the looking is known to see."""

import pytest
import shared
from runner import ATTACKS, LEVELS, group_of

CONTROLS = [(group_of(item.control), name) for name, item in ATTACKS.items() if item.control]


def achieved(kind: str, wrong: list[str]) -> set[str]:
    """What counts. A check that flags itself, because a suite was given a number where it wants an
    object, gives no points; it is looked at where the attack is on the decoder."""
    return set(wrong) - (set() if kind == "fault" else {"flagged"})


@pytest.mark.parametrize("group", LEVELS)
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_achieves_nothing(found, group: str, name: str) -> None:
    """Whatever it tries, nothing is found from outside."""
    wrong, told = found(group, name)
    assert not achieved(ATTACKS[name].kind, wrong), f"{wrong} {told}"


@pytest.mark.parametrize(("group", "name"), CONTROLS)
def test_without_the_wall_it_succeeds(found, group: str, name: str) -> None:
    """So the check above can fail."""
    wrong, told = found(group, name)
    kind = ATTACKS[name].kind
    assert {kind, *(["flagged"] if kind == "fault" else [])} & set(wrong), f"{kind} {wrong} {told}"


def test_every_attack_without_a_control_says_why() -> None:
    """It is either shown to be able to succeed, or there is a reason."""
    for name, item in ATTACKS.items():
        assert item.control or shared.NO_CONTROL.get(name) or item.why, name
