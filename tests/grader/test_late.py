"""Lateness is a pure function of two moments and a policy, exact, and never the machine's mood."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import Exercise, LatePolicy, Limits
from grader.errors import UsageError
from grader.late import Extensions, Lateness, lateness, read_extensions

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # whose clocks change by half an hour
TENTH = LatePolicy(per_day=0.1, days=5, grace_minutes=15)
DUE = datetime(2027, 2, 1, 23, 59, tzinfo=timezone(timedelta(hours=1)))

zones = st.sampled_from([UTC, BERLIN, NEW_YORK, LORD_HOWE, timezone(timedelta(hours=14))])
moments = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))
policies = st.builds(
    LatePolicy,
    per_day=st.sampled_from([0.0, 0.01, 0.1, 0.25, 1 / 3, 0.5, 1.0]),
    days=st.integers(0, 12),
    grace_minutes=st.integers(0, 3000),
)
gaps = st.timedeltas(timedelta(days=-20), timedelta(days=20))


def after(**gap: float) -> Lateness:
    return lateness(DUE, DUE + timedelta(**gap), TENTH)


# ---- what it says, in examples --------------------------------------------------------


def test_a_started_day_counts_as_a_whole_one() -> None:
    assert after(seconds=0) == Lateness(0, Fraction(1))
    assert after(minutes=16) == Lateness(1, Fraction(9, 10))
    assert after(days=1) == Lateness(1, Fraction(9, 10))
    assert after(days=1, microseconds=1) == Lateness(2, Fraction(8, 10))


def test_grace_forgives_up_to_its_length_and_does_not_shorten_more() -> None:
    assert after(minutes=15) == Lateness()
    assert after(minutes=15, microseconds=1) == Lateness(1, Fraction(9, 10))
    assert after(days=1, minutes=10).days == 2


def test_after_the_last_day_nothing_is_left() -> None:
    assert after(days=5) == Lateness(5, Fraction(1, 2))
    assert after(days=5, seconds=1) == Lateness(6, Fraction(0))


def test_a_share_is_never_below_nothing() -> None:
    policy = LatePolicy(per_day=0.4, days=10)
    assert lateness(DUE, DUE + timedelta(days=3), policy) == Lateness(3, Fraction(0))


def test_what_is_not_known_costs_nothing() -> None:
    late = DUE + timedelta(days=3)
    assert lateness(None, late, TENTH) == Lateness()
    assert lateness(DUE, None, TENTH) == Lateness()
    assert lateness(DUE, late, None) == Lateness()


def test_the_loss_is_an_exact_fraction() -> None:
    assert after(days=3).factor == Fraction(7, 10)  # and not 0.7000000000000001
    third = LatePolicy(per_day=0.07, days=9)
    assert lateness(DUE, DUE + timedelta(days=9), third).factor == Fraction(37, 100)


def test_a_year_and_a_microsecond_is_a_started_day_more() -> None:
    policy = LatePolicy(per_day=0.0001, days=10**6)
    for days in (365, 36_500, 365_000):
        due = datetime(2, 1, 1, tzinfo=UTC)
        late = timedelta(days=days, microseconds=1)
        assert lateness(due, due + late, policy).days == days + 1


def test_the_clocks_change_and_a_day_still_has_24_hours() -> None:
    """Both moments in one zone: Python's own difference is an hour wrong here."""
    policy = LatePolicy(per_day=0.1, days=5)
    spring = datetime(2027, 3, 27, 23, 59, tzinfo=BERLIN)  # 23 hours later it is 23:59 again
    assert lateness(spring, datetime(2027, 3, 28, 23, 59, tzinfo=BERLIN), policy).days == 1
    assert lateness(spring, datetime(2027, 3, 29, 0, 59, tzinfo=BERLIN), policy).days == 1
    assert lateness(spring, datetime(2027, 3, 29, 1, 0, tzinfo=BERLIN), policy).days == 2
    autumn = datetime(2027, 10, 30, 23, 59, tzinfo=BERLIN)  # 25 hours later it is 23:59 again
    assert lateness(autumn, datetime(2027, 10, 31, 22, 59, tzinfo=BERLIN), policy).days == 1
    assert lateness(autumn, datetime(2027, 10, 31, 23, 59, tzinfo=BERLIN), policy).days == 2


def test_the_hour_that_comes_twice() -> None:
    policy = LatePolicy(per_day=0.1, days=5)
    first = datetime(2027, 10, 31, 2, 30, tzinfo=BERLIN, fold=0)
    second = datetime(2027, 10, 31, 2, 30, tzinfo=BERLIN, fold=1)  # an hour later
    assert lateness(first, second, policy).days == 1
    assert lateness(second, first, policy).days == 0


def test_the_end_of_all_time_is_a_due_date() -> None:
    """A way to write "never"; converting it to another zone would overflow."""
    never = datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-12)))
    assert lateness(never, DUE, TENTH) == Lateness()


# ---- what holds for all -----------------------------------------------------------------


