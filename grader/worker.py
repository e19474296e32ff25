"""The untrusted side: executes one submission and answers requests about its objects.

This file is sent to a bare interpreter and shares its process with the submission, so it
imports nothing of the grader and next to nothing of the standard library (every import costs
start-up time of every worker). Nothing it says is believed: `protocol` decodes its replies
strictly. What it does carefully is being fair: whatever an honest submission does to builtins, to
the recursion limit or to the working directory must not change how the next request is answered.
"""

import builtins
import gc
import io
import marshal
import operator
import os
import sys
from _json import encode_basestring_ascii as quote  # the C half of json, without the rest of it
from types import FunctionType, ModuleType
from typing import Any

# Whatever a submission does to the module `builtins`, this program keeps the real ones.
for _name in vars(builtins):
    globals().setdefault(_name, getattr(builtins, _name))

MAX_TEXT = 4_000  # characters of an exception's message
MAX_STRING = 200_000  # characters of a string by value
MAX_PARTS = 20_000  # elements of a container by value
MAX_DEPTH = 20
MAX_INT_BITS = 13_990
MAX_ODD_KEYS = 1_000  # large numbers and tuples as keys: the grader takes no more
SUBMISSION = 0  # the register of the submission's module

OPERATORS: dict[str, Any] = {
    name: getattr(operator, name)
    for name in (
        "add sub mul truediv floordiv mod pow matmul lshift rshift and_ or_ xor neg pos abs invert "
        "lt le gt ge iadd isub imul itruediv ifloordiv imod ipow imatmul"
    ).split()
}
OPERATORS["divmod"] = divmod
OPERATORS["pow"] = pow  # with a modulus where there is one
OPERATORS["round"] = round


# What a file has to get right even where its demonstration at the bottom cannot run.
DEFINITIONS = ("FunctionDef", "ClassDef", "Import", "ImportFrom")


class TooLarge(Exception):
    """An answer that is too large to send."""


class NotPlain(Exception):
    """A value that goes by reference."""


class MissingRegister(BaseException):
    """A request about a result that is not there, because the request for it raised."""


class TimeUp(BaseException):
    """The check has run past its limit."""


class Flood(BaseException):
    """The submission printed far more than anybody will read."""


# ---- the submission's source ------------------------------------------------------------------


