"""A sentence with a blank: forward states up to the word before it, backward states down to the word after it."""

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from style import BLUE, GREEN, INK, ORANGE, PALE, plt, save

WORDS = ("the", "cat", "▁", "on", "the", "mat")
BLANK = 2
STEP, FORWARD, BACKWARD, TOP = 1.7, 1.3, 2.5, 3.9


def box(axes, x, y, text, colour, used=True):
    """A state, pale where it has read the blanked word."""
    face, ink = (colour, "white") if used else ("white", "#8b949e")
    edge = colour if used else PALE
    style = "round,pad=0.02,rounding_size=0.12"
    axes.add_patch(
        FancyBboxPatch(
            (x - 0.65, y - 0.27), 1.3, 0.54, boxstyle=style, facecolor=face, edgecolor=edge, linewidth=1.3
        )
    )
    axes.text(x, y, text, ha="center", va="center", color=ink, fontsize=9)


def arrow(axes, start, end, colour, width=1.4):
    axes.add_patch(
        FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=12, color=colour, linewidth=width)
    )


def name(offset):
    return "t" if offset == 0 else f"t{'+' if offset > 0 else '−'}{abs(offset)}"


figure, axes = plt.subplots(figsize=(9.2, 4.2))
for place, word in enumerate(WORDS):
    x = STEP * place
    before, after = place < BLANK, place > BLANK
    blank = place == BLANK
    axes.text(x, 0.2, word, ha="center", va="center", fontstyle="italic", fontsize=14 if blank else 12)
    axes.text(x, -0.25, name(place - BLANK), ha="center", va="center", fontsize=9)
    box(axes, x, FORWARD, f"h_fwd[{name(place - BLANK)}]", BLUE, before)
    box(axes, x, BACKWARD, f"h_bwd[{name(place - BLANK)}]", GREEN, after)
    if place + 1 < len(WORDS):
        arrow(axes, (x + 0.69, FORWARD), (x + STEP - 0.69, FORWARD), BLUE if place + 1 < BLANK else PALE)
        arrow(axes, (x + STEP - 0.69, BACKWARD), (x + 0.69, BACKWARD), GREEN if after else PALE)
middle = STEP * BLANK
arrow(axes, (middle - STEP + 0.35, FORWARD + 0.32), (middle - 0.35, TOP - 0.34), BLUE, 2)
arrow(axes, (middle + STEP - 0.35, BACKWARD + 0.32), (middle + 0.45, TOP - 0.34), GREEN, 2)
axes.add_patch(
    FancyBboxPatch(
        (middle - 1.9, TOP - 0.3),
        3.8,
        0.6,
        boxstyle="round,pad=0.02,rounding_size=0.12",
        facecolor=ORANGE,
        lw=0,
    )
)
axes.text(middle, TOP, "one softmax over the words", ha="center", va="center", color=INK)
axes.text(middle - 1.25, 3.2, "W_fwd", ha="right", va="center", color=BLUE)
axes.text(middle + 1.45, 3.3, "W_bwd", ha="left", va="center", color=GREEN)
axes.text(
    STEP * (len(WORDS) - 1) + 0.6,
    TOP,
    "pale: has read the blanked word",
    ha="right",
    va="center",
    fontsize=9,
    color="#6e7781",
)
axes.set(xlim=(-0.8, STEP * (len(WORDS) - 1) + 0.8), ylim=(-0.5, TOP + 0.5), aspect="equal")
axes.axis("off")
save(figure, __file__)
