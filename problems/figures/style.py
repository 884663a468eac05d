"""The look of the course's figures: one palette, one font, and a light card that reads on any background."""

from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

INK, PALE, CARD = "#1b1f24", "#d0d7de", "#ffffff"
# Okabe and Ito's colours: told apart by colour-blind readers too.
BLUE, ORANGE, GREEN, RED, SKY, PURPLE = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7"

plt.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 11,
        "svg.fonttype": "path",  # letters as outlines: the same on every machine
        "svg.hashsalt": "autograder",  # the same bytes on every run
        "axes.edgecolor": INK,
        "text.color": INK,
        "figure.facecolor": CARD,
        "savefig.facecolor": CARD,
    }
)


def save(figure, script):
    """Write the figure beside the script that drew it."""
    target = Path(script).with_suffix(".svg")
    figure.savefig(target, bbox_inches="tight", pad_inches=0.15, metadata={"Date": None})
    plt.close(figure)
    print(f"wrote {target.name}")