@given(moments, gaps, policies, zones, zones)
def test_no_zone_matters(
    due: datetime, gap: timedelta, policy: LatePolicy, here: ZoneInfo, there: ZoneInfo
) -> None:
    """The same two moments, written as the clocks of anywhere show them, cost the same."""
    expected = lateness(due, due + gap, policy)
    assert lateness(due.astimezone(here), (due + gap).astimezone(there), policy) == expected
    assert lateness(due.astimezone(here), (due + gap).astimezone(here), policy) == expected


@given(moments, gaps, gaps, policies)
def test_later_never_earns_more(
    due: datetime, one: timedelta, other: timedelta, policy: LatePolicy
) -> None:
    early, late = sorted((one, other))
    before, after = lateness(due, due + early, policy), lateness(due, due + late, policy)
    assert before.days <= after.days
    assert before.factor >= after.factor


@given(moments, gaps, policies)
def test_the_days_and_what_they_cost(due: datetime, gap: timedelta, policy: LatePolicy) -> None:
    found = lateness(due, due + gap, policy)
    assert 0 <= found.factor <= 1
    if gap <= timedelta(minutes=policy.grace_minutes):
        assert found == Lateness()
        return
    assert timedelta(days=found.days - 1) < gap <= timedelta(days=found.days)
    if found.days > policy.days:
        assert found.factor == 0
    else:
        assert found.factor == max(0, 1 - found.days * Fraction(str(policy.per_day)))


@given(moments, gaps, policies, st.timedeltas(timedelta(0), timedelta(days=9)))
def test_a_later_due_time_never_costs_more(
    due: datetime, gap: timedelta, policy: LatePolicy, more: timedelta
) -> None:
    assert lateness(due + more, due + gap, policy).factor >= lateness(due, due + gap, policy).factor


# ---- extensions ---------------------------------------------------------------


def exercise(name: str, due: datetime | None) -> Exercise:
    return Exercise(name, "", "value.py", Fraction(1), 1, 1, ("h",), Limits(), due)


FIRST, SECOND = exercise("01_first", DUE), exercise("02_second", DUE + timedelta(days=28))
WEEK = DUE + timedelta(days=7)


def read(tmp_path: Path, text: str | bytes) -> Extensions:
    path = tmp_path / "extensions.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_extensions(path, (FIRST, SECOND))


def test_an_extension_makes_nothing_due_earlier(tmp_path: Path) -> None:
    """It is written with one exercise in mind; another may be due weeks later anyway."""
    extended = read(tmp_path, f"student,due\nada,{WEEK.isoformat()}\n")
    assert extended.due(["ada"], FIRST) == WEEK
    assert extended.due(["ada"], SECOND) == SECOND.due
    assert extended.due(["bob"], FIRST) == DUE
    assert extended.due(["ada"], exercise("03_free", None)) is None


def test_an_extension_may_name_its_exercise(tmp_path: Path) -> None:
    far = (DUE + timedelta(days=99)).isoformat()
    extended = read(tmp_path, f"student,due,exercise\nada,{far},02_second\n")
    assert extended.due(["ada"], FIRST) == DUE
    assert extended.due(["ada"], SECOND) == DUE + timedelta(days=99)


def test_a_student_is_found_by_any_id_in_any_case(tmp_path: Path) -> None:
    extended = read(tmp_path, f"student,due\nAda@Example.org,{WEEK.isoformat()}\n")
    assert extended.due(["4711", "ada@example.org"], FIRST) == WEEK
    assert extended.unused(["4711", "ADA@example.org"]) == []
    assert extended.unused(["4711"]) == ["ada@example.org"]


@pytest.mark.parametrize(
    "text",
    [
        f"\ufeffstudent;due\r\nada;{WEEK.isoformat()}\r\n",
        f"Student\tDue\nada\t{WEEK.isoformat()}\n\t\n",
        f"name,due,student\nAda,{WEEK.isoformat()},ada\n",
    ],
)
def test_a_list_as_a_spreadsheet_saves_it(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).due(["ada"], FIRST) == WEEK


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,due\nada,tomorrow\n", "line 2: 'tomorrow' is no time"),
        ("student,due\nada,2027-02-08T23:59:00\n", "line 2: 2027-02-08T23:59:00 has no time zone"),
        (f"student,due\n,{WEEK.isoformat()}\n", "line 2: names no student"),
        ("ada,2027-02-08T23:59:00+01:00\n", "its first line must name the columns"),
        (f"student,due\nada,{WEEK.isoformat()}\nADA,{WEEK.isoformat()}\n", "line 3: ADA is there"),
        (f"student,due,exercise\nada,{WEEK.isoformat()},04_x\n", "'04_x' is not in the course"),
        (b"student,due\n\xff\xfe,\x00\n", "cannot be read"),
        ("", "its first line must name the columns"),
    ],
)
def test_what_is_wrong_with_a_list_is_one_line(
    tmp_path: Path, text: str | bytes, words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_extensions(tmp_path / "none.csv", ())
