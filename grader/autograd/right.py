"""What a right engine has in every node of a graph, from the independent reference."""

from __future__ import annotations

from dataclasses import dataclass

from grader.autograd.observe import refs
from grader.autograd.program import Operand, Program, Ref, Step
from grader.autograd.reference import Dual, KinkError, Reference
from grader.autograd.trace import Trace

MOST_NODES = 150  # the reference takes a pass for each


@dataclass(frozen=True, slots=True)
class Edge:
    """What one operation passes on to one of its operands."""

    by: int  # register of the operation
    place: int  # of the operand in it: 0 or 1
    to: int  # register of the operand
    slope: float  # of the operation, by this operand
    amount: float  # slope times the operation's own right gradient


@dataclass(frozen=True, slots=True)
class Right:
    """By register: data and gradient; and every edge, in the order of the backward pass."""

    data: tuple[float, ...]
    grad: tuple[float, ...]
    edges: tuple[Edge, ...]

    def into(self, register: int) -> list[Edge]:
        """What arrives at a node, in the order of the backward pass."""
        return [edge for edge in self.edges if edge.to == register]

    def out_of(self, register: int) -> list[Edge]:
        """What a node passes on."""
        return [edge for edge in self.edges if edge.by == register]


def right(graph: Trace) -> Right | None:
    """The right numbers; None for a graph that is too large or has a kink."""
    if len(graph.made) > MOST_NODES:
        return None
    program = graph.program
    try:
        reference = Reference(program)
        grad = tuple(reference.slope(program.root, i) for i in range(len(graph.made)))
        edges = []
        for by in reversed(range(len(program.leaves), len(graph.made))):
            for place, to in refs(graph.operands(by)):
                slope = local_slope(graph.op(by), graph.operands(by), reference.registers, place)
                edges.append(Edge(by, place, to, slope, slope * grad[by]))
    except (KinkError, ArithmeticError, ValueError):
        return None
    return Right(reference.registers, grad, tuple(edges))


def local_slope(
    op: str, operands: tuple[Operand, ...], data: tuple[float, ...], place: int
) -> float:
    """How fast the result of one operation moves with the operand at `place` alone."""
    leaves = [Dual(data[o.index]) if isinstance(o, Ref) else Dual(o) for o in operands]
    leaves[place] = Dual(leaves[place].value, 1.0)
    stand_ins = tuple(
        Ref(index) if isinstance(o, Ref) else o for index, o in enumerate(operands)
    )  # each operand apart, so that the two sides of x*x are told apart
    step = Program((), (Step(op, stand_ins, ""),), (), (), "")
    return float(step.run(leaves)[-1].slope)
