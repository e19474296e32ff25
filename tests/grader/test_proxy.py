"""Proxies: to a suite, an object of the submission behaves as if it were here."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.raised import SubmissionError

# Every operation answers with what was asked of it, in the order in which Python asked.
NOTES = """
class Note:
    def __init__(self, name="n"):
        self.name = name

class Plain:
    pass

def text(value):
    return value.name if isinstance(value, Note) else repr(value)

def forward(op):
    return lambda self, other: f"{text(self)} {op} {text(other)}"

def reflected(op):
    return lambda self, other: f"{text(other)} {op} {text(self)} (reflected)"

for op in "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor divmod".split():
    setattr(Note, f"__{op}__", forward(op))
    setattr(Note, f"__r{op}__", reflected(op))
for op in "lt le gt ge iadd isub imul itruediv ifloordiv imod ipow imatmul".split():
    setattr(Note, f"__{op}__", forward(op))
for op in "neg pos abs invert".split():
    setattr(Note, f"__{op}__", (lambda op: lambda self: f"{op} {text(self)}")(op))
Note.__round__ = lambda self, digits=None: f"round {digits}"

class Number:
    def __float__(self): return 2.5
    def __int__(self): return 7
    def __bool__(self): return False
    def __str__(self): return "a number"
    def __repr__(self): return "Number()"

class Row:
    def __init__(self, *items): self.items = list(items)
    def __len__(self): return len(self.items)
    def __getitem__(self, key): return self.items[key]
    def __setitem__(self, key, value): self.items[key] = value
    def __iter__(self): return iter(self.items)

class Liar:
    def __eq__(self, other): return True
    def __hash__(self): raise ValueError("no hash")
    def __ne__(self, other): return False
    def __getattr__(self, name): return f"I have {name}"
    def __class__(self): return float

class Child(Note):
    pass

def keywords(*args, **kwargs):
    return [list(args), kwargs]

def same(x):
    return x

def both(a, b):
    return a is b

counted = []

class Counting:
    def __getattribute__(self, name):
        counted.append(name)
        return object.__getattribute__(self, name)

def generate():
    yield 1
    yield Plain()
    raise ValueError("enough")

def endless():
    while True:
        yield 0
"""


@pytest.fixture
def submission(ask: Callable[[str], Any]) -> Any:
    """A module whose classes tell what was asked of them."""
    return ask(NOTES)


BINARY = "add sub mul truediv floordiv mod pow matmul lshift rshift and_ or_ xor".split()


@pytest.mark.parametrize("name", BINARY)
def test_every_operator_reaches_the_object_and_its_reflected_form(
    submission: Any, name: str
) -> None:
    """`note + 2`, `2 + note` and `note + note` each call the method that Python would."""
    apply, word = getattr(operator, name), name.rstrip("_")
    note, other = submission.Note("a"), submission.Note("b")
    assert apply(note, 2.0) == f"a {word} 2.0"
    assert apply(2.0, note) == f"2.0 {word} a (reflected)"
    assert apply(note, other) == f"a {word} b"
    assert apply(submission.Plain(), note).endswith(f"{word} a (reflected)")


@pytest.mark.parametrize("name", "lt le gt ge".split())
def test_comparisons_reach_the_object(submission: Any, name: str) -> None:
    """`note < 2` asks the note; `2 < note` asks it the other way round."""
    mirrored = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
    note = submission.Note("a")
    assert getattr(operator, name)(note, 2) == f"a {name} 2"
    assert getattr(operator, name)(2, note) == f"a {mirrored[name]} 2"


@pytest.mark.parametrize("name", "iadd isub imul itruediv ifloordiv imod ipow imatmul".split())
def test_augmented_assignments_reach_the_object(submission: Any, name: str) -> None:
    """`note += 2` calls __iadd__, so that a suite sees whether it changes the object in place."""
    assert getattr(operator, name)(submission.Note("a"), 2) == f"a {name} 2"


@pytest.mark.parametrize("name", "iand ior ixor ilshift irshift".split())
def test_augmented_assignments_without_a_method_fall_back(submission: Any, name: str) -> None:
    """`note &= 2` is `note & 2` where the class has no in-place form."""
    assert getattr(operator, name)(submission.Note("a"), 2) == f"a {name[1:]} 2"


@pytest.mark.parametrize("name", "neg pos abs invert".split())
def test_unary_operators_reach_the_object(submission: Any, name: str) -> None:
    """Minus, plus, absolute value and inversion."""
    assert getattr(operator, name)(submission.Note("a")) == f"{name} a"


def test_divmod_and_round_reach_the_object(submission: Any) -> None:
    """Functions that call a special method do as well."""
    note = submission.Note("a")
    assert divmod(note, 2) == "a divmod 2"
    assert divmod(2, note) == "2 divmod a (reflected)"
    assert (round(note), round(note, 3)) == ("round None", "round 3")


def test_an_operator_that_is_not_there_is_a_type_error(submission: Any) -> None:
    """As in one process: a suite can expect TypeError, and the message is Python's own."""
    with pytest.raises(TypeError, match=r"unsupported operand type.*'Plain' and 'int'"):
        submission.Plain() + 1
    with pytest.raises(TypeError, match="unsupported operand"):
        1 - submission.Plain()


