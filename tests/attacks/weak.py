"""One wall of the trusted side taken down at a time, to see that its attacks then succeed."""

import json
import math


def ids(session):
    """Request ids that anybody can guess, and replies written ahead are welcome."""
    from grader import link
    from grader.sandbox.process import WorkerProcess

    link.secrets = type("Guessed", (), {"randbits": staticmethod(lambda bits: 0)})
    WorkerProcess.pending = lambda self: False


def stages(session):
    """One worker is told everything at once, as before public checks went first."""
    from grader import session as module

    module._by_visibility = lambda checks: (list(checks), [])


def unescaped(session):
    """Text of a submission is shown as it is."""
    from grader.report import score_file, terminal, text

    def plain(value, limit=4000):
        return value[:limit]

    for module in (score_file, terminal, text):
        module.plain = plain
    terminal.one_line = lambda value, limit=200: plain(value, limit)
    text.cell = plain


def outspoken(session):
    """A student reads all messages."""
    from grader.report import score_file, terminal

    kept = score_file._check

    score_file._check = lambda result, student: kept(result, False)
    show = terminal.show
    terminal.show = lambda *a, **k: show(*a, **{**k, "student": False})


def patient(session):
    """No deadline on the trusted side."""
    from grader import link

    link._PATIENCE = 1000.0
    session.plans = dict(session.plans)
    link.Link._clock = lambda self, seconds: link.Deadline(1000.0)
    kept = link.Link.__init__

    def init(self, *arguments, **keywords):
        kept(self, *arguments, **keywords)
        self.total_seconds = 1000.0

    link.Link.__init__ = init


def _decoding(loads):
    from grader import link, observation, protocol

    for module in (link, observation, protocol):
        module.decode_json = loads


def blame_the_suite():
    """The second wall before a forced fault: that a suite stumbles is laid to the answer."""
    from grader import session as sessions

    sessions._ODD_ANSWERS.clear()


def trusting(session):
    """Replies are decoded as Python's own json does it, and no shape is checked."""
    from grader import link, observation, protocol

    blame_the_suite()

    class Anything(protocol.Raised):
        pass

    def body(raw, number):
        tag = raw[0]
        if tag == "v":
            return protocol.Plain(raw[1])
        if tag == "o":
            return protocol.Object(raw[1])
        kind, bases, message, frames, names = raw[1:6]
        return protocol.Raised(
            kind, tuple(bases), message, tuple(protocol.Frame(*f) for f in frames), tuple(names)
        )

    _decoding(lambda payload: json.loads(payload))
    link.MAX_REPLY_BYTES = math.inf
    for module in (link, observation, protocol):
        module.decode_body = body


def collisions(session):
    """Any number of keys, whatever their hash."""
    from grader import protocol

    protocol.MAX_ODD_KEYS = math.inf


def believing(session):
    """A proxy hands on whatever a conversion gave."""
    from grader import proxy

    blame_the_suite()

    proxy._ask_for = lambda kind, target, op, *arguments: proxy._ask(target, op, *arguments)
    proxy.Proxy.__float__ = lambda self: float(proxy._ask(self, "convert", "float", self))
    proxy.Proxy.__len__ = lambda self: int(proxy._ask(self, "len", self))
    proxy.Proxy.__str__ = lambda self: str(proxy._ask(self, "convert", "str", self))


def hoarding(session):
    """Replies of any size and number are kept."""
    from grader import link, protocol

    for module in (link, protocol):
        module.MAX_REPLY_BYTES = math.inf
    link._KEPT = math.inf
    protocol.MAX_ITEMS = math.inf


def unbounded_output(session):
    """What a worker prints is kept whole."""
    from grader.sandbox import process

    kept = process.WorkerProcess.__init__

    def init(self, *arguments, **keywords):
        kept(self, *arguments, **keywords)
        self._output_limit = 10**12

    process.WorkerProcess.__init__ = init


WEAKNESSES = {
    name: item
    for name, item in list(globals().items())
    if callable(item) and not name.startswith("_")
}
