"""b is -1, and 2 * -1 is -2. With the minus sign lost in the forward pass, c, d and L are other
numbers, and every slope that uses one of them is, too: do the forward pass again, with signs."""


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
c = 2
d = 5
L = 25

# backward, from right to left: how fast L changes when ... does
dL_dd = 10
dL_dc = 10
dL_da = 10
dL_db = 20


# ---- Part 2, a diamond:  p = x*x;  q = p + 1;  r = 3*p;  y = q*r  at x = 3 ----------------------
#
#                ┌─ +1 ── q ─┐
#   x ── x*x ── p            ├─ * ── y
#                └─ *3 ── r ─┘

x = 3

# forward
p = 9
q = 10
r = 27
y = 270

# backward
dy_dq = 27  # slope of q*r by q is r
dy_dr = 10  # slope of q*r by r is q
dy_dp = 57  # p feeds q and r: 1 * 27 by way of q, and 3 * 10 by way of r
dy_dx = 342  # x stands on both sides of x*x: 3 * 57, and 3 * 57 again


# ---- Part 3: the same for any numbers ----------------------------------------------------------


def gradients_of_loss(a, b):
    """The pair (dL_da, dL_db) of part 1 for any numbers a and b, in plain arithmetic.

    gradients_of_loss(1, 2) == (20, 10)
    """
    d = abs(a * b) + 3
    dL_dd = 2 * d
    dL_dc = dL_dd
    return abs(b) * dL_dc, a * dL_dc


def gradient_of_y(x):
    """The number dy_dx of part 2 for any number x, in plain arithmetic.

    gradient_of_y(1) == 18
    """
    p = x * x
    q, r = p + 1, 3 * p
    dy_dq, dy_dr = r, q
    dy_dp = 1 * dy_dq + 3 * dy_dr
    return x * dy_dp + x * dy_dp
