"""Attacks on this grader's own design: on the wire, on the worker's workings, on the language that
both sides share, on the walls, and on what a student reads."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Attack:
    """`kind` is the finding that would be success; `control` is where it does succeed."""

    kind: str
    control: str | None  # unsafe, rpc, or weak:NAME; None: nothing to show (`why`)
    source: str
    honest: int = 0  # points that the honest part of it earns
    why: str = ""


WRONG = '''
class Value:
    def __init__(self, data, *a):
        self.data = data
        self.grad = 0.0

    def _bad(self, *a):
        return Value(-12345.0)

    __add__ = __radd__ = __mul__ = __rmul__ = __pow__ = tanh = _bad

    def backward(self):
        pass


def each(function):
    """Have every operation do this instead."""
    for name in "__add__ __radd__ __mul__ __rmul__ __pow__ tanh".split():
        setattr(Value, name, function)
'''

# what a submission can find of the worker around it
INSIDE = (
    WRONG
    + '''
import json, marshal, os, sys, time


def frames():
    found = sys._getframe()
    while found is not None:
        yield found
        found = found.f_back


SERVES = next(f for f in frames() if hasattr(f.f_locals.get("self"), "pipe"))
TALK, WORKER = SERVES.f_locals["self"], SERVES.f_globals
PIPE = TALK.pipe.replies
SEEN = next((f.f_locals for f in frames() if "programs" in f.f_locals), {"programs": (), "request_id": 0})
PROGRAMS = SEEN["programs"]
ID = SEEN["request_id"]


def put(value):
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    raw = len(raw).to_bytes(4, "big") + raw
    while raw:
        raw = raw[os.write(PIPE, raw) :]


def requests(ident, index, program):
    """What a program asks: sent in place of its code to whoever says that this is of no use."""
    code, blob = program
    if code:
        put([ident, index, "again"])
        blob = TALK.pipe.read()
    return marshal.loads(blob)


def bodies(asked, value, read=("getattr", "convert", "len")):
    """Replies that fit what is asked: objects, but what is read by value is `value`."""
    return [["v", value] if request[0] in read else ["o"] for request in asked]


def answer_all(ident, value, programs=None):
    put([ident, "loaded"])
    for index, program in enumerate(programs or PROGRAMS):
        made = bodies(requests(ident, index, program), value)
        put([ident, index, "done", [], ""])
        put(made)


def asked():
    """What can be read of all programs before any has been run."""
    return [marshal.loads(c).co_consts if c else marshal.loads(b) for c, b in PROGRAMS]
'''
)

ALL: dict[str, Attack] = {}


def add(name, kind, control, source, honest=0, why=""):
    ALL[name] = Attack(kind, control, source, honest, why)


def wire(name, kind, control, source, honest=0, why=""):
    add(name, kind, control, INSIDE + source, honest, why)


def plain(name, kind, control, source, honest=0, why=""):
    add(name, kind, control, WRONG + source, honest, why)


# ---- the wire -------------------------------------------------------------------------------------

wire("ids_guessed", "score", "weak:ids", "answer_all(0, 4.0)\nos._exit(0)\n")
wire("ids_as_text", "score", None, "answer_all('0', 4.0)\nanswer_all(0, 4.0)\nos._exit(0)\n")
wire("answers_for_itself", "score", None, "answer_all(ID, 4.0)\nos._exit(0)\n", honest=2,
     why="a submission may say what it likes, if it is right: two public answers are known")
wire("answers_nan", "score", None, "answer_all(ID, ['n', 'nan'])\nos._exit(0)\n",
     why="the suite's comparison refuses it; shared attack nan_reply shows one that does not")
wire("answers_bool", "score", None, "answer_all(ID, True)\nos._exit(0)\n",
     why="True is 1 and no check expects 1")
for name, reply in {
    "reply_no_json": "b'junk'",
    "reply_empty": "b''",
    "reply_object": "b'{}'",
    "reply_number": "b'7'",
    "reply_constants": "b'[[\"v\", NaN], [\"v\", Infinity]]'",
    "reply_overflow": "b'[[\"v\", 1e999]]'",
    "reply_wide_int": "b'[[\"v\",' + b'9' * 100_000 + b']]'",
    "reply_unknown_tag": "b'[[\"x\", 1]]'",
    "reply_bodies_of_null": "b'[' + b'null,' * 20 + b'null]'",
    "reply_future_register": "b'[' + b'[\"o\",999999],' * 20 + b'[\"o\",-1]]'",
    "reply_bool_register": "b'[' + b'[\"o\",true],' * 20 + b'[\"o\",false]]'",
    "reply_pickle": "b'cos\\nsystem\\n(Vtouch $HOME/PICKLE_RCE\\ntR.'",
    "reply_frames_of_junk": "b'[[\"e\",\"E\",[],\"\",[[1,2,3]],[]]]'",
    "reply_array_too_big": "b'[[\"v\",[\"a\",\"<f8\",[4294967296,4294967296,0],\"\"]]]'",
    "reply_array_of_objects": "b'[[\"v\",[\"a\",\"|O8\",[1],\"AAAAAAAAAAA=\"]]]'",
    "reply_lone_surrogate": "b'[[\"v\",\"\\\\ud800\"]]'",
    "reply_unhashable_key": "b'[[\"v\",[\"d\",[\"l\"],1]]]'",
}.items():
    wire(name, "fault", "weak:trusting", f"""