class Submission:
    """Compiles a submission once and executes it afresh for every check."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.module_name = order["module"]
        self.notebook = order["notebook"]
        self.cells = [[name, text, None] for name, text in order["cells"]]
        self.siblings = {file.rpartition(".")[0]: (file, text) for file, text in order["siblings"]}
        self.imports = set(order["imports"])
        self.main_names = {self.module_name} | {
            name[:-3] for name, _ in order["cells"] if name.endswith(".py")
        }
        self.files = {name for name, _ in order["cells"]} | {file for file, _ in order["siblings"]}
        self.notes: list[str] = []
        self.loaded: dict[str, ModuleType] = {}
        self.cwd = os.getcwd()
        self.recursion_limit = sys.getrecursionlimit()

    def fresh(self) -> ModuleType:
        """A new module in which all cells have just been executed."""
        try:
            os.chdir(self.cwd)
        except OSError:
            pass
        sys.setrecursionlimit(self.recursion_limit)
        if "random" in sys.modules:
            seed(sys.modules["random"])
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(0)
        for loaded in self.loaded:
            sys.modules.pop(loaded, None)
        self.loaded = {}
        self.notes = []
        namespace = self._guarded_builtins()
        module = ModuleType(self.module_name)
        module.__file__ = self.cells[0][0] if self.cells else None
        self._enter(module, namespace)
        for cell in self.cells:
            self._execute(cell, module.__dict__)
        return module

    def _enter(self, module: ModuleType, guarded: dict[str, Any]) -> None:
        module.__dict__["__builtins__"] = guarded
        self.loaded[module.__name__] = module
        sys.modules[module.__name__] = module

    def _execute(self, cell: list[Any], namespace: dict[str, Any]) -> None:
        name, text, code = cell
        try:
            if code is None:
                code = cell[2] = compile(text, name, "exec", dont_inherit=True)
            exec(code, namespace)
        except (SystemExit, EOFError, ImportError) as error:
            if code is None or (isinstance(error, ImportError) and not self.notebook):
                raise
            self._execute_statements(name, text, code, namespace)
        except Exception as error:
            if not self.notebook:
                raise
            self._note(name, error)

    def _execute_statements(
        self, name: str, text: str, code: Any, namespace: dict[str, Any]
    ) -> None:
        """A file that asks for input or exits while it is imported, a cell that also imports what
        is not there: everything but that statement, and whatever else fails without the answer
        to it. Each such line is noted."""
        only_ast, future = 0x400, 0x1FF0000
        tree = compile(text, name, "exec", only_ast, dont_inherit=True)
        kind = type(tree)
        for statement in tree.body:
            part = kind([statement], [])
            try:
                exec(compile(part, name, "exec", code.co_flags & future, True), namespace)
            except (SystemExit, EOFError) as error:
                self._note(f"{name}, line {statement.lineno}", error)
            except Exception as error:
                defines = type(statement).__name__ in DEFINITIONS
                if defines and not self.notebook:
                    raise
                self._note(f"{name}, line {statement.lineno}", error)
                if self.notebook and not isinstance(error, ImportError):
                    return  # as in the notebook: the rest of the cell does not run

    def _note(self, place: str, error: BaseException) -> None:
        if isinstance(error, SyntaxError) and error.lineno:
            what = f"does not parse (line {error.lineno}: {error.msg})"
        elif isinstance(error, SystemExit):
            what = "exits while the file is imported"
        elif isinstance(error, EOFError):
            what = "asks for input while the file is imported"
        else:
            what = f"raised {type(error).__name__}: {text_of(error)}"[:300]
        self.notes.append(f"{place} {what}; the rest was graded")

    def _guarded_builtins(self) -> dict[str, Any]:
        guarded = dict(sys.modules["builtins"].__dict__)
        guarded["__import__"] = self._import
        guarded["input"] = no_input
        guarded["exit"] = guarded["quit"] = leave
        return guarded

    def _import(
        self,
        name: str,
        globals: Any = None,
        locals: Any = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` for the submission's own code: what the exercise allows, and siblings."""
        top, _, _ = name.partition(".")
        last = name.rpartition(".")[2]
        own = self.siblings.keys() | self.main_names
        if level:
            found = last if last in own else None
            if found is None and fromlist and not name:  # from . import topo
                package = ModuleType("package")
                for item in fromlist:
                    setattr(package, item, self._sibling(item))
                return package
            if found is None:
                raise ModuleNotFoundError(f"the file {last or '.'}.py was not handed in", name=name)
            return self._sibling(found)
        if top in self.imports or top == "__future__":
            first_random = name == "random" and "random" not in sys.modules
            module = __import__(name, globals, locals, fromlist, 0)
            if first_random:  # so that random starting weights are the same in every run
                seed(module)
            return module
        if last in own:
            module = self._sibling(last)
            if fromlist or name == last:
                return module
            package = ModuleType(top)
            setattr(package, last, module)
            return package
        if fromlist and own.issuperset(fromlist):  # from package import engine
            package = ModuleType(top)
            for item in fromlist:
                setattr(package, item, self._sibling(item))
            return package
        allowed = ", ".join(sorted(self.imports)[:12]) or "nothing"
        raise ImportError(f"import of {top!r} is not allowed in this exercise (allowed: {allowed})")

    def _sibling(self, name: str) -> ModuleType:
        if name in self.main_names:  # whatever the student's own name of the main file
            name = self.module_name
        if name in self.loaded:
            return self.loaded[name]
        if name not in self.siblings:
            raise ModuleNotFoundError(f"the file {name}.py was not handed in", name=name)
        file, text = self.siblings[name]
        module = ModuleType(name)
        module.__file__ = file
        self._enter(module, self._guarded_builtins())
        exec(compile(text, file, "exec", dont_inherit=True), module.__dict__)
        return module


def seed(random: Any) -> None:
    """random.seed(0), without the names in `builtins` that its Python half looks up."""
    generator = random._inst
    generator.__class__.__base__.seed(generator, 0)
    generator.gauss_next = None


def no_input(prompt: object = "") -> str:
    raise EOFError("input() has nobody to answer it here")