def test_calls_pass_positional_and_keyword_arguments(submission: Any) -> None:
    """Arguments arrive where they were put, proxies and nested data among them."""
    note = submission.Note()
    assert submission.keywords(1, "b", c=[1.5], d=None) == [[1, "b"], {"c": [1.5], "d": None}]
    assert submission.keywords(self=1, name=2, target=3, op=4) == [
        [],
        {"self": 1, "name": 2, "target": 3, "op": 4},
    ]
    assert submission.same(x=note) is note
    assert submission.both([note][0], note) is True


def test_attributes_are_read_set_and_deleted(submission: Any) -> None:
    """What a suite sets is there, until it deletes it."""
    note = submission.Note("a")
    note.extra = {"k": (1, 2)}
    assert note.extra == {"k": (1, 2)}
    del note.extra
    with pytest.raises(AttributeError):
        _ = note.extra
    assert hasattr(note, "name")
    assert not hasattr(note, "extra")
    assert getattr(note, "extra", "default") == "default"


def test_an_attribute_may_hold_another_object_of_the_submission(submission: Any) -> None:
    """References are kept as references, in lists and dicts as well."""
    note, other = submission.Note("a"), submission.Note("b")
    note.other = other
    note.others = [other, note]
    assert note.other is other
    assert list(submission.same(note.others)) == [other, note]


def test_a_name_of_the_submission_can_be_set(submission: Any) -> None:
    """A suite may put a name into the module, as monkeypatching would."""
    submission.limit = 3
    assert submission.limit == 3


def test_iteration_length_and_indexing(submission: Any) -> None:
    """Containers of the submission's own work as containers."""
    note = submission.Note()
    row = submission.Row(1, note, "c")
    assert list(row) == [1, note, "c"]
    assert len(row) == 3
    assert row[0] == 1
    assert row[1] is note
    assert row[-1] == "c"
    row[0] = 9
    assert row[0] == 9
    first, *rest = row
    assert (first, rest) == (9, [note, "c"])
    with pytest.raises(IndexError):
        _ = row[5]


def test_a_generator_is_asked_one_item_at_a_time(submission: Any) -> None:
    """What it yields arrives before what it raises; an endless one can be left."""
    items = iter(submission.generate())
    assert next(items) == 1
    assert submission.type_name(next(items)) == "Plain"
    with pytest.raises(ValueError, match="enough"):
        next(items)
    assert next(iter(submission.endless())) == 0


def test_membership_is_by_identity(submission: Any) -> None:
    """`node in topo` asks whether that very object is there, never what __eq__ says."""
    note, liar = submission.Note(), submission.Liar()
    row = submission.Row(note, 2, liar)
    assert note in row
    assert 2 in row
    assert submission.Note() not in row
    assert 3 not in row
    assert note not in submission.Row(liar)


def test_the_same_object_is_the_same_proxy(submission: Any) -> None:
    """`is` holds exactly when it would hold in the worker."""
    note = submission.Note()
    assert submission.same(note) is note
    assert submission.Row(note, note)[1] is note
    assert submission.Note() is not note
    assert submission.Note is submission.Note


def test_equality_and_hash_never_ask_the_submission(submission: Any) -> None:
    """A class whose __eq__ is always true is equal to itself only."""
    liar, other = submission.Liar(), submission.Liar()
    assert liar == liar
    assert liar != other
    assert (liar == 1.0, liar == pytest.approx(1.0), liar == "x") == (False, False, False)
    assert len({liar, other, liar}) == 2
    assert {liar: 1}[liar] == 1


