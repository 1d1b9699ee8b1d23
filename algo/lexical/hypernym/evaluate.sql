-- Scores hypernym on a tenth of the leaf nouns of WordNet, which are hidden, in the database of algo/acquire/web.sql,
-- where t is its store of tuples. Run it where the data is, with WordNet 3.0 in /usr/share/wordnet:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f evaluate.sql
CREATE KB nouns30;
LOAD '/usr/share/wordnet' INTO nouns30 FORMAT wordnet WITH (pos = noun, relations = (synset, hypernym, instance_hypernym));
-- Contexts of common nouns: the slots of verbs, and neighbours in the tree among nouns.
CREATE LEXICON common AS SELECT DISTINCT noun FROM t.nouns WHERE NOT name;
CREATE LEXICON ctx AS
  SELECT p.noun AS word, p.slot || ' ' || p.predicate AS context, sum(p.count) AS count FROM t.tuples p WHERE NOT p.name GROUP BY 1, 2
  UNION ALL SELECT p.noun1, 'X' || split_part(p.path, 'X', 2) || ' ' || p.noun2, sum(p.count) FROM t.paths p
    JOIN common c ON c.noun = p.noun1 WHERE length(p.path) - length(replace(p.path, ' ', '')) = 2 GROUP BY 1, 2
  UNION ALL SELECT p.noun2, 'Y' || split_part(p.path, 'X', 2) || ' ' || p.noun1, sum(p.count) FROM t.paths p
    JOIN common c ON c.noun = p.noun2 WHERE length(p.path) - length(replace(p.path, ' ', '')) = 2 GROUP BY 1, 2;
SELECT count(*), count(DISTINCT word), count(DISTINCT context) FROM ctx;
-- Senses above, of the first three senses of a word; leaves are words none of whose senses has one below.
CREATE LEXICON senses AS SELECT lower(subject) AS word, object AS synset FROM nouns30.triples
  WHERE relation = 'synset' AND weight <= 3;
CREATE LEXICON ups AS SELECT subject AS low, object AS high FROM nouns30.triples WHERE relation IN ('hypernym', 'instance_hypernym');
CREATE LEXICON leaves AS SELECT DISTINCT s.word FROM senses s
  WHERE s.word NOT IN (SELECT a.word FROM senses a JOIN ups u ON u.high = a.synset);
CREATE LEXICON hidden AS SELECT l.word FROM leaves l
  JOIN (SELECT word FROM ctx GROUP BY word HAVING count(*) >= 10) c ON c.word = l.word
  WHERE left(md5('1' || l.word), 1) IN ('0', '1') AND (left(md5('1' || l.word), 1) = '0' OR substring(md5('1' || l.word), 2, 1) < '9');
SELECT count(*) FROM leaves;
SELECT count(*) FROM hidden;
CREATE LEXICON named AS SELECT synset, word FROM senses;
CREATE LEXICON edges AS
  SELECT DISTINCT s.word AS hyponym, u.high AS hypernym, n.word FROM senses s JOIN ups u ON u.low = s.synset JOIN named n ON n.synset = u.high
    WHERE s.word NOT IN (SELECT word FROM hidden)
  UNION ALL SELECT DISTINCT u.low, u.high, n.word FROM ups u JOIN named n ON n.synset = u.high;
CREATE LEXICON gold AS
  WITH RECURSIVE up (word, node, steps) AS (
    SELECT h.word, u.high, 1 FROM hidden h JOIN senses s ON s.word = h.word JOIN ups u ON u.low = s.synset
    UNION SELECT up.word, u.high, up.steps + 1 FROM up JOIN ups u ON u.low = up.node)
  SELECT word, node AS hypernym, min(steps) AS steps FROM up GROUP BY word, node;
SELECT count(DISTINCT word), count(*) FROM gold;
CREATE LEXICON ctx10 AS SELECT c.word, c.context, c.count FROM ctx c JOIN (SELECT word FROM ctx GROUP BY word HAVING count(*) >= 10) w ON w.word = c.word;
CREATE LEXICON ctxl AS SELECT c.word, c.context, 1 + ln(c.count) AS count FROM ctx10 c
  JOIN (SELECT context FROM ctx10 GROUP BY context HAVING count(*) >= 3) w ON w.context = c.context;
TRAIN latent_classes AS lc ON ctxl WITH (classes = 100, iterations = 25, prune = 0.0001);
TRAIN hypernym AS ksim ON ctx, edges AS taxonomy;
TRAIN hypernym AS parents ON ctx, edges AS taxonomy WITH (d = 0);
TRAIN hypernym AS nearest ON ctx, edges AS taxonomy WITH (method = nearest);
TRAIN hypernym AS itself ON ctx, edges AS taxonomy WITH (method = hypernym_sim);
TRAIN hypernym AS children ON ctx, edges AS taxonomy WITH (method = children_avg, min_children = 5);
TRAIN hypernym AS ksimc ON ctx, edges AS taxonomy, lc AS classes WITH (s_min = 0.3);
TRAIN hypernym AS parentsc ON ctx, edges AS taxonomy, lc AS classes WITH (s_min = 0.3, d = 0);
TRAIN hypernym AS nearestc ON ctx, edges AS taxonomy, lc AS classes WITH (s_min = 0.3, method = nearest);
TRAIN hypernym AS itselfc ON ctx, edges AS taxonomy, lc AS classes WITH (s_min = 0.3, method = hypernym_sim);
TRAIN hypernym AS childrenc ON ctx, edges AS taxonomy, lc AS classes WITH (s_min = 0.3, method = children_avg, min_children = 5);
SELECT model, metric, round(value, 3) AS value, round(low, 3) AS low, round(high, 3) AS high, support FROM (
  EVALUATE ksim, parents, nearest, itself, children, ksimc, parentsc, nearestc, itselfc, childrenc ON gold);
SELECT word, hypernym, name, round(score, 2) AS score, voters FROM ksim.attach LIMIT 20;
SELECT voter, round(similarity, 3) AS similarity, steps, round(vote, 3) AS vote FROM ksim.attach a, ksim.voters(a.word, a.hypernym) v
  WHERE a.rank = 1 LIMIT 10;
-- The sample that is judged.
SELECT h.word, h.hypernym FROM (SELECT * FROM ksim.attach LIMIT 1000) h ORDER BY md5(h.word) LIMIT 100;
