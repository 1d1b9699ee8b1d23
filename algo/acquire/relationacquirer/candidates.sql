-- Compares candidates by classes, by partial patterns and by both on the marked pairs of SemEval-2010 task 8, in the database of ../web.sql
-- after ../classpatterns/evaluate.sql and algo/lexical/hypernym/evaluate.sql, whose model lc has classes of nouns. Run it where the data is:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f candidates.sql
TRAIN class_patterns AS st ON t, lc.memberships AS classes;
TRAIN relation_acquirer AS both ON web WHERE source = 'wikinews', st AS stage1, lc AS classes WITH (top = 2600, samples = 1000);
TRAIN relation_acquirer AS part ON web WHERE source = 'wikinews', st AS stage1, lc AS classes
  WITH (top = 2600, samples = 1000, candidates = partial);
TRAIN relation_acquirer AS clas ON web WHERE source = 'wikinews' AND left(md5(id), 1) IN ('0', '1'), st AS stage1, lc AS classes
  WITH (top = 2600, samples = 1000, candidates = class);
CREATE LEXICON fa AS SELECT 'both' AS mode, doc, lower(subject) AS subject, lower(object) AS object, max(prob) AS prob
  FROM sentences8.relations USING upos, xpos, tp, both WITH (min_score = -100) GROUP BY doc, lower(subject), lower(object);
INSERT INTO fa SELECT 'partial', doc, lower(subject), lower(object), max(prob)
  FROM sentences8.relations USING upos, xpos, tp, part WITH (min_score = -100) GROUP BY doc, lower(subject), lower(object);
INSERT INTO fa SELECT 'class', doc, lower(subject), lower(object), max(prob)
  FROM sentences8.relations USING upos, xpos, tp, clas WITH (min_score = -100) GROUP BY doc, lower(subject), lower(object);
SELECT f.mode, l.level, count(*) AS candidates,
    sum(CASE WHEN (f.subject = regexp_replace(s.e1, '^.* ', '')) = (s.relation = 1) AND s.relation <> 0 THEN 1 ELSE 0 END) AS right
  FROM fa f JOIN task8 s ON s.id = f.doc AND (f.subject = regexp_replace(s.e1, '^.* ', '') AND f.object = regexp_replace(s.e2, '^.* ', '')
      OR f.object = regexp_replace(s.e1, '^.* ', '') AND f.subject = regexp_replace(s.e2, '^.* ', ''))
    JOIN (VALUES (0.001), (0.5)) l (level) ON f.prob >= l.level GROUP BY f.mode, l.level ORDER BY f.mode, l.level;
