"""Exercise 01: trace a gradient on paper.

README.md beside this file is the lesson. Take paper, work out every number by hand, write it in
place of its TODO, then run

    python -m grader -e 01_by_hand

A blank may hold a number, or a formula that uses the blanks above it: `d = c + 3` is as good as
the number. The two functions at the end do the same work for any numbers.
"""


class Blank:
    """A number that is not worked out yet. A formula with a blank in it is a blank, too."""

    def _blank(self, *_):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _blank
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = _blank

    def __float__(self):
        raise NotImplementedError("a blank: put the number from your paper in place of TODO")


TODO = Blank()


# ---- Part 1:  L = (a*b + 3)**2  at a = 2, b = -1 ----------------------------------------------
#
#   a ──┐
#       ├─ * ── c ── +3 ── d ── **2 ── L
#   b ──┘

a = 2
b = -1

# forward, from left to right
c = TODO  # a * b
d = TODO  # c + 3
L = TODO  # d ** 2

# backward, from right to left: how fast L changes when ... does
dL_dd = TODO
dL_dc = TODO
dL_da = TODO
dL_db = TODO


# ---- Part 2, a diamond:  p = x*x;  q = p + 1;  r = 3*p;  y = q*r  at x = 3 ----------------------
#
#                ┌─ +1 ── q ─┐
#   x ── x*x ── p            ├─ * ── y
#                └─ *3 ── r ─┘

x = 3

# forward
p = TODO
q = TODO
r = TODO
y = TODO

# backward
dy_dq = TODO
dy_dr = TODO
dy_dp = TODO  # p feeds q and r
dy_dx = TODO  # x stands on both sides of x*x


# ---- Part 3: the same for any numbers ----------------------------------------------------------


def gradients_of_loss(a, b):
    """The pair (dL_da, dL_db) of part 1 for any numbers a and b, in plain arithmetic.

    gradients_of_loss(1, 2) == (20, 10)
    """
    raise NotImplementedError("TODO: gradients_of_loss returns (dL_da, dL_db)")


def gradient_of_y(x):
    """The number dy_dx of part 2 for any number x, in plain arithmetic.

    gradient_of_y(1) == 18
    """
    raise NotImplementedError("TODO: gradient_of_y returns dy_dx")
