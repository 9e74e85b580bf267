-- Why an item was picked, in general, and the class that it may be instead of the predicted one.
-- Both are unknown for picks of earlier versions.
ALTER TABLE pick ADD COLUMN cause TEXT;
ALTER TABLE pick ADD COLUMN alternative INTEGER REFERENCES class;
