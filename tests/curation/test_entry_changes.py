"""One entry of a directory is added, changed and removed, and what does not fit is told with its field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.curation.editions import DirectoryRejected
from careline.curation.entry_changes import added, held, merged, patched, put, removed
from careline.directory.directory import Directory
from careline.errors import BadRequest, Conflict, NotFound

DIRECTORY = Directory.model_validate(
    {
        "campuses": [{"id": "north", "names": {"en": "North campus"}}, {"id": "south", "names": {"en": "South"}}],
        "departments": [
            {"id": "cardiology", "names": {"en": "Cardiology"}, "phone": "011 1", "campuses": ["north"]},
            {"id": "ent", "names": {"en": "Ear, nose and throat"}},
        ],
        "doctors": [{"id": "ada", "last_name": "Byron", "department": "cardiology"}],
        "lay_words": [
            {"department": "cardiology", "terms": {"en": ["heart"]}},
            {"department": "ent", "terms": {"en": ["ear"]}},
            {"department": "cardiology", "terms": {"en": ["palpitations"]}},
        ],
    }
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def rejected(change: Any) -> list[tuple[str, str, str]]:
    with pytest.raises(DirectoryRejected) as refused:
        change()
    return [(one.section, one.entry, one.field) for one in refused.value.problems if not one.warning]


def test_a_field_is_changed_and_the_others_stay() -> None:
    after = patched(DIRECTORY, "departments", "cardiology", {"phone": "022 2", "names": {"nl": "Cardiologie"}})
    assert held(after, "departments", "cardiology") == {
        "id": "cardiology", "names": {"en": "Cardiology", "nl": "Cardiologie"}, "phone": "022 2", "campuses": ["north"],
    }  # fmt: skip


def test_a_field_that_is_set_to_null_is_gone() -> None:
    after = patched(DIRECTORY, "departments", "cardiology", {"phone": None})
    assert "phone" not in held(after, "departments", "cardiology")


def test_an_entry_keeps_its_place_among_the_others() -> None:
    after = put(DIRECTORY, "departments", "cardiology", {"names": {"en": "Heart"}})
    assert [one.id for one in after.departments] == ["cardiology", "ent"]


def test_a_new_entry_stands_behind_the_others() -> None:
    after, name = added(DIRECTORY, "departments", {"id": "surgery", "names": {"en": "Surgery"}})
    assert (name, [one.id for one in after.departments]) == ("surgery", ["cardiology", "ent", "surgery"])


def test_an_entry_that_is_there_is_not_added_again() -> None:
    with pytest.raises(Conflict, match="ada"):
        added(DIRECTORY, "doctors", {"id": "ada", "last_name": "Lovelace", "department": "ent"})


@pytest.mark.parametrize("body", [{}, {"id": ""}, {"id": 3}])
def test_an_entry_without_an_id_is_not_added(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="id"):
        added(DIRECTORY, "doctors", body)


def test_an_entry_is_not_given_another_id() -> None:
    with pytest.raises(BadRequest, match="id"):
        put(DIRECTORY, "doctors", "ada", {"id": "eva", "last_name": "Byron", "department": "cardiology"})


def test_what_is_wrong_is_told_with_its_field() -> None:
    assert rejected(lambda: patched(DIRECTORY, "departments", "ent", {"phone": "call us", "locations": [{}]})) == [
        ("departments", "ent", "locations.0.campus"), ("departments", "ent", "phone"),
    ]  # fmt: skip


def test_a_campus_that_is_not_there_is_told() -> None:
    change = {"campuses": ["west"]}
    assert rejected(lambda: patched(DIRECTORY, "departments", "ent", change)) == [("departments", "ent", "campuses")]


def test_an_entry_that_another_one_names_is_not_removed() -> None:
    assert ("doctors", "ada", "department") in rejected(lambda: removed(DIRECTORY, "departments", "cardiology"))


def test_an_entry_that_nobody_names_is_removed() -> None:
    assert [one.id for one in removed(DIRECTORY, "campuses", "south").campuses] == ["north"]


@pytest.mark.parametrize(("section", "name"), [("doctors", "eva"), ("nurses", "ada")])
def test_what_is_not_there_is_not_found(section: str, name: str) -> None:
    for change in (lambda: held(DIRECTORY, section, name), lambda: removed(DIRECTORY, section, name)):
        with pytest.raises(NotFound):
            change()


def test_words_of_one_department_are_changed_together() -> None:
    assert len(held(DIRECTORY, "lay_words", "cardiology")["words"]) == 2
    after = put(DIRECTORY, "lay_words", "cardiology", {"words": [{"terms": {"en": ["chest"]}}]})
    left = [(one.department, one.terms["en"]) for one in after.lay_words]
    assert left == [("ent", ["ear"]), ("cardiology", ["chest"])]
    wrong = {"words": [{"terms": {"xx": ["a"]}}]}
    places = rejected(lambda: put(DIRECTORY, "lay_words", "ent", wrong))
    assert {place[:2] for place in places} == {("lay_words", "ent")}


def test_the_hospital_itself_is_changed_and_not_removed() -> None:
    after = patched(DIRECTORY, "hospital", "hospital", {"phones": {"main": "011 9"}})
    assert after.hospital.phones == {"main": "011 9"}
    with pytest.raises(BadRequest):
        removed(DIRECTORY, "hospital", "hospital")


# The examples of RFC 7396, appendix A.
@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_merge_patch_does_what_its_standard_says(target: Any, patch: Any, result: Any) -> None:
    assert merged(target, patch) == result


@given(JSON, JSON)
def test_a_merge_patch_made_twice_changes_nothing_more(target: Any, patch: Any) -> None:
    assert merged(merged(target, patch), patch) == merged(target, patch)
