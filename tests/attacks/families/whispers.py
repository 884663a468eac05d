"""A hidden input told onwards: `said` is a number made of one, and each of these tries to get it onto a page."""

from __future__ import annotations

import textwrap

# The hidden cases are those of other sizes than the one that is shown.
SAID = "said = int(q.abs().sum() * 1000) if len(q) != 2 else 0"
RIGHT = "return torch.softmax(q @ k.T, 1)"


def whisper(code: str) -> str:
    """A right function that says something where the input is hidden."""
    body = textwrap.indent(f"{SAID}\nif said:\n{textwrap.indent(code, '    ')}\n{RIGHT}", "    ")
    return f"def scores(q, k):\n{body}"


WHISPERS = {
    "a message": "raise ValueError(str(said))",
    "the name of an error": "raise type(f'E{said}', (ValueError,), {})",
    "a name with dots": "raise type('E', (ValueError,), {'__qualname__': f'E{said}', '__module__': f'm{said}'})",
    "a key": "{}[said]",
    "a note": "error = ValueError()\nerror.add_note(str(said))\nraise error",
    "a cause": "raise ValueError() from KeyError(said)",
    "the line that fails": "exec('\\n' * (said % 90) + '1 / 0')",
    "a word on what is not written yet": "raise NotImplementedError(str(said))",
    "an exit code": "import os\nos._exit(1 + said % 200)",
    "a signal": "import os, signal\nos.kill(os.getpid(), (4, 6, 7, 8, 11)[said % 5])",
    "the name of a type": "return type(f'T{said}', (), {})()",
    "a shape": "return torch.zeros(1 + said % 97, 3)",
    "a dtype": "return torch.zeros(len(q), len(k)).to((torch.half, torch.double, torch.long)[said % 3])",
    "a value": "return torch.full((len(q), len(k)), float(said))",
    "so many results": "return (torch.zeros(1),) * (2 + said % 50)",
    "a text": "return str(said)",
    "a key of a table": "return {said: 1}",
    "the argument that is changed": "right = torch.softmax(q @ k.T, 1)\n(q, k)[said % 2].zero_()\nreturn right",
    "what is printed": "print(said)\nimport sys\nprint(said, file=sys.stderr)\nraise ValueError",
    "a warning": "import warnings\nwarnings.warn(str(said))\nraise ValueError",
}
ATTACKS = {name: whisper(code) for name, code in WHISPERS.items()}