for n in range(len(PROGRAMS)):
    if n == 0:
        put([ID, "loaded"])
    put([ID, n, "done", [], ""])
    put({reply})
os._exit(0)
""")  # fmt: skip
wire("reply_nested", "fault", "weak:trusting", """
deep = b'[["v",' + b'["l",' * 90_000 + b'1' + b']' * 90_000 + b']]'
put([ID, "loaded"]); put([ID, 0, "done", [], ""]); put(deep); os._exit(0)
""")
wire("reply_many_parts", "hang", "weak:hoarding", """
put([ID, "loaded"]); put([ID, 0, "done", [], ""])
put(b'[["v",["l",' + b'[[],[]],' * 1_400_000 + b'1]]]'); os._exit(0)
""")
wire("reply_hash_collisions", "hang", "weak:collisions", """
keys = ",".join(f'["i","{(2**61 - 1) * n + 7:x}"]' for n in range(40, 40_000))
for n in range(len(PROGRAMS)):
    if n == 0:
        put([ID, "loaded"])
    put([ID, n, "done", [], ""])
    put(b'[["v",["s",' + keys.encode() + b']]]')
os._exit(0)
""")
wire("reply_8mb_each", "memory", "weak:hoarding", """
put([ID, "loaded"])
big = b'[' + b'["v","' + b'x' * 30_000_000 + b'"]]'
for n in range(len(PROGRAMS)):
    put([ID, n, "done", [], ""]); put(big)
os._exit(0)
""")
wire("heading_with_huge_output", "memory", None, """
put([ID, "loaded"])
for n in range(len(PROGRAMS)):
    put([ID, n, "done", [], "x" * 60_000_000]); put(b'[]')
os._exit(0)
""")
wire("heading_unknown_status", "score", None, """
put([ID, "loaded"])
for n in range(len(PROGRAMS)):
    answers = bodies(requests(ID, n, PROGRAMS[n]), 4.0)
    put([ID, n, "passed", [], ""]); put(answers)
os._exit(0)
""", why="an invented status ends the worker")
wire("heading_out_of_order", "score", None, """
put([ID, "loaded"])
put([ID, 1, "done", [], ""]); put([["o"], ["v", 4.0]]); os._exit(0)
""", why="an observation for another check ends the worker")
wire("again_for_ever", "hang", None, """
put([ID, "loaded"])
while True:
    put([ID, 0, "again"]); time.sleep(0.1)
