"""In p = x*x the node x is the left factor and the right factor. It receives for both: x * dy_dp twice,
which makes 2 * x * dy_dp. Here it received once."""


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
c = -2  # a * b
d = 1  # c + 3
L = 1  # d ** 2

# backward, from right to left: how fast L changes when ... does
dL_dd = 2  # slope of d**2 is 2*d = 2; 1 arrives
dL_dc = 2  # slope of c + 3 is 1; 2 arrives
dL_da = -2  # slope of a*b by a is b = -1; 2 arrives
dL_db = 4  # slope of a*b by b is a = 2; 2 arrives


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
dy_dx = 171


# ---- Part 3: the same for any numbers ----------------------------------------------------------


def gradients_of_loss(a, b):
    """The pair (dL_da, dL_db) of part 1 for any numbers a and b, in plain arithmetic.

    gradients_of_loss(1, 2) == (20, 10)
    """
    d = a * b + 3
    dL_dd = 2 * d
    dL_dc = dL_dd
    return b * dL_dc, a * dL_dc


def gradient_of_y(x):
    """The number dy_dx of part 2 for any number x, in plain arithmetic.

    gradient_of_y(1) == 18
    """
    p = x * x
    q, r = p + 1, 3 * p
    dy_dq, dy_dr = r, q
    dy_dp = 1 * dy_dq + 3 * dy_dr
    return x * dy_dp
