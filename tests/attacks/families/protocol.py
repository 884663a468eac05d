"""Talking to the judge out of turn: nothing of such a submission is believed, and nobody else notices."""

from __future__ import annotations

import textwrap

from tests.attacks.attack import RIGHT, ZEROS, Attack, inside

# A child that knows the protocol: it finds the server that talks for it, and puts other words in its mouth.
MOUTH = """
import gc, json, os, struct, sys
serve = sys.modules["autograder.sandbox.inside.serve"]
plain = serve.Server.answer
def speak(header, payload=b""):
    text = json.dumps(header).encode()
    os.write(4, struct.pack(">4sIQ", b"AGW1", len(text), len(payload)) + text + payload)
def answer(self, header, sent):
    if "value" in header and header["status"] == "ok" and sent: return forge(self, header, sent)
    return plain(self, header, sent)
serve.Server.answer = answer
"""


def forged(code: str, **options: object) -> Attack:
    body = textwrap.indent(textwrap.dedent(code).strip(), "    ")
    return Attack(ZEROS, before=(MOUTH + f"def forge(self, header, sent):\n{body}",), **options)  # type: ignore[arg-type]


BROKEN = {"status": "killed", "says": "the grader's own channel"}
ATTACKS = {
    "an answer ahead of time": Attack(
        RIGHT, before=("import os; os.write(4, b'AGW1' + bytes(12))",), **BROKEN
    ),
    "marks on every descriptor": Attack(
        RIGHT,
        before=(
            "import os\nfor fd in range(256):\n"
            '    try: os.write(fd, b\'{"score": 3, "max_score": 3}\\n\')\n    except OSError: pass',
        ),
        **BROKEN,
    ),
    "an answer from a thread, later": inside(
        "import os, threading, time\ndef later():\n    time.sleep(0.02)\n    os.write(4, b'AGW1')\n"
        "other = threading.Thread(target=later)\nother.start()\nother.join()\nreturn torch.softmax(q @ k.T, 1)",
        **BROKEN,
    ),
    "an answer twice": forged("plain(self, header, sent); plain(self, header, sent)", **BROKEN),
    "another number": forged("plain(self, {**header, 'id': header['id'] + 1}, sent)", **BROKEN),
    "another nonce": forged("plain(self, {**header, 'nonce': '0' * 16}, sent)", **BROKEN),
    "a status of its own": forged("plain(self, {**header, 'status': 'correct'}, sent)", **BROKEN),
    "a score": forged("plain(self, {**header, 'score': 3, 'share': 1.0, 'passed': True}, sent)"),
    "no value": forged("header.pop('value'); plain(self, header, [])", **BROKEN),
    "two values for one": forged(
        "plain(self, {**header, 'value': {'tuple': [], **header['value']}}, sent)", **BROKEN
    ),
    "a tensor that was not sent": forged("plain(self, {**header, 'value': {'tensor': 7}}, sent)", **BROKEN),
    "an object of another process": forged(
        "plain(self, {**header, 'value': {'held': 1, 'type': 'Tensor'}}, sent)", **BROKEN
    ),
    "steps that nobody asked for": forged("plain(self, {**header, 'steps': [1]}, sent)", **BROKEN),
    "a tensor that calls itself a tuple": forged(
        "plain(self, {**header, 'value': {'tensor': 0, 'kind': 'tuple'}}, sent)"
    ),
    "a value without a bottom": forged(
        "value = None\nfor _ in range(20): value = {'list': [value]}\n"
        "plain(self, {**header, 'value': value}, sent)",
        **BROKEN,
    ),
    "a gradient too many": forged(
        "plain(self, {**header, 'grads': [0] * (1 + len(header.get('grads', [])))}, sent)", **BROKEN
    ),
    "a change to an argument that is not there": forged(
        "plain(self, {**header, 'mutated': [63]}, sent)", **BROKEN
    ),
    "a list as long as it gets": forged("plain(self, {**header, 'mutated': [0] * 65}, sent)", **BROKEN),
    "a header of a megabyte": forged("plain(self, {**header, 'text': 'x' * (1 << 21)}, sent)", **BROKEN),
    "a header without a bottom": forged(
        "text = b'[' * 200_000; os.write(4, struct.pack('>4sIQ', b'AGW1', len(text), 0) + text)", **BROKEN
    ),
    "a payload that never comes": forged(
        "os.write(4, struct.pack('>4sIQ', b'AGW1', 2, 1 << 20) + b'{}')", status="timed_out", seconds=0.7
    ),
    "a payload beyond all memory": forged(
        "os.write(4, struct.pack('>4sIQ', b'AGW1', 2, 1 << 60) + b'{}')", **BROKEN
    ),
    "an answer a byte at a time": forged(
        "import time\nfor _ in range(1000): os.write(4, b'A'[:1]); time.sleep(0.05)", **BROKEN
    ),
    "tensors that overlap": forged(
        "entry = {'dtype': 'F32', 'shape': [1], 'data_offsets': [0, 4]}\n"
        "text = json.dumps({'0': entry, '1': entry}).encode()\n"
        "speak({**header, 'tensors': 2, 'pairs': []}, struct.pack('<Q', len(text)) + text + bytes(4))",
        **BROKEN,
    ),
    "a tensor of five thousand axes": forged(
        "text = json.dumps({'0': {'dtype': 'F32', 'shape': [1] * 5000, 'data_offsets': [0, 4]}}).encode()\n"
        "speak({**header, 'tensors': 1, 'pairs': []}, struct.pack('<Q', len(text)) + text + bytes(4))",
        **BROKEN,
    ),
    "an empty tensor with endless axes": forged(
        "entry = {'dtype': 'F32', 'shape': [1 << 40, 1 << 40, 0], 'data_offsets': [0, 0]}\n"
        "text = json.dumps({'0': entry}).encode()\n"
        "speak({**header, 'tensors': 1, 'pairs': []}, struct.pack('<Q', len(text)) + text)",
        **BROKEN,
    ),
    "a hundred thousand tensors": forged(
        "speak({**header, 'tensors': 100_000, 'pairs': []}, bytes(8))", **BROKEN
    ),
    "a pickle for a payload": forged(
        "import io, pickle\nclass P:\n    def __reduce__(self): return (io.open, ('@GROUND@/pickle', 'w'))\n"
        "speak({**header, 'tensors': 1, 'pairs': []}, pickle.dumps(P()))",
        **BROKEN,
    ),
    # Which of the two readers gets it is chance; so the answers are wrong ones.
    "the next question, read by another": inside(
        "import os, threading\nthreading.Thread(target=os.read, args=(3, 1 << 16), daemon=True).start()",
        seconds=0.7,
    ),
    "closed pipes": inside("import os; os.closerange(0, 256)", status="killed", says="exit code 1"),
    "closed pipes and a long life": inside(
        "import os, time; os.closerange(0, 256); time.sleep(600)", status="timed_out", seconds=0.7
    ),
    "crossed pipes": inside("import os; os.dup2(3, 5); os.dup2(4, 3); os.dup2(5, 4)", status="killed"),
    "a pipe to nowhere": inside(
        "import os; os.dup2(os.open('/dev/null', 1), 4)", status="timed_out", seconds=0.7
    ),
    "a server of its own in the child": Attack(
        ZEROS,
        before=(
            MOUTH + "forge = plain\nserve.Server._call = "
            "lambda self, header, payload: ({'status': 'ok', 'kind': 'tensor'}, [])",
        ),
        **BROKEN,
    ),
    "a hidden input in an answer that is shown": Attack(
        "kept = []\ndef scores(q, k):\n    kept.append(q)\n"
        "    if len(kept) > 1: raise ValueError('LEAK %s' % kept[1].tolist())\n"
        "    return torch.softmax(q @ k.T, 1)"
    ),
    "a hidden input as the name of an error": inside(
        "if len(q) != 2: raise type('LEAK_%s' % q.tolist(), (Exception,), {})\n"
        "return torch.softmax(q @ k.T, 1)"
    ),
    "a hidden input as the name of a type": inside(
        "if len(q) != 2: return type('LEAK_%s' % q.tolist(), (), {})()\nreturn torch.softmax(q @ k.T, 1)"
    ),
    "a hidden input as an unwritten function": inside(
        "if len(q) != 2: raise NotImplementedError('LEAK_%s' % q.tolist())\nreturn torch.softmax(q @ k.T, 1)"
    ),
    "a hidden input as a lack of memory": inside(
        "if len(q) != 2: raise MemoryError('LEAK_%s' % q.tolist())\nreturn torch.softmax(q @ k.T, 1)"
    ),
}
