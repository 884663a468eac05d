"""Draw the merged matrix of one head: J by I times I by J makes J by J."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle
from style import BLUE, GREEN, INK, ORANGE, save

I, J = 1.4, 3.2  # lengths on paper

figure, axes = plt.subplots(figsize=(8.2, 3.4))


def matrix(x, width, height, colour, name, rows, columns):
    """A matrix centred on height 0, with the names of its axes at its left and top sides."""
    axes.add_patch(Rectangle((x, -height / 2), width, height, facecolor=colour, alpha=0.25, edgecolor="none"))
    axes.add_patch(Rectangle((x, -height / 2), width, height, fill=False, edgecolor=colour, linewidth=1.8))
    axes.text(x + width / 2, 0, name, ha="center", va="center", fontsize=12)
    axes.text(x - 0.12, 0, rows, ha="right", va="center", color=INK)
    axes.text(x + width / 2, height / 2 + 0.12, columns, ha="center", va="bottom", color=INK)
    return x + width


def sign(x, text):
    axes.text(x, 0, text, ha="center", va="center", fontsize=15)


axes.text(-0.75, 0, r"$\dfrac{1}{\sqrt{I}}$", ha="center", va="center", fontsize=15)
right = matrix(0.3, I, J, BLUE, r"$(W^Q_k)^\top$", "$J$", "$I$")
sign(right + 0.35, "·")
right = matrix(right + 1.0, J, I, ORANGE, "$W^K_k$", "$I$", "$J$")
sign(right + 0.45, "=")
right = matrix(right + 1.25, J, J, GREEN, r"$\tilde{W}^Q_k$", "$J$", "$J$")

axes.set(xlim=(-1.2, right + 0.2), ylim=(-J / 2 - 0.2, J / 2 + 0.6), aspect="equal")
axes.axis("off")
save(figure, __file__)