""", why="a program is sent again only once; again_never_read is the control")
wire("again_never_read", "hang", "weak:patient", """
put([ID, "loaded"]); put([ID, 0, "again"])
while True: time.sleep(1)
""")
wire("again_out_of_turn", "score", None, """
put([ID, "loaded"]); put([ID, len(PROGRAMS) - 1, "again"]); TALK.pipe.read(); os._exit(0)
""", why="only the program that is due is sent again; ids_guessed is the control")
wire("notes_of_junk", "fault", "weak:trusting", """
put([ID, "loaded"]); put([ID, 0, "done", [None, [], {}], ""]); put(b'[[7]]'); os._exit(0)
""")
wire("notes_with_escapes", "escape", "weak:unescaped", """
put([ID, "loaded"])
for n in range(len(PROGRAMS)):
    put([ID, n, "done", ["\\x1b[2J\\x1b]0;x\\x07"] * 50, "\\x1b[2J"]); put(b'[]')
""")
wire("loaded_for_ever", "hang", "weak:patient", "while True: put([ID, 'loaded']); time.sleep(0.3)\n")
wire("trickle", "hang", "weak:patient", """
os.write(PIPE, (1000).to_bytes(4, "big"))
while True:
    os.write(PIPE, b" "); time.sleep(0.2)
""")
wire("length_4gb", "hang", None, "os.write(PIPE, b'\\xff' * 4)\nwhile True: time.sleep(1)\n")
wire("flood_of_frames", "memory", None, "while True: os.write(PIPE, b'\\0' * 65536)\n",
     why="unasked bytes are not read; shared attack rpc_flood_replies shows a reader that does")
wire("requests_read_by_another", "hang", "weak:patient", """
import threading
threading.Thread(target=lambda: [os.read(TALK.pipe.requests, 65536) for _ in iter(int, 1)], daemon=True).start()
each(lambda self, *a: time.sleep(9))
""")
wire("both_ends_closed", "hang", "weak:patient", """
os.dup2(os.open("/dev/null", os.O_RDONLY), 1)
each(lambda self, *a: time.sleep(9))
def hold(*a): time.sleep(9)
TALK.pipe.write = hold
""")
wire("thread_answers_late", "score", None, """
import threading
def spam():
    while True:
        for n in range(9):
            put([ID, n, "done", [], ""]); put([["v", 4.0]] * 9)
        time.sleep(0.01)
each(lambda self, *a: Value(4.0))
threading.Thread(target=spam, daemon=True).start()
""", honest=2, why="frames out of turn end the worker; ids_guessed is the control")
wire("thread_survives_checks", "score", None, """
import threading
def later():
    time.sleep(0.2); TALK.pipe.write("[0]")
threading.Thread(target=later, daemon=True).start()
""", why="as above")

# ---- the worker's own globals and functions -------------------------------------------------------

for name, line in {
    "encode_answers_4": "WORKER['encode'] = lambda value, depth=0: '4.0'",
    "registers_all_one": "WORKER['Registers'].run = lambda self, number, request: '\"v\",4.0'",
    "ops_emptied": "WORKER['OPS'].clear()",
    "ops_answer_4": "WORKER['OPS'].update({k: (lambda *a: 4.0) for k in WORKER['OPS']})",
    "operators_answer_4": "WORKER['OPERATORS'].update({k: (lambda *a: Value(4.0)) for k in WORKER['OPERATORS']})",
    "compiled_answers_4": "WORKER['run_compiled'] = lambda r, c, b: b.extend(['[\"v\",4.0]'] * 40) or True",
    "program_answers_4": "WORKER['run_program'] = lambda r, q, b: b.extend(['[\"v\",4.0]'] * 40)",
    "immutable_grows": "WORKER['IMMUTABLE'] = (id(object), id(Value))",
    "plain_by_another_name": "WORKER['CONTAINERS'][id(Value)] = '\"l\"'",
}.items():
    wire(name, "score", None, f"each(lambda self, *a: Value(4.0))\n{line}\n", honest=2,
         why="all that it can change is what it says itself; fault and points are looked at")
wire("alarm_disarmed", "hang", "weak:patient", """
TALK.alarm._set = lambda seconds: 0.0
import signal
signal.signal(signal.SIGALRM, signal.SIG_IGN)
each(lambda self, *a: [None for _ in iter(int, 1)])
""")
wire("time_up_swallowed", "hang", "weak:patient", """
def op(self, *a):
    while True:
        try:
            while True: pass
        except BaseException:
            pass
