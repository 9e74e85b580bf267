-- Projects, what is in them, what people said of it, and what the engine asked for.
-- What people said is never overwritten: 'change' has every word, 'label' what holds now.

CREATE TABLE project (
  id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice
  name    TEXT    NOT NULL UNIQUE,
  source  TEXT    NOT NULL, -- where items come from, as JSON
  options TEXT    NOT NULL, -- features, method, budget and so on, as JSON
  created INTEGER NOT NULL  -- milliseconds, as all times here
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
  number  INTEGER NOT NULL, -- its row in the features
  name    TEXT    NOT NULL,
  held    INTEGER NOT NULL, -- 1 where it only serves to test
  lot     INTEGER NOT NULL, -- its place where nothing better is known
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
  request   TEXT    NOT NULL, -- who asks twice is answered twice, but counted once
  part      INTEGER NOT NULL, -- which one, where a request says several things
  undoes    INTEGER REFERENCES change,
  together  INTEGER REFERENCES change -- the first of those that were said at once
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
  class   INTEGER REFERENCES class, -- null: somebody found it unclear
  change  INTEGER NOT NULL REFERENCES change,
  PRIMARY KEY (project, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX label_of_change ON label (change);

CREATE TABLE round (
  project  INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
  number   INTEGER NOT NULL,
  method   TEXT    NOT NULL,
  labels   INTEGER NOT NULL, -- how many the model had
  tested   INTEGER NOT NULL, -- on how many held-out items
  correct  INTEGER NOT NULL,
  seconds  REAL    NOT NULL,
  at       INTEGER NOT NULL,
  change   INTEGER NOT NULL, -- the last one before it
  PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE pick (
  project   INTEGER NOT NULL,
  round     INTEGER NOT NULL,
  rank      INTEGER NOT NULL,
  item      INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  predicted INTEGER REFERENCES class,
  near      TEXT    NOT NULL, -- labelled items beside it, as JSON
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
