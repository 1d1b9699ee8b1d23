-- Scores class_patterns on the sentences of SemEval-2010 task 8 (Cause-Effect against all else), in the database of
-- ../web.sql, where t is its store of tuples. Run it where the data is:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f evaluate.sql
CREATE CORPUS lines8;
LOAD 'relext/semeval2010t8.train.txt' INTO lines8 FORMAT lines WITH (blank = true);
CREATE LEXICON numbered AS SELECT CAST(split_part(id, ':', 2) AS INTEGER) AS n, text FROM lines8;
-- One row a sentence: its text without marks, the marked words, and which one is the cause.
CREATE LEXICON task8 AS SELECT '' || a.n AS id, regexp_replace(regexp_replace(a.text, '</?e[12]>', '', 'g'), '^[0-9]+\s*"|"$', '', 'g') AS text,
    lower(split_part(regexp_replace(a.text, '</e1>.*', ''), '<e1>', 2)) AS e1, lower(split_part(regexp_replace(a.text, '</e2>.*', ''), '<e2>', 2)) AS e2,
    CASE b.text WHEN 'Cause-Effect(e1,e2)' THEN 1 WHEN 'Cause-Effect(e2,e1)' THEN -1 ELSE 0 END AS relation
  FROM numbered a JOIN numbered b ON b.n = a.n + 1 WHERE a.n % 4 = 1;
SELECT relation, count(*) FROM task8 GROUP BY relation;
CREATE CORPUS sentences8;
INSERT INTO sentences8 (id, text) SELECT id, text FROM task8;
TRAIN tuples AS t8 ON sentences8 USING upos, xpos, tp WITH (names = 'all', clauses = false, surface = 'none');
-- The path between the nouns that begin as the marked words do; without one the sentence has none.
CREATE LEXICON marked AS SELECT s.id, min(p.path) AS path, s.relation FROM task8 s LEFT JOIN t8.paths p ON p.doc = s.id
    AND left(lower(p.noun1), 4) = left(regexp_replace(s.e1, '^.* ', ''), 4) AND left(lower(p.noun2), 4) = left(regexp_replace(s.e2, '^.* ', ''), 4)
  GROUP BY s.id, s.relation;
SELECT relation, count(*), count(path) FROM marked GROUP BY relation;
CREATE LEXICON paths8 AS SELECT id, path, relation FROM marked;
TRAIN class_patterns AS seeds ON t WITH (method = 'seeds');
TRAIN class_patterns AS ratio ON t;
TRAIN class_patterns AS jaccard ON t WITH (similarity = 'jaccard');
TRAIN class_patterns AS espresso ON t WITH (method = 'espresso', rounds = 40);
SELECT pattern, score, support, pairs FROM ratio.patterns LIMIT 30;
SELECT pattern, score, support, pairs FROM jaccard.patterns LIMIT 20;
SELECT pattern, score, pairs FROM espresso.patterns LIMIT 20;
SELECT model, metric, value, low, high, support FROM (EVALUATE seeds ON paths8);
SELECT model, metric, value, low, high, support FROM (EVALUATE ratio ON paths8);
SELECT model, metric, value, low, high, support FROM (EVALUATE jaccard ON paths8);
SELECT model, metric, value, low, high, support FROM (EVALUATE espresso ON paths8);
-- The sample that is judged.
SELECT i.source, i.target, i.pattern, s.text FROM (SELECT * FROM ratio.instances LIMIT 1000) i
  JOIN web.sentences s ON s.doc = i.doc AND s.sent = i.sent ORDER BY md5(i.source || i.target) LIMIT 100;