each(op)
""")
wire("sink_unbounded", "memory", "weak:unbounded_output", """
each(lambda self, *a: [os.write(2, b"A" * 65536) for _ in range(400)] and Value(1.0))
""")
wire("sink_claims_more", "flood", None, """
WORKER["Sink"].write = lambda self, data: self.text.extend(b"B" * 3_000_000) or len(data)
each(lambda self, *a: print("x"))
""", why="the trusted side cuts what the heading brings; heading_with_huge_output is the control")
wire("exit_from_registers", "stopped", None, """
WORKER["Registers"].run = lambda *a: os._exit(0)
WORKER["run_compiled"] = lambda *a: os._exit(0)
""", why="os_exit_0_import is the control")
wire("memory_error_forged", "fault", None, """
put([ID, "loaded"]); put([ID, 0, "done", [], ""])
put(b'[["e","MemoryError",["MemoryError"],"x",[],[]],7]'); put(b'[["e"]]'); os._exit(0)
""", why="")
for name, base in {
    "raises_stopiteration": "StopIteration", "raises_generatorexit": "GeneratorExit",
    "raises_keyboardinterrupt": "KeyboardInterrupt", "raises_assertionerror": "AssertionError",
    "raises_systemexit": "SystemExit",
}.items():
    plain(name, "score", None, f"def op(self, *a): raise {base}('8 passed')\neach(op)\n",
          why="raise_skip and raise_xfail are the controls")

# ---- what Python lets a class say -----------------------------------------------------------------

for name, source in {
    "metaclass_lies_about_identity": """
class Meta(type):
    __eq__ = lambda c, o: True
    __hash__ = lambda c: 0
    __instancecheck__ = __subclasscheck__ = lambda c, o: True
class Value(metaclass=Meta):
    __class__ = float
    def __init__(self, *a): pass
    __eq__ = lambda s, o: True
    __hash__ = lambda s: hash(4.0)
    data = grad = left = property(lambda s: s)
    __add__ = __radd__ = __mul__ = __rmul__ = __pow__ = tanh = lambda s, *o: s
    def backward(self): pass
