"""One answer to one exercise while it is graded: what was asked, observed and found so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.course import Exercise
from grader.host import LiveChannel, live
from grader.link import Link
from grader.memo import Judgement
from grader.observation import Diverged, Observation, ReplayChannel, signature
from grader.protocol import Reply
from grader.proxy import Conversation
from grader.recording import Program, Recording
from grader.result import Check, CheckResult, Outcome


@dataclass(frozen=True)
class Plan:
    """What an exercise asks of every answer to it."""

    exercise: Exercise
    checks: tuple[Check, ...]
    programs: Mapping[str, Program]  # by check id; a check without one is run live
    key: str
    arrays: bool  # whether its checks send any; True where that is not known

    @classmethod
    def of(cls, exercise: Exercise, recording: Recording) -> Plan:
        programs = recording.programs
        unknown = any(check.id not in programs for check in recording.checks)
        arrays = unknown or any(program.sends_arrays for program in programs.values())
        return cls(exercise, recording.checks, programs, recording.key, arrays)

    def seconds(self, check: Check) -> float:
        return check.seconds or self.exercise.limits.seconds


@dataclass
class Attempt:
    """One answer to one exercise while it is graded: the host of its checks (`plugin.Host`)."""

    plan: Plan
    link: Link
    observations: dict[str, Observation] = field(default_factory=dict)
    results: dict[str, CheckResult] = field(default_factory=dict)
    diverged: set[str] = field(default_factory=set)
    live: dict[str, LiveChannel] = field(default_factory=dict)
    retried: dict[str, Program] = field(default_factory=dict)  # by another style's program
    _check: Check | None = None
    _waited: float = 0.0

    def begin(self, check: Check) -> Conversation:
        self._check = check
        observation = self.observations.get(check.id)
        if observation is not None:
            program = self.program(check)
            return Conversation(_Watched(ReplayChannel(program, observation), check, self.diverged))
        self._waited = self.link.waited
        channel = self.live[check.id] = live(self.link, self.plan.seconds(check))
        return Conversation(channel)

    def end(self) -> tuple[float, str]:
        observation = self.observations.get(self._check.id) if self._check else None
        if observation is not None:
            return observation.seconds, observation.output
        return self.link.waited - self._waited, self.link.take_output()

    def take(self, check: Check, judgement: Judgement) -> None:
        """Take a judgement on what a check observed as its result; or leave the check open, where
        it has to be asked in another way."""
        outcome, message, signature = judgement
        observation = self.observations[check.id]
        if outcome is None:
            self.diverged.add(check.id)
        if outcome is None or (check.id in self.retried and outcome is not Outcome.PASSED):
            del self.observations[check.id]
            return
        self.results[check.id] = CheckResult(
            check,
            outcome,
            message,
            observation.output,
            observation.seconds,
            signature=signature,
        )

    def signature(self, result: CheckResult) -> str:
        """The signature of what the check observed; "" where it passed."""
        check = result.check.id
        if result.outcome in (Outcome.PASSED, Outcome.TODO):
            return ""
        if check in self.observations:
            return self.observations[check].signature()
        return signature(self.live[check].replies) if check in self.live else ""

    def asked(self, check: Check) -> tuple[bytes, ...]:
        """All requests of a check; none where it was never begun."""
        if check.id in self.live:
            return tuple(self.live[check.id].requests)
        return self.program(check).requests if check.id in self.observations else ()

    def program(self, check: Check) -> Program:
        """The recorded program that the check's observation comes from."""
        return self.retried.get(check.id) or self.plan.programs[check.id]

    def open(self, checks: Sequence[Check]) -> list[Check]:
        """Those that have no result yet."""
        return [check for check in checks if check.id not in self.results]


@dataclass(frozen=True)
class _Watched:
    """A replay that remembers which check left it."""

    channel: ReplayChannel
    check: Check
    diverged: set[str]

    def exchange(self, number: int, request: bytes) -> Reply:
        try:
            return self.channel.exchange(number, request)
        except Diverged:
            self.diverged.add(self.check.id)
            raise