def test_conversions_ask_the_object(submission: Any) -> None:
    """float, int, bool, str and repr give what its methods give."""
    number = submission.Number()
    assert (float(number), int(number), bool(number)) == (2.5, 7, False)
    assert (str(number), repr(number), f"{number}") == ("a number", "Number()", "a number")
    assert bool(submission.Plain()) is True
    with pytest.raises(TypeError, match="float"):
        float(submission.Plain())


@pytest.mark.parametrize(
    ("method", "answer", "convert"),
    [("__float__", "'x'", float), ("__bool__", "7", bool), ("__len__", "-1", len),
     ("__repr__", "3", repr), ("__str__", "None", str), ("__int__", "1.5", int)],
)  # fmt: skip
def test_a_conversion_that_answers_nonsense_is_an_error_of_the_submission(
    ask: Callable[[str], Any], method: str, answer: str, convert: Any
) -> None:
    """Python's own rules about what __float__ and its like may return apply."""
    odd = ask(f"class Odd:\n    def {method}(self): return {answer}").Odd()
    with pytest.raises(SubmissionError):
        convert(odd)


def test_isinstance_with_a_class_of_the_submission(submission: Any) -> None:
    """`isinstance(x, submission.Value)` is answered by the class, for its subclasses as well."""
    assert isinstance(submission.Child(), submission.Note)
    assert not isinstance(submission.Plain(), submission.Note)
    assert not isinstance(3.0, submission.Note)


@pytest.mark.parametrize(
    "name",
    ["__wrapped__", "__len__x", "__array__", "__float128__", "_pytestfixturefunction",
     "_hypothesis_internal", "__class_getitem__", "_repr_html_", "__fspath__", "__index__",
     "__rich__", "pytestmark", "_ipython_display_", "hypothesis_explicit_examples"],
)  # fmt: skip
def test_names_that_tools_probe_for_are_never_asked(submission: Any, name: str) -> None:
    """A class whose __getattr__ answers everything says nothing to pytest or hypothesis."""
    for target in (submission.Liar(), submission):
        assert not hasattr(target, name)
        assert getattr(target, name, None) is None


def test_probing_asks_nothing(submission: Any) -> None:
    """Looking for an odd attribute costs no question at all."""
    counting = submission.Counting()
    asked = len(submission.counted)
    for name in ("__wrapped__", "__array_interface__", "_pytestfixturefunction"):
        assert not hasattr(counting, name)
    assert len(submission.counted) == asked


def test_hypothesis_may_draw_with_proxies(submission: Any) -> None:
    """A strategy over proxies works, and so does an example that fails with one inside."""
    notes = [submission.Note(str(index)) for index in range(3)]

    @given(st.lists(st.sampled_from(notes), min_size=1), st.integers())
    def draws(drawn: list[Any], number: int) -> None:
        assert (drawn[0] + number).startswith(drawn[0].name)

    draws()

    @given(st.sampled_from(notes))
    def fails(note: Any) -> None:
        assert note is None

    with pytest.raises(AssertionError):
        fails()


def test_a_failing_assertion_shows_no_text_of_the_submission(ask: Callable[[str], Any]) -> None:
    """pytest and hypothesis describe a proxy by its number: a __repr__ that lies is not asked."""
    import reprlib

    loud = ask("class Loud:\n    def __repr__(self): raise ValueError('asked')").Loud()
    assert "of the submission" in reprlib.repr(loud)
    assert "of the submission" in reprlib.repr([loud])


def test_an_exception_arrives_with_type_message_and_lines(ask: Callable[[str], Any]) -> None:
    """The frames are those of the student's file, in order, with line numbers."""
    submission = ask("""\
        def outer():
            return inner(0)

        def inner(n):
            return 1 / n
        """)
    with pytest.raises(ZeroDivisionError) as caught:
        submission.outer()
    error = caught.value
    assert isinstance(error, SubmissionError)
    assert str(error) == "ZeroDivisionError: division by zero"
    lines = [(frame.file, frame.line, frame.function) for frame in error.raised.frames]
    assert lines == [("value.py", 2, "outer"), ("value.py", 5, "inner")]


def test_an_exception_of_the_submissions_own_is_its_nearest_builtin(
    ask: Callable[[str], Any],
) -> None:
    """`pytest.raises(ValueError)` catches a subclass that the student made."""
    submission = ask("""
        class Mine(ValueError): pass
        def go(): raise Mine("spam")
    """)
    with pytest.raises(ValueError, match="Mine: spam"):
        submission.go()


