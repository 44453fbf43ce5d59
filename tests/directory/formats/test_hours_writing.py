"""Hours, times and days are read as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.directory.formats.workbook.hours_writing import read_days, read_hours, read_time
from careline.directory.formats.workbook.words import CellWrong
from careline.directory.week import DAYS, HOLIDAY

TWO = "08:00-12:00 13:00-17:00"
HOURS = {
    "08:00-12:00, 13:00-17:00": TWO,
    "8:00-12:00 13:00-17:00": TWO,
    "8-12, 13-17": TWO,
    "8-12,13-17": TWO,
    "8-12 / 13-17": TWO,
    "8-12; 13-17": TWO,
    "8-12 & 13-17": TWO,
    "8-12 + 13-17": TWO,
    "8-12\n13-17": TWO,
    "8u-12u, 13u-17u": TWO,
    "8u tot 12u en 13u tot 17u": TWO,
    "van 8u tot 12u en van 13u tot 17u": TWO,
    "van 8 tot 12 uur en van 13 tot 17 uur": TWO,
    "8 u. - 12 u. en 13 u. - 17 u.": TWO,
    "8h-12h et 13h-17h": TWO,
    "de 8h à 12h et de 13h à 17h": TWO,
    "8 h 00 – 12 h 00 ; 13 h 00 – 17 h 00": TWO,
    "8h00/12h00 13h00-17h00": None,
    "dalle 8 alle 12 e dalle 13 alle 17": TWO,
    "dalle ore 8.00 alle ore 12.00, dalle ore 13.00 alle ore 17.00": TWO,
    "8:00 am - 12:00 pm, 1:00 pm - 5:00 pm": TWO,
    "8am-noon, 1-5pm": TWO,
    "from 8 to 12 and from 13 to 17": TWO,
    "0800-1200, 1300-1700": TWO,
    "08:00:00-12:00:00, 13:00:00-17:00:00": TWO,
    "08.00–12.00, 13.00–17.00": TWO,
    "08:00 → 12:00, 13:00 → 17:00": TWO,
    "8u-17u": "08:00-17:00",
    "8u30-17u15": "08:30-17:15",
    "8h30-17h15": "08:30-17:15",
    "8.30-17.15": "08:30-17:15",
    "8,30-17,15": "08:30-17:15",
    "8,30 - 12,30 , 13 - 17,30": "08:30-12:30 13:00-17:30",
    "8--12": "08:00-12:00",
    "8.30u tot 17.15u": "08:30-17:15",
    "830-1715": "08:30-17:15",
    "9 am - 5 pm": "09:00-17:00",
    "9am-5pm": "09:00-17:00",
    "9 a.m. – 5 p.m.": "09:00-17:00",
    "9AM to 5PM": "09:00-17:00",
    "9-5pm": "09:00-17:00",
    "between 9 and 17": "09:00-17:00",
    "tussen 9 en 17 uur": "09:00-17:00",
    "entre 9h et 17h": "09:00-17:00",
    "tra le 9 e le 17": "09:00-17:00",
    "9 tot en met 17": "09:00-17:00",
    "9 t/m 17": "09:00-17:00",
    "9h jusqu'à 17h": "09:00-17:00",
    "1-5pm": "13:00-17:00",
    "10-12pm": "10:00-12:00",
    "midi - 17h": "12:00-17:00",
    "8h - midi": "08:00-12:00",
    "8 - mezzogiorno": "08:00-12:00",
    "18u - middernacht": "18:00-24:00",
    "18:00-00:00": "18:00-24:00",
    "6pm - 12am": "18:00-24:00",
    "12am-6am": "00:00-06:00",
    "0u-6u": "00:00-06:00",
    "closed": "",
    "Gesloten": "",
    "FERMÉ": "",
    "ferme": "",
    "chiuso": "",
    "-": "",
    "–": "",
    "24h": "00:00-24:00",
    "24u": "00:00-24:00",
    "24/7": "00:00-24:00",
    "24/24": "00:00-24:00",
    "7/7 24/24": "00:00-24:00",
    "24u/24": "00:00-24:00",
    "24h/24": "00:00-24:00",
    "H24": "00:00-24:00",
    "24 uur op 24": "00:00-24:00",
    "24 heures sur 24": "00:00-24:00",
    "24 ore su 24": "00:00-24:00",
    "dag en nacht": "00:00-24:00",
    "jour et nuit": "00:00-24:00",
    "sempre aperto": "00:00-24:00",
    "open 24 hours": "00:00-24:00",
    "00:00-24:00": "00:00-24:00",
    "0-24": "00:00-24:00",
}
"""What people write, and what it says; None where it may be read in two ways."""
NO_HOURS = (
    "8", "8:30", "vanaf 8u", "from 8", "jusqu'à 17h", "9-5", "22:00-06:00", "8-25", "8:75-9", "8.5-12", "8-12, 11-14",
    "8-12 8-12", "8-12²",
    "8-12 13-17 (on call)", "op afspraak", "by appointment", "open", "?", "morning", "8 12", "12-12", "99999-2", "²-3",
)  # fmt: skip


@pytest.mark.parametrize(("text", "meant"), HOURS.items())
def test_hours_are_read_as_people_write_them(text: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(CellWrong):
            read_hours(text)
    else:
        assert " ".join("-".join(one) for one in read_hours(text)) == meant


@pytest.mark.parametrize("text", NO_HOURS)
def test_what_may_mean_anything_is_no_hours(text: str) -> None:
    with pytest.raises(CellWrong):
        read_hours(text)


@given(st.text(max_size=40) | st.text("0123456789:.,-/uhapm ", max_size=40))
def test_any_text_is_hours_or_told_to_be_none(text: str) -> None:
    try:
        found = read_hours(text)
    except CellWrong:
        return
    assert all("00:00" <= opens < closes <= "24:00" for opens, closes in found)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("9", "09:00"), ("9u", "09:00"), ("9h30", "09:30"), ("9.30", "09:30"), ("9,30", "09:30"), ("0930", "09:30"),
     ("5 pm", "17:00"), ("ore 17", "17:00"), ("noon", "12:00"), ("24:00", "24:00"), ("00:00", "00:00")],
)  # fmt: skip
def test_a_time_is_read_as_people_write_it(text: str, meant: str) -> None:
    assert read_time(text) == meant


WORKDAYS = DAYS[:5]
EVERY = (*DAYS, HOLIDAY)


@pytest.mark.parametrize(
    ("text", "language", "meant"),
    [
        ("Monday", "nl", ("monday",)), ("maandag", "en", ("monday",)), ("LUNDI", "en", ("monday",)),
        ("Mon-Fri", "nl", WORKDAYS), ("ma-vr", "nl", WORKDAYS), ("ma - vr", "fr", WORKDAYS),
        ("maandag t/m vrijdag", "nl", WORKDAYS), ("lun.-ven.", "fr", WORKDAYS),
        ("du lundi au vendredi", "fr", WORKDAYS),
        ("dal lunedì al venerdì", "it", WORKDAYS), ("weekdays", "nl", WORKDAYS), ("werkdagen", "nl", WORKDAYS),
        ("jours ouvrables", "fr", WORKDAYS), ("giorni feriali", "it", WORKDAYS), ("weekend", "nl", DAYS[5:]),
        ("za en zo", "nl", DAYS[5:]), ("Sat & Sun", "en", DAYS[5:]), ("sabato e domenica", "it", DAYS[5:]),
        ("every day", "nl", EVERY), ("elke dag", "nl", EVERY), ("tous les jours", "nl", EVERY),
        ("ma-zo", "nl", DAYS), ("ma", "nl", ("monday",)),
        ("ma", "fr", ("tuesday",)), ("di", "nl", ("tuesday",)), ("di", "fr", ("sunday",)),
        ("Fri-Mon", "en", ("monday", "friday", "saturday", "sunday")), ("public holidays", "nl", (HOLIDAY,)),
        ("zon- en feestdagen", "nl", ("sunday", HOLIDAY)), ("Mon, Wed, Fri", "en", ("monday", "wednesday", "friday")),
    ],
)  # fmt: skip
def test_days_are_read_as_people_write_them(text: str, language: str, meant: tuple[str, ...]) -> None:
    assert tuple(read_days(text, language)) == meant


@pytest.mark.parametrize("text", ["di", "someday", "Monday to", "", "holidays - Monday", "8-12"])
def test_what_may_mean_other_days_is_no_days(text: str) -> None:
    with pytest.raises(CellWrong):
        read_days(text, "en")
