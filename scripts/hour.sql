-- The first hour with a corpus of one's own: load, train, look, find the worst errors, correct a label, train again, compare,
-- promote. It runs on files of the repository, from its folder:
--   parlance exec -f scripts/hour.sql

-- Load. The files hold a token and its label a line.
CREATE CORPUS people (split TEXT);
LOAD 'testdata/quickstart/people.train.conll' INTO people FORMAT conll WITH (columns = (form, entities)) SET split = 'train';
LOAD 'testdata/quickstart/people.test.conll' INTO people FORMAT conll WITH (columns = (form, entities)) SET split = 'test';

-- Look at what is there before anything is learned from it.
SELECT split, count(*) AS documents FROM people GROUP BY split ORDER BY split;
SELECT label, count(*) AS spans, count(DISTINCT text) AS texts FROM people.entities WHERE split = 'train' GROUP BY label ORDER BY label;

-- Train a fast model, let it serve, and score it.
TRAIN perceptron AS ner ON people WHERE split = 'train' WITH (layer = entities, epochs = 2, seed = 1);
PROMOTE ner@1 TO production;
SELECT metric, label, round(value, 3) AS value FROM (EVALUATE ner ON people WHERE split = 'test' WITH (samples = 0))
  WHERE metric = 'f1' AND label IN ('ALL', 'PER', 'LOC', 'ORG') ORDER BY label;

-- The worst errors: what the model is most sure of, and gold has otherwise.
SELECT p.doc, p.text, p.label AS predicted, g.label AS gold, round(p.prob, 2) AS prob
FROM people.entities p USING ner LEFT JOIN people.entities g
  ON g.doc = p.doc AND g.sent = p.sent AND g.tok_start = p.tok_start AND g.tok_end = p.tok_end
WHERE p.split = 'test' AND g.label IS DISTINCT FROM p.label ORDER BY p.prob DESC, p.doc LIMIT 3;

-- A wrong label: one is made here, and found again by what a model says that learned from all of them. It is corrected in place.
UPDATE people.entities SET label = 'ORG' WHERE doc = 'people.train.conll:1' AND text = 'Oslo';
TRAIN perceptron AS checker ON people WHERE split = 'train' WITH (layer = entities, seed = 1);
SELECT g.doc, g.text, g.label AS stored, p.label AS predicted
FROM people.entities g JOIN people.entities p USING checker
  ON g.doc = p.doc AND g.sent = p.sent AND g.tok_start = p.tok_start AND g.tok_end = p.tok_end
WHERE g.split = 'train' AND g.label = 'ORG' AND p.label <> g.label ORDER BY g.doc, g.text LIMIT 3;
UPDATE people.entities SET label = 'LOC' WHERE doc = 'people.train.conll:1' AND text = 'Oslo';

-- Train again, with more care, under the same name: a second version.
TRAIN crf AS ner ON people WHERE split = 'train' WITH (layer = entities, seed = 1);
SELECT version, kind FROM system.models WHERE name = 'ner' ORDER BY version;

-- Compare both on the same documents: the difference with its p-value.
SELECT model, metric, round(value, 3) AS value FROM (EVALUATE ner@1, ner@2 ON people WHERE split = 'test' WITH (seed = 1))
  WHERE metric IN ('f1', 'f1.p') AND label = 'ALL' ORDER BY metric, model;

-- Promote the second if it is better than the one that serves: from now on the bare name means it.
PROMOTE ner@2 TO production IF f1 > production ON people WHERE split = 'test';
SELECT text, label FROM entities(TEXT 'Maria Novak left Acme Steel for an office in Hamburg.') USING ner;