""",
    "index_lies": "class I(int):\n    __index__ = __int__ = __float__ = lambda s: 4\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\neach(lambda self, *a: Value(I(-1)))\n",
    "str_equals_all": "class S(str):\n    __eq__ = lambda s, o: True\n    __hash__ = str.__hash__\neach(lambda self, *a: Value(S('x')))\nValue.__str__ = lambda s: S('x')\nValue.__len__ = lambda s: 3\n",
    "reflected_compare": "class R:\n    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = lambda s, o: True\n    __hash__ = None\neach(lambda self, *a: Value(R()))\n",
    "list_subclass": "class L(list):\n    __eq__ = lambda s, o: True\neach(lambda self, *a: Value(L([1])))\n",
    "complex_numbers": "each(lambda self, *a: Value(4 + 0j))\n",
    "decimal_context": "import decimal\ndecimal.getcontext().prec = 1\neach(lambda self, *a: Value(decimal.Decimal(4)))\n",
    "descriptor_per_read": "class D:\n    n = 0\n    def __get__(self, o, t=None):\n        D.n += 1\n        return float(D.n)\n    def __set__(self, o, v): pass\nValue.data = D()\n",
    "id_reuse": "each(lambda self, *a: Value(object()))\nValue.left = property(lambda s: object())\n",
    "resurrected_by_del": "kept = []\nValue.__del__ = lambda s: kept.append(s)\neach(lambda self, *a: Value(kept[-1].data if kept else 0.0))\n",
    "gc_callback": "import gc\ngc.callbacks.append(lambda *a: 1 / 0)\ngc.set_threshold(1)\n",
    "generator_for_ever": "def go():\n    while True: yield Value(1.0)\nValue.__iter__ = lambda s: go()\neach(lambda self, *a: go())\n",
    "len_negative": "Value.__len__ = lambda s: -1\neach(lambda s, *a: s)\n",
    "operator_poisoned": "import operator, _operator, builtins\nfor m in (operator, _operator):\n    for n in dir(m):\n        if not n.startswith('__'):\n            setattr(m, n, lambda *a: 4.0)\n",
    "json_poisoned": "import _json, marshal\n_json.encode_basestring_ascii = lambda s: '4.0'\nmarshal.loads = lambda b: (0, None, ())\n",
    "modules_emptied": "import sys\nsys.modules.clear()\n",
    "modules_lie": "import sys, types\nclass M(types.ModuleType):\n    __getattr__ = lambda s, n: M(n)\n    __call__ = lambda s, *a: 4.0\nfor n in list(sys.modules):\n    sys.modules[n] = M(n)\n",
    "builtins_gone": "import builtins\nfor n in list(vars(builtins)):\n    if n not in ('__build_class__', '__import__', 'BaseException'):\n        delattr(builtins, n)\n",
    "main_replaced": "import sys, types\nsys.modules['__main__'] = types.ModuleType('x')\nsys.modules['value'] = None\n",
    "settrace": "import sys\nsys.settrace(lambda *a: 1 / 0)\nsys.setprofile(lambda *a: None)\n",
    "code_swapped": "import gc, types\nfor f in gc.get_objects():\n    if isinstance(f, types.FunctionType) and f.__name__ in ('encode', 'run', 'answer', 'observe', 'run_compiled'):\n        f.__code__ = (lambda *a, **k: '\"v\",4.0').__code__\n",
    "excepthook": "import sys, os\nsys.excepthook = lambda *a: os._exit(0)\nsys.unraisablehook = sys.excepthook\n1 / 0\n",
    "recursion_limit": "import sys\nsys.setrecursionlimit(10**9)\nsys.set_int_max_str_digits(0)\ndef op(self, *a): return op(self)\neach(op)\n",
    "approx_in_worker": "import pytest\n",
    "ctypes_pokes_ints": "import ctypes\nctypes.memmove(id(-3) + 24, b'\\x04\\0\\0\\0', 4)\n",
}.items():
    (add if name == "metaclass_lies_about_identity" else plain)(
        name, "score", None, source, 0, "eq_always_true and float_subclass_lies are the controls"
    )  # fmt: skip
plain("huge_int_reply", "score", None, "class H:\n    __float__ = lambda s: 1.0\nimport sys\n"
      "each(lambda self, *a: Value(10 ** 4000))\nValue.__len__ = lambda s: 2 ** 80\nValue.__str__ = lambda s: type('T', (str,), {})('x')\n",
      why="giant_int is the control")
wire("len_forged", "fault", "weak:believing", """
put([ID, "loaded"])
for n, p in enumerate(PROGRAMS):
    made = bodies(requests(ID, n, p), "no", ("len", "convert"))
    put([ID, n, "done", [], ""])
    put(made)
