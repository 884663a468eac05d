"""Draw the score of two positions twice: through a query and a key, and through one merged matrix."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch
from style import BLUE, GREEN, INK, ORANGE, save

TOP, MIDDLE, BOTTOM = 2.4, 1.2, 0.0

figure, axes = plt.subplots(figsize=(8.2, 3.1))


def box(x, y, text, colour, width=1.05, height=0.72):
    corner = (x - width / 2, y - height / 2)
    patch = FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=0.08")
    patch.set(facecolor="white", edgecolor=colour, linewidth=1.8, zorder=3)
    axes.add_patch(patch)
    axes.text(x, y, text, ha="center", va="center", zorder=4)


def arrow(start, end, length="", beside=(0.0, 0.14)):
    """An arrow, with the length of the vector that travels along it."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.4})
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    place = (middle[0] + beside[0], middle[1] + beside[1])
    axes.text(*place, length, ha="center", va="bottom", fontsize=10)


for y, name, weights, colour in (
    (TOP, "$L[t_1]$", "$W^Q$", BLUE),
    (BOTTOM, "$L[t_2]$", "$W^K$", ORANGE),
):
    box(0, y, name, INK)
    box(1.95, y, weights, colour)
    arrow((0.53, y), (1.42, y), "$J$")
    slope = 1 if y == TOP else -1
    arrow((2.48, y), (3.62, MIDDLE + slope * 0.42), "$I$")
box(4.15, MIDDLE, r"$\langle\,,\rangle\,/\sqrt{I}$", INK, width=1.5, height=0.84)
arrow((4.9, MIDDLE), (5.5, MIDDLE))
axes.text(5.55, MIDDLE, "score", ha="left", va="center")

RIGHT = 8.0
box(RIGHT, TOP, "$L[t_1]$", INK)
box(RIGHT, BOTTOM, "$L[t_2]$", INK)
box(RIGHT + 1.6, MIDDLE, r"$\tilde{W}^Q$ ?", GREEN, width=1.2, height=1.2)
arrow((RIGHT + 0.53, TOP), (RIGHT + 1.3, MIDDLE + 0.6), "$J$")
arrow((RIGHT + 0.53, BOTTOM), (RIGHT + 1.3, MIDDLE - 0.6), "$J$", beside=(0.1, -0.42))
arrow((RIGHT + 2.2, MIDDLE), (RIGHT + 2.8, MIDDLE))
axes.text(RIGHT + 2.85, MIDDLE, "score", ha="left", va="center")
axes.text(6.95, MIDDLE, "=", ha="center", va="center", fontsize=18)

axes.set(xlim=(-0.7, RIGHT + 3.7), ylim=(-0.5, TOP + 0.5), aspect="equal")
axes.axis("off")
save(figure, __file__)
