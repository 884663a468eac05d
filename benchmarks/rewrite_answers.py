"""Write right and wrong answers in thousands of ways; count the verdicts that turn: there should be none."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.text.equation.rewrites import flip, rewrites
from tests.text.rewrites import flips

EQUATIONS = 4  # every fourth answer is an equation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    equations = asked.count // EQUATIONS
    found = flips(asked.count - equations, asked.seed)
    for answer, key, verdict in found:
        print(json.dumps({"answer": answer, "key": key, "verdict": verdict}, ensure_ascii=False))
    turned = [said for one in islice(rewrites(asked.seed), equations) if (said := flip(one))]
    print(*turned, sep="\n", end="\n" if turned else "")
    print(json.dumps({"rewritten": asked.count, "flipped": len(found) + len(turned)}))
    sys.exit(1 if found or turned else 0)


if __name__ == "__main__":
    main()
