"""Draw the two ways to bracket q kᵀ v: through a T by T table, or through a small d by d_v one."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle
from style import BLUE, GREEN, INK, ORANGE, RED, save

T, D, DV = 3.0, 0.75, 1.05  # lengths on paper

figure, rows = plt.subplots(2, 1, figsize=(8.2, 6.4))


def matrix(axes, x, width, height, colour, name, shape):
    axes.add_patch(Rectangle((x, -height / 2), width, height, facecolor=colour, alpha=0.25, edgecolor="none"))
    axes.add_patch(Rectangle((x, -height / 2), width, height, fill=False, edgecolor=colour, linewidth=1.8))
    axes.text(x + width / 2, 0, name, ha="center", va="center", fontsize=13)
    axes.text(x + width / 2, -height / 2 - 0.12, shape, ha="center", va="top", fontsize=10, color=INK)
    return x + width


def sign(axes, x, text, size=15):
    axes.text(x, 0, text, ha="center", va="center", fontsize=size)


def finish(axes, title, right):
    axes.set_title(title, loc="left", fontsize=11)
    axes.set(xlim=(-0.5, right), ylim=(-T / 2 - 0.5, T / 2 + 0.15), aspect="equal")
    axes.axis("off")


top, bottom = rows
end = matrix(top, 0.2, D, T, BLUE, "$q$", r"$T \times d$")
end = matrix(top, end + 0.55, T, D, ORANGE, r"$k^\top$", r"$d \times T$")
sign(top, -0.12, "(", 24)
sign(top, end + 0.25, ")", 24)
end = matrix(top, end + 0.75, DV, T, GREEN, "$v$", r"$T \times d_v$")
sign(top, end + 0.45, "=")
end = matrix(top, end + 0.9, T, T, RED, r"$q\,k^\top$", r"$T \times T$")
end = matrix(top, end + 0.4, DV, T, GREEN, "$v$", r"$T \times d_v$")
finish(top, r"from the left: all pairs of positions", end + 0.3)

width = end + 0.3
end = matrix(bottom, 0.2, D, T, BLUE, "$q$", r"$T \times d$")
sign(bottom, end + 0.3, "(", 24)
end = matrix(bottom, end + 0.55, T, D, ORANGE, r"$k^\top$", r"$d \times T$")
end = matrix(bottom, end + 0.4, DV, T, GREEN, "$v$", r"$T \times d_v$")
sign(bottom, end + 0.25, ")", 24)
sign(bottom, end + 0.75, "=")
end = matrix(bottom, end + 1.2, D, T, BLUE, "$q$", r"$T \times d$")
end = matrix(bottom, end + 0.45, DV, D, RED, r"$k^\top v$", r"$d \times d_v$")
finish(bottom, "from the right: one small matrix, shared by all positions", width)

figure.tight_layout()
save(figure, __file__)
