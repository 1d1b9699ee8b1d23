-- The main job from end to end: load, train, evaluate, select, and again from the cache.

CREATE CORPUS people (split TEXT);
LOAD 'testdata/quickstart/people.train.conll' INTO people FORMAT conll WITH (columns = (form, entities)) SET split = 'train';
LOAD 'testdata/quickstart/people.test.conll' INTO people FORMAT conll WITH (columns = (form, entities)) SET split = 'test';
SELECT label, count(*) AS spans, count(DISTINCT text) AS texts FROM people.entities GROUP BY label ORDER BY spans DESC;

TRAIN crf AS ner ON people WHERE split = 'train';
EVALUATE ner ON people WHERE split = 'test';

SELECT text, label, prob FROM entities(TEXT 'Maria Novak left Acme Steel for a small office in Hamburg.') USING ner;

-- What the model gets wrong: gold and predicted spans have the same shape and can be joined.
SELECT g.doc, g.text, g.label AS gold, p.label AS predicted
FROM people.entities g LEFT JOIN people.entities p USING ner
  ON g.doc = p.doc AND g.sent = p.sent AND g.tok_start = p.tok_start AND g.tok_end = p.tok_end
WHERE g.split = 'test' AND p.label IS DISTINCT FROM g.label LIMIT 5;

-- The same predictions again come from the cache.
EXPLAIN ANALYZE SELECT label, count(*) FROM people.entities USING ner WHERE split = 'test' GROUP BY label;

CREATE CORPUS notes (split TEXT);
LOAD 'testdata/quickstart/notes.train.tsv' INTO notes FORMAT lines WITH (label = 'first') SET split = 'train';
LOAD 'testdata/quickstart/notes.test.tsv' INTO notes FORMAT lines WITH (label = 'first') SET split = 'test';
TRAIN maxent AS topic ON notes WHERE split = 'train';
EVALUATE topic ON notes WHERE split = 'test';
SELECT label, prob FROM labels(TEXT 'Rain and wind are expected on the coast tonight.') USING topic;
SHOW CACHE;