@pytest.mark.parametrize(
    "kind", ["StopIteration", "SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException"]
)
def test_exceptions_that_steer_python_arrive_as_ordinary_errors(
    ask: Callable[[str], Any], kind: str
) -> None:
    """A submission can't end a suite's loop, or pytest, by what it raises."""
    submission = ask(f"def go(): raise {kind}('x')\n\nfine = 1")
    with pytest.raises(SubmissionError, match=kind) as caught:
        submission.go()
    assert isinstance(caught.value, Exception)
    assert submission.fine == 1


@pytest.mark.parametrize(
    "source",
    [
        "class E(Exception):\n    def __str__(self): raise ValueError\ndef go(): raise E",
        "class E(Exception):\n    def __str__(self): return 3\ndef go(): raise E",
        "class M(type): __name__ = 3\nclass E(Exception, metaclass=M): ...\ndef go(): raise E",
        "class E(Exception): pass\nE.__name__ = 'x' * 10**6\ndef go(): raise E('y' * 10**6)",
        "def go(): raise Exception('\\ud800')",
        "def go(): raise 3",
        "def go(): raise ExceptionGroup('g', [ValueError(1)])",
    ],
)
def test_an_exception_that_cannot_be_shown_is_an_error_all_the_same(
    ask: Callable[[str], Any], source: str
) -> None:
    """Whatever its class does, the check gets a SubmissionError with a text of bounded length."""
    submission = ask(source)
    with pytest.raises(SubmissionError) as caught:
        submission.go()
    assert len(str(caught.value)) < 5_000


def test_a_missing_name_says_what_is_there(ask: Callable[[str], Any]) -> None:
    """The message names what the file defines instead."""
    submission = ask("class Valeu: pass\ndef backwards(root): pass\n_private = 1")
    with pytest.raises(AttributeError, match=r"Value is not defined.*Valeu") as caught:
        _ = submission.Value
    assert "_private" not in str(caught.value)
    with pytest.raises(AttributeError, match=r"backward is not defined.*backwards"):
        submission.invoke("backward", submission.Valeu())


def test_invoke_takes_the_method_or_the_function(ask: Callable[[str], Any]) -> None:
    """Backward may be either; the method goes first where there are both."""
    method = ask("class Value:\n    def backward(self, n=0): return ['method', n]")
    function = ask("class Value: pass\ndef backward(root, n=0): return ['function', n]")
    both = ask("""
        class Value:
            def backward(self, n=0): return ["method", n]
        def backward(root, n=0): return ["function", n]
    """)
    assert method.invoke("backward", method.Value(), 3) == ["method", 3]
    assert function.invoke("backward", function.Value(), 4) == ["function", 4]
    assert both.invoke("backward", both.Value()) == ["method", 0]


def test_helper_code_of_a_suite_runs_beside_the_submission(ask: Callable[[str], Any]) -> None:
    """`define` sees the submission's names and leaves its module alone."""
    submission = ask("class Value:\n    def __init__(self, x): self.x = x")
    helper = submission.define("def make(n):\n    return [Value(i) for i in range(n)]")
    assert [value.x for value in helper.make(3)] == [0, 1, 2]
    assert not hasattr(submission, "make")


def test_only_plain_data_and_proxies_can_be_passed(submission: Any) -> None:
    """A function of the suite's can't go to the worker: the error says what to do instead."""
    with pytest.raises(TypeError, match=r"submission\.define"):
        submission.same(lambda x: x)


def test_a_proxy_of_an_earlier_check_is_refused(ask: Callable[[str], Any]) -> None:
    """Kept in a global of the suite, it would mean another object: that is a fault of the suite."""
    first = ask(NOTES)
    note = first.Note()
    conversation = object.__getattribute__(first, "_conversation")
    conversation.close()
    with pytest.raises(RuntimeError, match="earlier"):
        _ = note.name


def test_each_conversation_sees_a_fresh_module(ask: Callable[[str], Any]) -> None:
    """What one check changes, the next one does not see."""
    source = "seen = []\ncount = 0\ndef tick():\n    global count\n    count += 1\n    return count"
    assert ask(source).tick() == 1
    first = ask(source)
    first.tick()
    first.count = 100
    assert ask(source).tick() == 1


def test_arrays_travel_as_data(ask: Callable[[str], Any]) -> None:
    """A numpy array sent to a submission that works with lists of numbers comes back as data."""
    numpy = pytest.importorskip("numpy")
    submission = ask("def same(x): return x")
    assert submission.same(numpy.float64(1.5)) == 1.5
    assert type(submission.same(numpy.int64(3))) is int
