"""Objects that lie about themselves: only their memory is read, and shape and dtype come before values."""

from __future__ import annotations

from tests.attacks.attack import Attack, inside

LIAR = """
class Liar(torch.Tensor):
    __eq__ = __ne__ = __le__ = __lt__ = lambda self, other: True
    shape = property(lambda self: torch.Size([2, 5]))
    size = numel = tolist = detach = lambda self, *args: self
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.ones(1).bool()
"""
VALUES = {
    "a tensor that equals everything": "return torch.zeros(len(q), len(k)).as_subclass(Liar)",
    "a parameter of a lying class": "return torch.nn.Parameter(torch.zeros(2, 5)).as_subclass(Liar)",
    "one number that broadcasts": "return torch.zeros(1)",
    "one number in two axes": "return torch.zeros(1, 1)",
    "a row that broadcasts": "return torch.softmax(q @ k.T, 1)[:1]",
    "an extra axis": "return torch.softmax(q @ k.T, 1)[None]",
    "no numbers at all": "return torch.zeros(0, len(k))",
    "a scalar": "return torch.tensor(0.2)",
    "nothing but NaN": "return torch.full((len(q), len(k)), float('nan'))",
    "nothing but infinity": "return torch.full((len(q), len(k)), float('inf'))",
    "right values among NaN": "out = torch.softmax(q @ k.T, 1); out[0, 0] = float('nan'); return out",
    "another precision": "return torch.softmax((q @ k.T).double(), 1)",
    "a half": "return torch.softmax(q @ k.T, 1).half()",
    "complex numbers": "return torch.softmax(q @ k.T, 1) + 0j",
    "whole numbers": "return torch.softmax(q @ k.T, 1).long()",
    "a numpy array in another precision": "return torch.softmax(q @ k.T, 1).detach().double().numpy()",
    "a masked array": (
        "import numpy; return numpy.ma.masked_array(numpy.zeros((len(q), len(k))), mask=True)"
    ),
    "several guesses": "return [torch.softmax(q @ k.T, axis) for axis in (0, 1)]",
    "a promise": "return lambda: torch.softmax(q @ k.T, 1)",
    "an array by protocol": (
        "return type('A', (), {'__array__': lambda s, *a: torch.softmax(q @ k.T, 1).numpy()})()"
    ),
    "a class that calls itself a tensor": (
        "return type('T', (), {'__class__': torch.Tensor, 'shape': torch.Size([2, 5])})()"
    ),
    "no data behind it": "return torch.zeros(len(q), len(k), device='meta')",
    "sparse numbers": "return torch.softmax(q @ k.T, 1).to_sparse()",
    "numbers that change after the return": """
import threading
out = torch.zeros(len(q), len(k))
threading.Timer(0.01, lambda: out.copy_(torch.rand(len(q), len(k)))).start()
return out""",
    "the input back": "return q[:, :1].expand(len(q), len(k))",
}
SORT_OF = {
    "a text that equals everything": "class S(str):\n    __eq__ = lambda s, o: True\naxis = S('b')",
    "a text that hashes as another": (
        "class S(str):\n    __hash__ = lambda s: hash('a')\n    __str__ = lambda s: 'a'\naxis = S('b')"
    ),
    "every label at once": "axis = 'a b'",
    "a list of labels": "axis = ['a', 'b']",
    "a class that calls itself a text": "axis = type('S', (), {'__class__': str, 'strip': lambda s: 'a'})()",
    "an endless text": (
        "class S(str):\n    def __iter__(self):\n        while True: yield 'a'\naxis = S('b')"
    ),
}
ATTACKS = {
    **{name: inside(code, before=(LIAR,)) for name, code in VALUES.items()},
    **{
        name: Attack("def scores(q, k):\n    return None", axis=code, earns=(0.0, 0.0))
        for name, code in SORT_OF.items()
    },
}