os._exit(0)
""")
plain("huge_str", "flood", None, "each(lambda self, *a: Value('x' * 50_000_000))\n",
      why="giant_string is the control")

# ---- what exceptions say --------------------------------------------------------------------------

plain("str_raises", "noreport", "unsafe", "class E(Exception):\n    def __str__(self): import os; os._exit(0)\n    __repr__ = __str__\ndef op(self, *a): raise E()\neach(op)\n")
plain("str_loops", "hang", "unsafe", "class E(Exception):\n    def __str__(self):\n        while True: pass\n    __repr__ = __str__\ndef op(self, *a): raise E()\neach(op)\n")
plain("message_escapes", "escape", "weak:unescaped", "def op(self, *a): raise ValueError('\\x1b[2J\\x9b31m\\u202e\\x07')\neach(op)\n")
plain("message_commands", "workflow", "weak:unescaped", "def op(self, *a): raise ValueError('\\n::error::x\\n##[group]\\ntext ##vso[task.complete]\\n \\u3000::x')\neach(op)\n")
plain("name_commands", "workflow", "weak:unescaped", "def op(self, *a): raise type('\\n::error::x', (Exception,), {})('=1')\neach(op)\n")
plain("message_formula", "formula", "weak:unescaped", "E = type('=1+1', (Exception,), {})\ndef op(self, *a): raise E('+1')\neach(op)\n")
plain("function_name_commands", "workflow", "weak:unescaped", "def op(self, *a): raise ValueError(1)\nop.__code__ = op.__code__.replace(co_name='x\\n::error::y', co_filename='value.py')\neach(op)\n")
plain("note_commands", "workflow", "weak:unescaped", "def op(self, *a):\n    e = ValueError('x'); e.add_note('\\n::error::note'); raise e\neach(op)\nprint('\\n::error::printed\\n##[x]')\n")
for name, source in {
    "inputs_in_exception_name": "def op(self, *a): raise type('X' + str((self.data, *a)), (Exception,), {})()\neach(op)\n",
    "inputs_in_message": "def op(self, *a): raise ValueError(self.data, a)\neach(op)\n",
    "inputs_in_output": "def op(self, *a):\n    print(self.data, a)\n    return self\neach(op)\n",
    "inputs_in_missing_name": "def op(self, *a): return type('V', (), {'n' + str(self.data): 1})()\neach(op)\n",
    "inputs_in_todo": "def op(self, *a): raise NotImplementedError(f'TODO {self.data}')\neach(op)\n",
}.items():
    plain(name, "inputs", "weak:outspoken", source)
for name, source in {
    "programs_in_public_output": "print(asked())\n",
    "programs_in_public_message": "def op(self, *a): raise ValueError(asked()[2:])\neach(op)\n",
    "programs_in_exit_status": "raise ValueError(str(asked()[2:]))\n",
    "programs_in_notes": "TALK.submission.notes.extend(map(str, asked()[2:]))\nTALK.submission.__class__._note = None\n",
}.items():
    wire(name, "inputs", "weak:stages", source)
wire("programs_in_frames", "inputs", "weak:stages", """
put([ID, "loaded"])
for n, p in enumerate(PROGRAMS):
    put([ID, n, "done", [str(q) for q in asked()[2:]], str(PROGRAMS)]); put(b'[]')
""")
wire("programs_kept_for_later", "inputs", None, """
for place in ("/tmp/kept", "/dev/shm/kept", "kept", "/var/tmp/kept", os.environ.get("HOME", "/") + "/kept"):
    try:
        print(open(place).read())
    except OSError:
        pass
    try:
        open(place, "a").write(str(asked()))
    except OSError:
        pass
