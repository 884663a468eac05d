"""Attention weights between the three tokens as the norm of their building blocks grows."""

import numpy as np
import style
from matplotlib.colors import LinearSegmentedColormap
from style import BLUE, CARD, plt

NORMS = (0.5, 1.0, 2.0, 3.0)
GRAM = np.array([[2, 0, 1], [0, 1, 0], [1, 0, 2]])  # inner products of the tokens, in units of β²
SHADES = LinearSegmentedColormap.from_list("weights", [CARD, BLUE])


def weights(norm):
    exponentials = np.exp(GRAM * norm**2)
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def draw(axes, norm):
    # Shades without numbers: the numbers are asked for.
    image = axes.imshow(weights(norm), cmap=SHADES, vmin=0, vmax=1)
    axes.set_title(f"β = {norm:g}", fontsize=12)
    axes.set_xticks(range(3), ["$x_1$", "$x_2$", "$x_3$"])
    axes.set_yticks(range(3), ["$y_1$", "$y_2$", "$y_3$"])
    axes.tick_params(length=0)
    axes.set_xticks([0.5, 1.5], minor=True)
    axes.set_yticks([0.5, 1.5], minor=True)
    axes.grid(which="minor", color=style.PALE)
    axes.tick_params(which="minor", length=0)
    return image


figure, panels = plt.subplots(1, len(NORMS), figsize=(10, 2.9))
for axes, norm in zip(panels, NORMS, strict=True):
    image = draw(axes, norm)
bar = figure.colorbar(image, ax=panels, fraction=0.02, pad=0.03, ticks=[0, 0.5, 1])
bar.outline.set_edgecolor(style.PALE)
figure.suptitle("weight of token $x_j$ in output $y_i$: each row sums to 1", x=0.46, y=1.0, fontsize=12)
style.save(figure, __file__)
