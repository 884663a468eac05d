"""Draw the alternating unit for four inputs: each state is the input above it minus the state before."""

import matplotlib.pyplot as plt
from matplotlib.patches import Circle
from style import BLUE, INK, ORANGE, RED, save

T, GAP, RADIUS = 4, 1.9, 0.42
STATE_ROW, INPUT_ROW = 0.0, 1.9

figure, axes = plt.subplots(figsize=(8.2, 2.9))


def node(x, y, text, colour):
    axes.add_patch(Circle((x, y), RADIUS, facecolor="white", edgecolor=colour, linewidth=1.8, zorder=3))
    axes.text(x, y, text, ha="center", va="center", zorder=4)


def arrow(start, end, colour, sign="", beside=(0.0, 0.0)):
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.8})
    x, y = (start[0] + end[0]) / 2 + beside[0], (start[1] + end[1]) / 2 + beside[1]
    axes.text(x, y, sign, ha="center", va="center", color=colour, fontsize=15, fontweight="bold")


node(0, STATE_ROW, "$H_0$", INK)
for t in range(1, T + 1):
    x = t * GAP
    node(x, STATE_ROW, f"$H_{t}$", INK)
    node(x, INPUT_ROW, f"$X_{t}$", BLUE)
    arrow((x, INPUT_ROW - RADIUS), (x, STATE_ROW + RADIUS), BLUE, "+", (0.22, 0))
    arrow((x - GAP + RADIUS, STATE_ROW), (x - RADIUS, STATE_ROW), RED, "−", (0, 0.27))
end = (T + 1.75) * GAP
arrow((T * GAP + RADIUS, STATE_ROW), (end - RADIUS, STATE_ROW), ORANGE)
axes.text((T * GAP + end) / 2, STATE_ROW + 0.25, "sigmoid(1000 ·)", ha="center", color=INK)
node(end, STATE_ROW, f"$Y_{T}$", ORANGE)

axes.set(xlim=(-0.7, end + 0.7), ylim=(-0.7, INPUT_ROW + 0.7), aspect="equal")
axes.axis("off")
save(figure, __file__)
