-- Scores excitation on verbs below excitatory and inhibitory ones in WordNet and on antonyms and synonyms, in the
-- database of ../web.sql, where t is its store of tuples. Run it where the data is, with WordNet 3.0 in
-- /usr/share/wordnet:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f evaluate.sql
CREATE KB verbs;
LOAD '/usr/share/wordnet' INTO verbs FORMAT wordnet WITH (pos = verb, relations = (synset, hypernym));
CREATE LEXICON roots (verb TEXT, sign FLOAT);
INSERT INTO roots VALUES ('increase', 1), ('create', 1), ('cause', 1), ('produce', 1), ('support', 1), ('develop', 1), ('build', 1),
  ('strengthen', 1), ('promote', 1), ('acquire', 1), ('decrease', -1), ('destroy', -1), ('remove', -1), ('prevent', -1), ('stop', -1),
  ('lose', -1), ('weaken', -1), ('suppress', -1), ('kill', -1), ('discard', -1);
-- Verbs of any sense below the first sense of a root; those below roots of both signs are left out.
CREATE LEXICON signs AS
  WITH RECURSIVE down (synset, sign) AS (
    SELECT t.object, r.sign FROM roots r JOIN verbs.triples t ON t.subject = r.verb AND t.relation = 'synset' AND t.weight = 1
    UNION SELECT h.subject, d.sign FROM down d JOIN verbs.triples h ON h.object = d.synset AND h.relation = 'hypernym')
  SELECT replace(t.subject, ' ', '_') AS predicate, max(d.sign) AS sign
  FROM down d JOIN verbs.triples t ON t.object = d.synset AND t.relation = 'synset'
  GROUP BY t.subject HAVING min(d.sign) = max(d.sign);
SELECT sign, count(*) FROM signs GROUP BY sign;
CREATE LEXICON antsyn (verb1 TEXT, verb2 TEXT, label INTEGER);
LOAD 'wordsim/antsyn/verb-pairs.*' INTO antsyn FORMAT tsv WITH (header = false);
CREATE LEXICON opposites AS SELECT verb1, verb2, label = 1 AS antonym FROM antsyn;
TRAIN excitation AS exc ON t;
TRAIN excitation AS sim ON t WITH (method = 'similarity');
SELECT * FROM exc.iterations;
SELECT model, metric, value, low, high, support FROM (EVALUATE exc ON signs);
SELECT model, metric, value, low, high, support FROM (EVALUATE sim ON signs);
SELECT model, metric, value, low, high, support FROM (EVALUATE exc WITH (task = 'pairs') ON opposites);
SELECT model, metric, value, low, high, support FROM (EVALUATE sim WITH (task = 'pairs') ON opposites);
TRAIN excitation AS exc3 ON t WITH (iterations = 3);
SELECT model, metric, value, low, high, support FROM (EVALUATE exc3 ON signs);
TRAIN excitation AS held ON t WITH (iterations = 3, reclamp = true);
SELECT model, metric, value, low, high, support FROM (EVALUATE held ON signs);
-- As published, TRAIN excitation AS paper ON t WITH (noun_pairs = 5, min_links = 5, same_noun = false, reclamp = true) links no
-- templates in this text, which is an error.
-- The samples that are judged.
SELECT c.predicate1, c.slot1, c.noun1, c.negated1, c.predicate2, c.slot2, c.noun2, c.negated2, c.count
  FROM (SELECT *, row_number() OVER (PARTITION BY predicate1, slot1, predicate2, slot2) AS n FROM (SELECT * FROM exc.causalities LIMIT 10000)) c
  WHERE n = 1 ORDER BY md5(predicate1 || slot1 || noun1 || predicate2 || slot2 || noun2) LIMIT 100;
SELECT c.noun, c.predicate1, c.slot1, c.predicate2, c.slot2, c.count
  FROM (SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY predicate1, slot1, predicate2, slot2) AS n FROM exc.contradictions) x
    WHERE n = 1 ORDER BY score DESC, predicate1, predicate2, slot1, slot2 LIMIT 1000) c
  ORDER BY md5(noun || predicate1 || predicate2) LIMIT 100;
SELECT * FROM exc.hypotheses LIMIT 20;
