-- Projects with their items, answers, training rounds and picks. 'change' is an append-only log of all answers;
-- 'label' holds the current labels. All times are in milliseconds.

CREATE TABLE project (
  id      INTEGER PRIMARY KEY AUTOINCREMENT, -- not reused after a deletion
  name    TEXT    NOT NULL UNIQUE,
  source  TEXT    NOT NULL, -- the source of the items, as JSON
  options TEXT    NOT NULL, -- features, strategy, batch size and others, as JSON
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE class (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
  name    TEXT    NOT NULL,
  place   INTEGER NOT NULL,
  UNIQUE (project, name)
) STRICT;

CREATE TABLE item (
  project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
  number  INTEGER NOT NULL, -- the row of its features
  name    TEXT    NOT NULL,
  held    INTEGER NOT NULL, -- 1 for held-out items, 0 for all others
  lot     INTEGER NOT NULL, -- its position in the random order that is used without a model
  PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX item_by_lot ON item (project, held, lot);
CREATE INDEX item_by_name ON item (project, name);

CREATE TABLE change (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  project   INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
  item      INTEGER NOT NULL,
  action    TEXT    NOT NULL CHECK (action IN ('label', 'unclear', 'skip', 'clear', 'undo', 'import')),
  class     INTEGER REFERENCES class,
  annotator TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  request   TEXT    NOT NULL, -- a repeated request is answered again, but stored once
  part      INTEGER NOT NULL, -- the position of the answer in a request with several answers
  undoes    INTEGER REFERENCES change,
  together  INTEGER REFERENCES change -- the first answer of the same request
) STRICT;

CREATE UNIQUE INDEX change_request ON change (project, annotator, request, part);

CREATE INDEX change_of_item ON change (project, item, id);
CREATE INDEX change_of_annotator ON change (project, annotator, id);
CREATE UNIQUE INDEX change_undone ON change (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX change_skipped ON change (project, item, annotator, id) WHERE action = 'skip';
CREATE INDEX change_together ON change (together) WHERE together IS NOT NULL;

CREATE TABLE label (
  project INTEGER NOT NULL,
  item    INTEGER NOT NULL,
  class   INTEGER REFERENCES class, -- null: the item is unclear
  change  INTEGER NOT NULL REFERENCES change,
  PRIMARY KEY (project, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX label_of_change ON label (change);

CREATE TABLE round (
  project  INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
  number   INTEGER NOT NULL,
  method   TEXT    NOT NULL,
  labels   INTEGER NOT NULL, -- number of labels that the model was trained on
  tested   INTEGER NOT NULL, -- number of held-out items that tested the model
  correct  INTEGER NOT NULL,
  seconds  REAL    NOT NULL,
  at       INTEGER NOT NULL,
  change   INTEGER NOT NULL, -- the last change before the round
  PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE pick (
  project   INTEGER NOT NULL,
  round     INTEGER NOT NULL,
  rank      INTEGER NOT NULL,
  item      INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  predicted INTEGER REFERENCES class,
  near      TEXT    NOT NULL, -- similar labelled items, as JSON
  PRIMARY KEY (project, round, rank)
) STRICT, WITHOUT ROWID;

CREATE INDEX pick_of_item ON pick (project, item);

CREATE TABLE lease (
  project   INTEGER NOT NULL,
  item      INTEGER NOT NULL,
  annotator TEXT    NOT NULL,
  until     INTEGER NOT NULL,
  PRIMARY KEY (project, item)
) STRICT, WITHOUT ROWID;
