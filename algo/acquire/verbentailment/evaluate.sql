-- Scores verb_entailment on WordNet and on the judgements of Levy and Holt, in the database of ../web.sql, where t is
-- its store of tuples. Run it where the data is, with WordNet 3.0 in /usr/share/wordnet:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f evaluate.sql
CREATE KB wordnet;
LOAD '/usr/share/wordnet' INTO wordnet FORMAT wordnet WITH (pos = verb, relations = (synset, hypernym, entailment));
-- The second verb is above the first one by hypernyms and entailments, in any senses, or a synonym of it.
CREATE LEXICON implied AS
  WITH RECURSIVE up (low, high) AS (
    SELECT object, object FROM wordnet.triples WHERE relation = 'synset'
    UNION SELECT u.low, h.object FROM up u JOIN wordnet.triples h ON h.subject = u.high
      WHERE h.relation IN ('hypernym', 'entailment'))
  SELECT DISTINCT replace(a.subject, ' ', '_') AS premise, replace(b.subject, ' ', '_') AS hypothesis
  FROM wordnet.triples a JOIN up u ON u.low = a.object JOIN wordnet.triples b ON b.object = u.high
  WHERE a.relation = 'synset' AND b.relation = 'synset' AND a.subject <> b.subject;
TRAIN verb_entailment AS score ON t;
TRAIN verb_entailment AS trick ON t WITH (measure = 'score_trick');
TRAIN verb_entailment AS base ON t WITH (measure = 'score_base');
TRAIN verb_entailment AS lin ON t WITH (measure = 'lin');
TRAIN verb_entailment AS binc ON t WITH (measure = 'binc');
TRAIN verb_entailment AS precise ON t WITH (measure = 'precision');
TRAIN verb_entailment AS dirt ON t WITH (measure = 'dirt');
TRAIN verb_entailment AS chance ON t WITH (measure = 'random');
SELECT model, metric, value, low, high FROM (EVALUATE score ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE trick ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE base ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE lin ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE binc ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE precise ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE dirt ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE chance ON implied);
TRAIN verb_entailment AS score10 ON t WITH (per_right = 10);
TRAIN verb_entailment AS lin10 ON t WITH (per_right = 10, measure = 'lin');
TRAIN verb_entailment AS binc10 ON t WITH (per_right = 10, measure = 'binc');
TRAIN verb_entailment AS precise10 ON t WITH (per_right = 10, measure = 'precision');
SELECT model, metric, value, low, high FROM (EVALUATE score10 ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE lin10 ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE binc10 ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE precise10 ON implied);
TRAIN verb_entailment AS score200 ON t WITH (min_template = 200);
TRAIN verb_entailment AS lin200 ON t WITH (measure = 'lin', min_template = 200);
TRAIN verb_entailment AS binc200 ON t WITH (measure = 'binc', min_template = 200);
SELECT model, metric, value, low, high FROM (EVALUATE score200 ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE lin200 ON implied);
SELECT model, metric, value, low, high FROM (EVALUATE binc200 ON implied);
-- The sample that is judged.
SELECT premise, premise_slot, hypothesis, hypothesis_slot, round(score, 5) AS score FROM (SELECT * FROM score.verbs LIMIT 1000) v
  ORDER BY md5(premise || hypothesis) LIMIT 100;
