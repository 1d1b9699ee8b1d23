-- Scores trouble on nouns below 20 words for troubles in WordNet, in the database of ../web.sql, where t is its store of
-- tuples. Run it where the data is, with WordNet 3.0 in /usr/share/wordnet:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f evaluate.sql
CREATE KB wordnouns;
LOAD '/usr/share/wordnet' INTO wordnouns FORMAT wordnet WITH (pos = noun, relations = (synset, hypernym));
CREATE LEXICON troubleroots (noun TEXT);
INSERT INTO troubleroots VALUES ('trouble'), ('accident'), ('disaster'), ('disease'), ('damage'), ('injury'), ('failure'), ('danger'),
  ('obstacle'), ('crime'), ('pain'), ('hazard'), ('misfortune'), ('illness'), ('defect'), ('loss'), ('destruction'), ('shortage'),
  ('conflict'), ('fear');
-- Nouns whose first sense is below a sense of a root that is its first.
CREATE LEXICON badnouns AS
  WITH RECURSIVE down (synset) AS (
    SELECT t.object FROM troubleroots r JOIN wordnouns.triples t ON t.subject = r.noun AND t.relation = 'synset' AND t.weight = 1
    UNION SELECT h.subject FROM down d JOIN wordnouns.triples h ON h.object = d.synset AND h.relation = 'hypernym')
  SELECT DISTINCT t.subject AS noun FROM down d JOIN wordnouns.triples t ON t.object = d.synset
  WHERE t.relation = 'synset' AND t.weight = 1;
TRAIN trouble AS byscore ON t WITH (method = 'score', min_evidence = 5);
CREATE LEXICON troublelabels AS SELECT c.noun, b.noun IS NOT NULL AS trouble
  FROM byscore.troubles c LEFT JOIN badnouns b ON b.noun = c.noun;
SELECT trouble, count(*) FROM troublelabels GROUP BY trouble;
TRAIN trouble AS svm ON t, troublelabels AS labels WITH (min_evidence = 5, c = 0.01, value = log, min_object = 10);
TRAIN trouble AS nodav ON t, troublelabels AS labels WITH (min_evidence = 5, c = 0.01, value = log, features = ('lsph', 'dnv', 'sum'));
TRAIN trouble AS nodnv ON t, troublelabels AS labels WITH (min_evidence = 5, c = 0.01, value = log, features = ('lsph', 'dav', 'sum'));
TRAIN trouble AS nolsph ON t, troublelabels AS labels WITH (min_evidence = 5, c = 0.01, value = log, features = ('dnv', 'dav', 'sum'));
TRAIN trouble AS nosum ON t, troublelabels AS labels WITH (min_evidence = 5, c = 0.01, value = log, features = ('lsph', 'dnv', 'dav'));
TRAIN trouble AS bypattern ON t WITH (method = 'lsph', min_evidence = 5);
TRAIN trouble AS bychance ON t WITH (method = 'random', min_evidence = 5);
SELECT model, metric, value, low, high FROM (EVALUATE svm ON troublelabels);
SELECT model, metric, value FROM (EVALUATE nodav ON troublelabels) WHERE metric = 'average_precision';
SELECT model, metric, value FROM (EVALUATE nodnv ON troublelabels) WHERE metric = 'average_precision';
SELECT model, metric, value FROM (EVALUATE nolsph ON troublelabels) WHERE metric = 'average_precision';
SELECT model, metric, value FROM (EVALUATE nosum ON troublelabels) WHERE metric = 'average_precision';
SELECT model, metric, value FROM (EVALUATE byscore ON troublelabels);
SELECT model, metric, value FROM (EVALUATE bypattern ON troublelabels) WHERE metric = 'average_precision';
SELECT model, metric, value FROM (EVALUATE bychance ON troublelabels) WHERE metric = 'average_precision';
SELECT noun, score, label FROM svm.troubles LIMIT 40;
SELECT * FROM svm.pairs LIMIT 20;
-- The sample that is judged.
SELECT i.noun FROM (SELECT * FROM svm.troubles LIMIT 1000) i ORDER BY md5(i.noun) LIMIT 100;