def leave(code: object = None) -> None:
    raise SystemExit(code)


# ---- replies ----------------------------------------------------------------------------------


def encode(value: Any, depth: int = 0) -> str:
    """Plain data, by exact type, as tagged JSON. Raises NotPlain or TooLarge."""
    kind = type(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        if value - value == 0.0:
            return repr(value)
        return '["n","nan"]' if value != value else '["n","inf"]' if value > 0 else '["n","-inf"]'
    if kind is int:
        if -(2**63) <= value < 2**63:
            return repr(value)
        if value.bit_length() > MAX_INT_BITS:
            raise TooLarge("an integer of more than 4,200 digits")
        return f'["i","{value:x}"]'
    if kind is str:
        return encode_text(value)
    if id(kind) in CONTAINERS:
        if len(value) > MAX_PARTS:
            raise TooLarge(f"a {kind.__name__} of {len(value)} elements")
        if depth >= MAX_DEPTH:
            raise TooLarge("data nested deeper than 20 levels")
        if kind is not list and kind is not tuple and len(value) > MAX_ODD_KEYS:
            count_odd_keys(value)
        if kind is dict:
            items = [part for pair in value.items() for part in pair]
        else:
            items = list(value)
        parts = [CONTAINERS[id(kind)]]
        parts.extend([encode(item, depth + 1) for item in items])
        return "[" + ",".join(parts) + "]"
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray:
        return encode_array(numpy, value)
    raise NotPlain


# By id: a submission's class can have a hash and an equality of its own.
CONTAINERS: dict[int, str] = {
    id(list): '"l"', id(tuple): '"t"', id(set): '"s"', id(frozenset): '"f"', id(dict): '"d"',
}  # fmt: skip


def count_odd_keys(keys: Any) -> None:
    """Raises TooLarge where there are more than the grader takes."""
    small = (str, float, bool, type(None))
    odd = [
        key
        for key in list(keys)
        if type(key) not in small and not (type(key) is int and -(2**63) <= key < 2**63)
    ]
    if len(odd) > MAX_ODD_KEYS:
        raise TooLarge(f"a container with {len(odd)} keys that are neither text nor small numbers")


def encode_text(text: str) -> str:
    if len(text) > MAX_STRING:
        raise TooLarge(f"a text of {len(text)} characters")
    # a lone surrogate is not UTF-8; shown as an escape it is
    return quote(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def encode_array(numpy: Any, array: Any) -> str:
    from binascii import b2a_base64

    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise NotPlain
    if array.nbytes > 4_000_000:
        raise TooLarge(f"an array of {array.nbytes} bytes")
    dtype = array.dtype.newbyteorder("<")
    data = b2a_base64(array.astype(dtype, copy=False).tobytes(), newline=False).decode("ascii")
    shape = ",".join([repr(int(extent)) for extent in array.shape])
    return f'["a","{dtype.str}",[{shape}],"{data}"]'


def text_of(error: BaseException) -> str:
    """str(error), whatever its class does to it."""
    try:
        text = str(error)
    except BaseException:
        return "(its message could not be read)"
    return text[:MAX_TEXT]


def near(name: str, known: list[Any]) -> list[str]:
    """The names that could have been meant, for a message; which are near is judged elsewhere."""
    names = [item for item in known if type(item) is str and not item.startswith("__")]
    return [item for item in names if len(item) < 60][:100]


def encode_error(error: BaseException, files: set[str], names: list[str]) -> str:
    kind = type(error)
    bases = [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"]
    frames = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in files and step.tb_lineno is not None:
            frames.append((code.co_filename, step.tb_lineno, code.co_name))
        step = step.tb_next
    message = text_of(error)
    if isinstance(error, SyntaxError) and error.filename in files and error.lineno:
        frames.append((error.filename, error.lineno, "<module>"))
        message = str(error.msg)
    if len(frames) > 12:  # a recursion: where it came in, and where it ended
        frames = frames[:4] + frames[-8:]
    rows = ",".join(
        [f"[{encode_text(str(f))},{int(n)},{encode_text(str(w))}]" for f, n, w in frames]
    )
    return (
        f'"e",{encode_text(str(kind.__name__)[:100])},[{",".join(map(encode_text, bases))}],'
        f"{encode_text(message)},[{rows}],[{','.join(map(encode_text, names))}]"
    )


# ---- requests ---------------------------------------------------------------------------------


class Registers:
    """The objects of one check, by the number of the request that made them."""

    def __init__(self, submission: Submission, module: ModuleType) -> None:
        self.submission = submission
        self.objects: dict[int, Any] = {SUBMISSION: module}
        self.numbers: dict[int, int] = {id(module): SUBMISSION}
        self.names: list[str] = []

    def run(self, number: int, request: tuple[Any, ...]) -> str:
        """Carry out one request; the reply's body, as JSON without the outer brackets."""
        self.names = []
        try:
            result = OPS[request[0]](self, *[self.unpack(item) for item in request[1:]])
        except (MissingRegister, TimeUp, Flood):
            raise
        except BaseException as error:
            return encode_error(error, self.submission.files, self.names)
        self.objects[number] = result
        try:
            return f'"v",{encode(result)}'
        except NotPlain:
            return by_reference(self.numbers, result, number)
        except TooLarge as error:
            return f'"e","TooLarge",["Exception"],{encode_text(text_of(error))},[],[]'
        except (TimeUp, Flood):
            raise
        except BaseException as error:
            return encode_error(error, self.submission.files, [])

    def unpack(self, item: Any) -> Any:
        if type(item) is not tuple:
            return item
        tag = item[0]
        if tag == "r":
            if item[1] not in self.objects:
                raise MissingRegister
            return self.objects[item[1]]
        if tag == "l":
            return [self.unpack(part) for part in item[1]]
        if tag == "t":
            return tuple([self.unpack(part) for part in item[1]])
        if tag == "s":
            return {self.unpack(part) for part in item[1]}
        if tag == "f":
            return frozenset([self.unpack(part) for part in item[1]])
        if tag == "d":
            return {self.unpack(key): self.unpack(part) for key, part in item[1]}
        numpy = __import__("numpy")
        _, dtype, shape, data = item
        return numpy.frombuffer(data, dtype=dtype).reshape(shape).copy()

    # each operation takes the unpacked arguments of its request

    def do_name(self, name: str) -> Any:
        """A name of the submission; `names` says what it defines instead."""
        module = self.objects[SUBMISSION]
        try:
            return module.__dict__[name]
        except KeyError:
            self.names = near(name, list(module.__dict__))
            raise MissingName(name) from None

    def do_getattr(self, target: Any, name: str) -> Any:
        try:
            return getattr(target, name)
        except AttributeError:
            self.names = near(name, dir(target))
            raise

    def do_setattr(self, target: Any, name: str, value: Any) -> None:
        setattr(target, name, value)

    def do_delattr(self, target: Any, name: str) -> None:
        delattr(target, name)

    def do_call(self, target: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return target(*arguments, **keywords)

    def do_operator(self, name: str, *operands: Any) -> Any:
        return OPERATORS[name](*operands)

    def do_invoke(self, name: str, target: Any, arguments: tuple[Any, ...]) -> Any:
        """`target.name(…)`, or the submission's function `name(target, …)`: whichever it has."""
        method = getattr(target, name, None)
        if method is not None:
            return method(*arguments)
        function = self.objects[SUBMISSION].__dict__.get(name)
        if function is not None:
            return function(target, *arguments)
        self.names = near(name, list(self.objects[SUBMISSION].__dict__) + dir(target))
        raise MissingName(name)

    def do_define(self, text: str) -> Any:
        """Execute a suite's own helper code beside the submission, with its names in reach."""
        helper = ModuleType("suite_helper")
        helper.__dict__.update(self.objects[SUBMISSION].__dict__)
        helper.__dict__["__builtins__"] = sys.modules["builtins"].__dict__
        exec(compile(text, "<suite>", "exec", dont_inherit=True), helper.__dict__)
        return helper

    def do_iter(self, target: Any) -> Any:
        return iter(target)

    def do_next(self, target: Any) -> Any:
        return next(target)

    def do_len(self, target: Any) -> int:
        return len(target)

    def do_getitem(self, target: Any, key: Any) -> Any:
        return target[key]

    def do_setitem(self, target: Any, key: Any, value: Any) -> None:
        target[key] = value

    def do_isinstance(self, target: Any, kind: Any) -> bool:
        return isinstance(target, kind)

    def do_type_name(self, target: Any) -> str:
        return type(target).__name__

    def do_convert(self, name: str, target: Any) -> Any:
        """float(target), int(target), bool(target), str(target) or repr(target)."""
        return CONVERSIONS[name](target)


def by_reference(numbers: dict[int, int], result: Any, number: int) -> str:
    """The reply for an object: the register that has had it before, if one has."""
    same = numbers.setdefault(id(result), number)
    return '"o"' if same == number else f'"o",{same}'


class MissingName(Exception):
    """The submission has no such name."""


CONVERSIONS: dict[str, Any] = {
    "float": float,
    "int": int,
    "bool": bool,
    "str": lambda target: str.__str__(str(target)),  # never a subclass: exactly text
    "repr": lambda target: str.__str__(repr(target)),
    "complex": complex,
}
OPS = {name[3:]: item for name, item in vars(Registers).items() if name.startswith("do_")}


# ---- the conversation -------------------------------------------------------------------------


class Pipe:
    """Frames: four bytes of length, then the payload. Descriptors of its own, out of print's
    way."""

    def __init__(self) -> None:
        self.requests = os.dup(0)
        self.replies = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def read(self) -> bytes:
        return self._read(int.from_bytes(self._read(4), "big"))

    def _read(self, size: int) -> bytes:
        chunks = []
        while size:
            chunk = os.read(self.requests, min(size, 1 << 20))
            if not chunk:
                os._exit(0)  # the grader has gone
            chunks.append(chunk)
            size -= len(chunk)
        return b"".join(chunks)

    def write(self, text: str) -> None:
        payload = text.encode("ascii")
        data = memoryview(len(payload).to_bytes(4, "big") + payload)
        while data:
            data = data[os.write(self.replies, data) :]


def flush() -> None:
    """What was printed before an answer is seen with that answer."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue


class Sink(io.RawIOBase):
    """Keeps the first `kept` bytes of what a check prints, and stops it at `most`."""

    def __init__(self, kept: int, most: int) -> None:
        self.text = bytearray()
        self.kept, self.most, self.count = kept, most, 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        size = len(data)
        self.count += size
        if len(self.text) < self.kept:
            self.text += bytes(data)[: self.kept - len(self.text)]
        if self.count > self.most:
            raise Flood
        return size


class Alarm:
    """The deadline of a check, kept inside; the grader keeps one of its own outside."""

    def __init__(self) -> None:
        try:
            import _signal  # type: ignore[import-not-found]

            _signal.signal(_signal.SIGALRM, self._ring)
            self._set: Any = lambda seconds: _signal.setitimer(_signal.ITIMER_REAL, seconds)[0]
        except (ImportError, AttributeError):  # no such timer on Windows
            self._set = lambda seconds: 0.0

    def _ring(self, *_: object) -> None:
        raise TimeUp

    def __call__(self, seconds: float) -> float:
        """Raise TimeUp in so many seconds; with 0, no more. Returns the seconds that were left."""
        return float(self._set(seconds))


class Conversation:
    """Reads requests and answers them, until the grader goes."""

    def __init__(self) -> None:
        self.pipe = Pipe()
        # Graphs are full of cycles that live as long as their check: looking through them as
        # often as Python does by itself costs a third of all that a submission does.
        gc.set_threshold(20_000, 5, 5)
        sys.path = [folder for folder in sys.path if folder]
        order = marshal.loads(self.pipe.read())
        self.submission = Submission(order)
        self.kept = order["output"]
        self.registers: Any = None
        self.alarm: Any = None

    def serve(self) -> None:
        while True:
            request_id, number, request = marshal.loads(self.pipe.read())
            if number is None:
                self.observe(request_id, *request)
            else:
                body = self.answer(number, request)
                flush()
                self.pipe.write(f"[{request_id},{body}]")

    def answer(self, number: int, request: bytes) -> str:
        if number != SUBMISSION:
            return str(self.registers.run(number, marshal.loads(request)))
        try:  # a new check: execute the submission afresh
            self.registers = Registers(self.submission, self.submission.fresh())
        except BaseException as error:
            return encode_error(error, self.submission.files, [])
        notes = ",".join(map(encode_text, self.submission.notes[:50]))
        return f'"v",["l"{"," + notes if notes else ""}]'

    def observe(self, request_id: int, programs: tuple[Any, ...], limits: tuple[Any, ...]) -> None:
        """Run whole programs, one after the other; two frames for each as it is done.

        Each comes compiled, or as its requests; these are asked for where the compiled one is of
        no use."""
        self.alarm = self.alarm or Alarm()
        streams = sys.stdout, sys.stderr
        for index, ((code, blob), seconds) in enumerate(zip(programs, limits, strict=True)):
            sink = Sink(self.kept, 256 * self.kept)
            sys.stdout = sys.stderr = io.TextIOWrapper(
                sink, "utf-8", "backslashreplace", write_through=True
            )
            bodies: list[str] = []
            status = "done"
            try:
                self.alarm(seconds)
                try:
                    registers = Registers(self.submission, self.submission.fresh())
                    if index == 0:  # what goes wrong from here on is a check's, not the file's
                        self.pipe.write(f'[{request_id},"loaded"]')
                    if not (code and run_compiled(registers, marshal.loads(code), bodies)):
                        if code:
                            left = self.alarm(0)  # which must not ring half-way through a frame
                            self.pipe.write(f'[{request_id},{index},"again"]')
                            blob = self.pipe.read()
                            self.alarm(left)
                            sink.text.clear()
                            registers = Registers(self.submission, self.submission.fresh())
                        run_program(registers, marshal.loads(blob), bodies)
                finally:
                    self.alarm(0)
            except TimeUp:
                status = "time"
            except Flood:
                status = "flood"
            except BaseException as error:  # while executing the file: nothing else raises here
                status = "unloadable"
                bodies = ["[" + encode_error(error, self.submission.files, []) + "]"]
            sys.stdout, sys.stderr = streams
            notes = ",".join(map(encode_text, self.submission.notes[:50]))
            text = encode_text(sink.text.decode("utf-8", "backslashreplace"))
            self.pipe.write(f'[{request_id},{index},"{status}",[{notes}],{text}]')
            self.pipe.write("[" + ",".join(bodies) + "]")


def run_compiled(registers: Registers, code: Any, bodies: list[str]) -> bool:
    """Run a whole program as compiled code. False, and no bodies, where something unusual
    happened: then it has to be run again, request by request, in a fresh module."""
    program = FunctionType(code, {"__builtins__": vars(builtins)})
    lent = [getattr(registers, f"do_{name}") for name in LENT]
    try:
        results = program(registers.objects[SUBMISSION].__dict__, *lent)
    except (TimeUp, Flood):
        raise
    except BaseException:
        return False
    first = registers.numbers.setdefault
    written = []
    numpy = sys.modules.get("numpy")
    arrays = (numpy.ndarray, numpy.generic) if numpy is not None else ()
    objects = set()  # the types that go by reference, by id
    for number, result in enumerate(results, 1):
        kind = type(result)
        if id(kind) in objects:
            same = first(id(result), number)
            written.append('["o"]' if same == number else f'["o",{same}]')
        elif kind is float and result - result == 0.0:
            written.append(f'["v",{result!r}]')
        elif result is None or id(kind) in IMMUTABLE:
            try:
                written.append(f'["v",{encode(result)}]')
            except TooLarge:
                return False
        elif id(kind) in CONTAINERS or issubclass(kind, arrays):
            return False  # what it held at the time is not known any more
        else:
            objects.add(id(kind))
            written.append(f"[{by_reference(registers.numbers, result, number)}]")
    bodies.extend(written)
    return True


IMMUTABLE = (id(float), id(int), id(bool), id(str))
LENT = ("invoke", "define", "isinstance", "type_name", "convert", "operator")


def run_program(registers: Registers, requests: tuple[Any, ...], bodies: list[str]) -> None:
    run = registers.run
    try:
        for number, request in enumerate(requests, 1):
            bodies.append("[" + run(number, request) + "]")
    except MissingRegister:  # an earlier answer was another than the solution's
        pass


def serve() -> None:
    """Be a worker. A warm parent has executed this file before it forks, and then calls this."""
    Conversation().serve()


if __name__ == "__main__":
    serve()
