"""The tables of the embedded index."""

from __future__ import annotations

SCHEMA = """
CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, doc_key TEXT NOT NULL, version INTEGER NOT NULL,
    about TEXT NOT NULL, about_sum INTEGER NOT NULL, UNIQUE (tenant, doc_key, version)
);
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, chunk TEXT NOT NULL,
    vector BLOB NOT NULL, words BLOB NOT NULL, chunk_sum INTEGER NOT NULL, vector_sum INTEGER NOT NULL,
    words_sum INTEGER NOT NULL, UNIQUE (version_id, ordinal)
);
CREATE TABLE IF NOT EXISTS windows (
    version_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, vectors BLOB NOT NULL, vectors_sum INTEGER NOT NULL,
    PRIMARY KEY (version_id, ordinal)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS live (
    tenant TEXT NOT NULL, doc_key TEXT NOT NULL, version INTEGER NOT NULL, version_id INTEGER, passages INTEGER,
    PRIMARY KEY (tenant, doc_key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS log (
    n INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, version_id INTEGER NOT NULL, is_live INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS log_tenant ON log (tenant, n);
"""
