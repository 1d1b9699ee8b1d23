-- Scores relation_acquirer beside its first stage and Espresso, in the database of ../web.sql, where t is its store of
-- tuples, after ../classpatterns/evaluate.sql, which makes task8, the sentences of SemEval-2010 task 8. Run it where the
-- data is:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f evaluate.sql
TRAIN class_patterns AS stage1 ON t;
TRAIN relation_acquirer AS acq ON web, stage1 AS stage1 WITH (top = 2600, samples = 2000);
SELECT role, count(*) FROM acq.partials GROUP BY role;
SELECT positive, count(*) FROM acq.examples GROUP BY positive;
SELECT count(*) AS pairs, sum(candidates) AS candidates FROM acq.instances;
SELECT count(*) AS pairs, sum(candidates) AS candidates FROM acq.instances WHERE score > 0;
-- Sentences: the candidates between the marked nouns, in either direction, by score.
CREATE LEXICON found8 AS SELECT doc, lower(subject) AS subject, lower(object) AS object, max(prob) AS prob
    FROM sentences8.relations USING upos, xpos, tp, acq WITH (min_score = -100) GROUP BY doc, lower(subject), lower(object);
CREATE LEXICON judged8 AS
  SELECT s.id, s.relation, coalesce(f.prob, 0) AS forward, coalesce(b.prob, 0) AS backward FROM task8 s
    LEFT JOIN found8 f ON f.doc = s.id AND f.subject = regexp_replace(s.e1, '^.* ', '') AND f.object = regexp_replace(s.e2, '^.* ', '')
    LEFT JOIN found8 b ON b.doc = s.id AND b.object = regexp_replace(s.e1, '^.* ', '') AND b.subject = regexp_replace(s.e2, '^.* ', '');
CREATE LEXICON levels AS SELECT * FROM (VALUES (0.01), (0.3), (0.4), (0.5), (0.6), (0.7), (0.75)) v (level);
SELECT level, sum(CASE WHEN right THEN 1.0 ELSE 0 END) / count(*) AS precision, sum(CASE WHEN right THEN 1.0 ELSE 0 END) / 1003 AS recall, count(*) AS found
  FROM (SELECT l.level, j.relation = CASE WHEN j.forward >= j.backward THEN 1 ELSE -1 END AS right
    FROM judged8 j JOIN levels l ON greatest(j.forward, j.backward) >= l.level) GROUP BY level ORDER BY level;
-- Pairs: heads of the marked nouns of task 8 as known pairs.
CREATE LEXICON known8 AS SELECT DISTINCT CASE WHEN relation = 1 THEN a ELSE b END AS source, CASE WHEN relation = 1 THEN b ELSE a END AS target
  FROM (SELECT relation, regexp_replace(e1, '^.* ', '') AS a, regexp_replace(e2, '^.* ', '') AS b FROM task8 WHERE relation <> 0);
TRAIN class_patterns AS espresso2 ON t WITH (method = 'espresso', rounds = 40);
SELECT model, metric, value, low, high FROM (EVALUATE stage1 WITH (task = 'pairs') ON known8);
SELECT model, metric, value, low, high FROM (EVALUATE espresso2 WITH (task = 'pairs') ON known8);
SELECT model, metric, value, low, high FROM (EVALUATE acq WITH (task = 'pairs') ON known8);
-- How rare the paths are that pairs come from: of the store, which has those of three sentences and more.
SELECT level, count(*) AS pairs, sum(CASE WHEN known THEN 1 ELSE 0 END) AS known, sum(CASE WHEN path IS NULL THEN 1 ELSE 0 END) AS no_path,
    sum(CASE WHEN path IS NOT NULL AND n IS NULL THEN 1 ELSE 0 END) AS rare_path
  FROM (SELECT i.rank, i.known, i.path, p.pairs AS n, CASE WHEN i.rank <= 1000 THEN 1000 WHEN i.rank <= 5000 THEN 5000 ELSE 10000 END AS level
    FROM acq.instances i LEFT JOIN t.patterns p ON p.path = i.path WHERE i.rank <= 10000) GROUP BY level ORDER BY level;
-- The samples that are judged.
SELECT i.source, i.target, i.path, s.text FROM (SELECT * FROM acq.instances LIMIT 1000) i
  JOIN web.sentences s ON s.doc = i.doc AND s.sent = i.sent ORDER BY md5(i.source || i.target) LIMIT 100;
