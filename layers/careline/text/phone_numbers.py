"""What telephone numbers look like as they are written in Belgium and its neighbours, Italy, Switzerland and Britain.

International numbers begin with + or 00, national ones with 0 (ITU-T E.123). There is no 0 before the free and mobile
numbers of Italy and before those of Luxembourg, which are grouped in their own way.
"""

from __future__ import annotations

import re

_APART = r"(?: ?[/\u2010-\u2013-] ?|\.|  ?)"
"""What stands between groups: "011/90.10.00", "0497 - 81 24 59"; a full stop and a space end a sentence."""
_NO_DATE_OR_HOURS = (
    r"(?![0-9]{1,2}[/.-][0-9]{1,2}[/.-](?:19|20)[0-9]{2}(?![0-9])|[0-9]{2}\.[0-5][0-9](?:[ \u2010-\u2013-]|$))"
)
"""Neither "01/09/2026 09.00" nor "08.30-12.00 13.00-17.00"."""
_WITH_ZERO = (
    rf"{_NO_DATE_OR_HOURS}(?=\(?\+?(?:[0-9][ ./()\u2010-\u2013-]{{0,3}}){{9,14}}(?![0-9]))"
    rf"(?:(?:\+|00)[0-9]{{1,3}}(?:{_APART}?\([0-9]{{1,4}}\))?(?:{_APART}?[0-9](?![0-9]))?|\(0[0-9]{{1,4}}\)|0[0-9]{{1,4}})"
    rf"(?:{_APART}?[0-9]{{2,8}}){{1,6}}"
)
"""A country or a zone, and nine digits or more with these and their zeros."""
_SERVICE = rf"0[89]00{_APART}[0-9]{{2,4}}(?:{_APART}?[0-9]{{2}})?"
_OF_ITALY = (
    rf"80[03]{_APART}[0-9]{{3}}{_APART}?[0-9]{{3}}"
    rf"|3[2-9][0-9]{_APART}(?:[0-9]{{6,7}}|[0-9]{{3}}{_APART}[0-9]{{3,4}}|[0-9]{{2}}{_APART}[0-9]{{2}}{_APART}[0-9]{{2,3}})"
)
_OF_LUXEMBOURG = r"[2-9][0-9](?: [0-9]{2}){3}(?! [0-9])|[2-9][0-9] [0-9]{2}-[0-9]{4}"
WRITTEN_PHONE = rf"(?:{_WITH_ZERO}|{_SERVICE}|{_OF_ITALY}|{_OF_LUXEMBOURG})(?![0-9])"
"""A telephone number from its first character. Short ones as 112 and internal ones look like any number."""
PHONE = re.compile(rf"(?<![0-9.,/+-]){WRITTEN_PHONE}")
"""A telephone number in a text."""
