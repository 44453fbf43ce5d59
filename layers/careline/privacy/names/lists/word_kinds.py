"""Says what a word can be when names are looked for, apart from the code that reads words and lexicon."""

from __future__ import annotations


class Kind:
    """What a word can be: bits of a plain number, as they are asked for thousands of times in a text.

    FIRST and LAST say that it is a name and no ordinary word, the COMMON ones may be both. LIKELY and SURELY are
    unlisted words that are spelled like a name, BUILT ones are made of ordinary words. INITIAL is a capital letter
    with a full stop. OPENS is the first word of a sentence, OWNED stands behind a possessive ("Wilson's disease").
    SHORT is written in capitals alone amid other words ("PKU"), UPPER begins with a capital for whatever reason.
    ACCENTED would be another word without its accent ("è").
    """

    FIRST = 1
    LAST = 2
    COMMON_FIRST = 4
    COMMON_LAST = 8
    WORD = 16
    STOP = 32
    PLACE = 64
    PARTICLE = 128
    CAPITAL = 256
    UNKNOWN = 512
    LETTER = 1024
    LISTED = 2048
    EPONYM = 4096
    LIKELY = 8192
    SURELY = 16384
    BUILT = 32768
    INITIAL = 65536
    OPENS = 131072
    OWNED = 262144
    SHORT = 524288
    UPPER = 1048576
    ACCENTED = 2097152


NAME = Kind.FIRST | Kind.LAST
