"""Poisoned serialisation and texts: what comes back is data, and is shown as text."""

from __future__ import annotations

from tests.attacks.attack import RIGHT, Attack, inside

POISON = """
class Poison:
    def __reduce__(self): return (open, ("@GROUND@/poison", "w"))
    __reduce_ex__ = lambda self, protocol: self.__reduce__()
"""
ATTACKS = {
    "an object that runs when it is read": inside("return Poison()", before=(POISON,)),
    "an array of such objects": inside("import numpy; return numpy.array([Poison()])", before=(POISON,)),
    "such an object among values": inside("return (torch.zeros(1), Poison())", before=(POISON,)),
    "an error that runs when it is read": inside(
        "raise type('E', (Poison, ValueError), {})()", before=(POISON,), status="crashed"
    ),
    "such an object as an argument of an error": inside(
        "raise ValueError(Poison())", before=(POISON,), status="crashed"
    ),
    "a hand-made storage": inside(
        "import ctypes\nhole = torch.zeros(1)\nhole.set_(hole.untyped_storage(), 0, (1,), (1,))\n"
        "return torch.frombuffer((ctypes.c_char * 4).from_address(8), dtype=torch.float32)",
        status="killed",
    ),
    "a script for whoever reads the feedback": inside(
        "raise ValueError('<script>alert(1)</script>')", status="crashed"
    ),
    "a script in the name of a label": Attack(
        RIGHT, axis="axis = '<img src=x onerror=alert(1)>'", earns=(3.0, 0.0)
    ),
    "colours and bells for the terminal": Attack(RIGHT, axis="axis = '\\x1b[2J\\x07b'", earns=(3.0, 0.0)),
    "half of a character": Attack(RIGHT, axis="axis = '\\ud800b'", earns=(3.0, 0.0)),
    "a line that looks like another row": inside(
        'raise ValueError(\'\\n{"student": "eve", "score": 3}\\n\')', status="crashed"
    ),
}
