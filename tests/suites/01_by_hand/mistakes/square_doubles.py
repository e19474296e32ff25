"""x*x is x times itself: 9 at x = 3. Here it was doubled instead, to 6, which looks the same only at
x = 2."""


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
p = 6
q = 7
r = 18
y = 126

# backward
dy_dq = 18
dy_dr = 7
dy_dp = 39
dy_dx = 78


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
    p = 2 * x
    q, r = p + 1, 3 * p
    dy_dq, dy_dr = r, q
    dy_dp = 1 * dy_dq + 3 * dy_dr
    return 2 * dy_dp
