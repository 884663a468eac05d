_FIRST = ord("a")


def spell(text):
    return [ord(letter) - _FIRST for letter in text]


def unspell(numbers):
    return "".join(chr(_FIRST + number) for number in numbers)


class Alphabet:
    def __init__(self, texts):
        self._numbers = {letter: number for number, letter in enumerate(sorted(set("".join(texts))))}
        self.size = len(self._numbers)

    def number(self, letter):
        return self._numbers[letter]