""", why="each worker has a temporary folder of its own, or none; disk_fill shows writing")

# ---- the walls ------------------------------------------------------------------------------------

for name, kind, source in [
    ("udp_packet", "packet", "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 48123))\n"),
    ("abstract_socket", "packet", "import socket\nsocket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '\\0@ABSTRACT@')\n"),
    ("fork_then_connect", "packet", "import os, socket\nif os.fork() == 0:\n    os.setsid()\n    socket.create_connection(('127.0.0.1', 48123), 1).send(b'x'); os._exit(0)\n"),
    ("exec_other_interpreter", "host", "import subprocess, sys\nprint(subprocess.run([sys.executable or '/usr/bin/python3', '-c', 'print(open(\"@SECRET_FILE@\").read())'], capture_output=True, text=True).stdout)\n"),
    ("exec_in_place", "rc", "import os, sys\nos.execv(sys.executable or '/usr/bin/python3', ['python3', '-c', 'pass'])\n"),
    ("shell_out", "files", "import os\nos.system('echo x >> @ROOT@/out/gradebook.csv')\n"),
    ("writes_by_absolute_path", "files", "open('@ROOT@/out/gradebook.csv', 'a').write('attacker,1,1\\n')\n"),
    ("truncates", "files", "import os\nos.truncate('@ROOT@/out/gradebook.csv', 0)\n"),
    ("chmod_and_utime", "files", "import os\nos.unlink('@ROOT@/out/gradebook.csv')\n"),
    ("renames", "files", "import os\nos.rename('@ROOT@/out/gradebook.csv', '@ROOT@/out/x.csv')\n"),
    ("symlinks_out", "host", "import os\nos.symlink('@SECRET_FILE@', 'innocent')\nprint(open('innocent').read())\n"),
    ("hardlinks_out", "host", "import os\nos.link('@SECRET_FILE@', 'innocent')\nprint(open('innocent').read())\n"),
    ("mmaps_a_host_file", "host", "import mmap\nf = open('@SECRET_FILE@', 'rb')\nprint(mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)[:])\n"),
    ("proc_root", "host", "import glob\nfor p in glob.glob('/proc/[0-9]*/root') + glob.glob('/proc/[0-9]*/cwd'):\n    try: print(open(p + '@SECRET_FILE@').read())\n    except OSError: pass\nprint(open('/proc/self/root@SECRET_FILE@').read())\n"),
    ("inherited_descriptors", "host", "import os\nfor n in range(3, 256):\n    try: print(os.open('@SECRET_FILE@', 0, dir_fd=n) and open('@SECRET_FILE@').read())\n    except OSError: pass\n"),
    ("environ_of_others", "env", "import glob\nfor p in glob.glob('/proc/[0-9]*/environ'):\n    try: print(open(p).read())\n    except OSError: pass\n"),
    ("environ_by_libc", "env", "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.getenv.restype = ctypes.c_char_p\nprint(libc.getenv(b'GRADER_TOKEN'))\n"),
    ("kills_everything", "stopped", "import os, signal\nfor s in (signal.SIGKILL,):\n    try: os.kill(os.getppid(), s)\n    except OSError: pass\n    try: os.kill(-1, s)\n    except OSError: pass\n"),
    ("kills_its_group", "stopped", "import os, signal\nos.killpg(0, signal.SIGKILL)\n"),
    ("stops_itself", "hang", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n"),
    ("stops_its_parent", "stopped", "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(0.1)\n"),
    ("ignores_every_signal", "hang", "import signal\nfor s in range(1, 64):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass\n"),
    ("threads_without_end", "hang", "import threading, time\nfor _ in range(40):\n    try: threading.Thread(target=time.sleep, args=(30,)).start()\n    except RuntimeError: break\n"),
    ("fork_with_setsid", "processes", "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid(); os.closerange(0, 64); time.sleep(30); os._exit(0)\n"),
    ("vfork_by_libc", "processes", "import ctypes, time, os\nif ctypes.CDLL(None).fork() == 0:\n    os.setsid()\n    os.closerange(0, 64)\n    time.sleep(30)\n"),
    ("posix_spawn", "processes", "import os\nos.posix_spawn('/bin/sleep', ['sleep', '30'], {}, file_actions=[(os.POSIX_SPAWN_CLOSE, 1)], setsid=True)\n"),
    ("memory_by_mmap", "memory", "import mmap\nkept = [mmap.mmap(-1, 50 << 20) for _ in range(9)]\nfor m in kept:\n    for i in range(0, len(m), 4096): m[i] = 1\nimport time; time.sleep(0.2)\n"),
    ("memory_by_shm", "memory", "import os, time\nkept = os.memfd_create('x')\nfor _ in range(9): os.write(kept, b'x' * (50 << 20))\nimport mmap\nm = mmap.mmap(kept, 450 << 20)\nsum(m[i] for i in range(0, len(m), 4096))\ntime.sleep(0.2)\n"),
    ("disk_by_many_files", "disk", "for n in range(2000):\n    open(f'f{n}', 'wb').write(b'x' * 12_000)\n"),
    ("disk_by_dev_shm", "disk", "import os\nopen(os.path.join(os.environ.get('TMPDIR', '/dev/shm'), 'x'), 'wb').write(b'x' * (30 << 20))\n"),
    ("inodes", "noreport", "import os\ntry:\n    for n in range(3000): os.mkdir(f'd{n}')\nexcept OSError:\n    pass\nos._exit(0)\n"),
    ("prints_in_chunks", "flood", "import os, sys\nfor _ in range(3000): os.write(2, b'chunk ' * 200); os.write(1, b'chunk ' * 200)\n"),
    ("prints_without_newline", "flood", "import sys\nfor _ in range(400): sys.stdout.write('=' * 10_000)\n"),
]:
    plain(name, kind, "unsafe", source)
for name, source in {
    "netlink": "import socket\ns = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)\nprint('PROCMEM-OPENED')\n",
    "raw_socket": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_STREAM)\nprint('PROCMEM-OPENED')\n",
    "unix_socket": "import socket\nsocket.socket(socket.AF_UNIX).bind('sock')\nprint('PROCMEM-OPENED')\n",
    "ptrace_self": "import ctypes\nif ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0: print('PROCMEM-OPENED')\n",
    "sysv_shared_memory": "import ctypes\nif ctypes.CDLL(None).shmget(0x5eed, 4096, 0o1666) >= 0: print('PROCMEM-OPENED')\n",
    "sysv_messages": "import ctypes\nif ctypes.CDLL(None).msgget(0x5eed, 0o1666) >= 0: print('PROCMEM-OPENED')\n",
    "memfd": "import os\nos.memfd_create('x')\nprint('PROCMEM-OPENED')\n",
    "forks": "import os\nif os.fork() == 0: os._exit(0)\nprint('PROCMEM-OPENED')\n",
    "starts_a_program": "import subprocess\nsubprocess.run(['/bin/true'])\nprint('PROCMEM-OPENED')\n",
    "parent_is_visible": "import os\nif os.getppid() > 1 and os.path.exists(f'/proc/{os.getppid()}/status') and open(f'/proc/{os.getppid()}/status').read(): print('PROCMEM-OPENED')\n",
    "proc_self_mem": "open('/proc/self/mem', 'r+b')\nopen('/proc/1/status')\nprint('PROCMEM-OPENED')\n",
    "raises_its_limits": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)\nprint('PROCMEM-OPENED')\n",
}.items():
    plain(name, "procmem", "unsafe", source)
plain("keyring", "procmem", None, "import ctypes\nif ctypes.CDLL(None).syscall(250, 0, -3, 1) > 0: print('PROCMEM-OPENED')\n",
      why="the control's own container may lack keyrings")
plain("user_namespace", "procmem", None, "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000) == 0: print('PROCMEM-OPENED')\n",
      why="the control's own container may lack the right")

# ---- time -----------------------------------------------------------------------------------------

plain("just_under_each_limit", "hang", "unsafe", "import time\ndef op(self, *a):\n    time.sleep(0.9)\n    return self\neach(op)\n")
plain("sleeps_at_import", "hang", "unsafe", "import time\ntime.sleep(30)\n")
plain("hangs_in_del", "hang", "unsafe", "class D:\n    def __del__(self):\n        while True: pass\neach(lambda self, *a: D() and 1)\n")
plain("hangs_in_str", "hang", "unsafe", "import time\nValue.__repr__ = Value.__str__ = lambda s: time.sleep(30)\neach(lambda self, *a: self)\n")
plain("hangs_at_exit", "hang", "unsafe", "import atexit, time\natexit.register(time.sleep, 30)\n")
plain("regex_backtracks", "hang", "unsafe", "import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')\n")
plain("lock_held", "hang", "unsafe", "import threading\nlock = threading.Lock()\nlock.acquire()\neach(lambda self, *a: lock.acquire())\n")

# ---- where a control would show nothing -----------------------------------------------------------

for _names, _why in {
    "reply_object reply_bodies_of_null reply_future_register reply_bool_register "
    "reply_frames_of_junk": "a decoder that takes them is confused only later; reply_no_json shows it",
    "ids_as_text": "ids_guessed is the control",
    "heading_with_huge_output": "reply_8mb_each is the control",
    "length_4gb": "trickle is the control",
    "memory_error_forged": "reply_no_json is the control",
    "inputs_in_missing_name": "the grader names only what it looked for; inputs_in_message shows it",
    "threads_without_end": "the control ends its process without waiting for threads",
    "unix_socket": "the control's feedback cannot copy a socket",
}.items():
    for _name in _names.split():
        ALL[_name] = replace(ALL[_name], control=None, why=_why)
