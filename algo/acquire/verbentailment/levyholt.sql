-- The judgements of Levy and Holt: the sentences X relation Y of both sides are parsed, and count where the same two
-- nouns fill slots of one verb on either side. The second sentence entails the first.
CREATE LEXICON lh (q TEXT, p TEXT, label TEXT, part TEXT);
LOAD 'entail/levyholt.dev.tsv' INTO lh FORMAT tsv WITH (header = false) SET part = 'dev';
CREATE LEXICON lhn AS SELECT q, p, label, row_number() OVER () AS n FROM lh;
CREATE CORPUS lhs;
INSERT INTO lhs (id, text) SELECT n || 'q', replace(q, ',', ' ') || '.' FROM lhn;
INSERT INTO lhs (id, text) SELECT n || 'p', replace(p, ',', ' ') || '.' FROM lhn;
TRAIN tuples AS lht ON lhs USING upos, xpos, tp WITH (evidence = 100, max_path = 1, clauses = false, surface = 'none');
CREATE LEXICON lhe AS SELECT n.noun, e.slot, e.predicate, e.doc FROM (SELECT DISTINCT noun FROM lht.tuples) n, lht.evidence(n.noun) e;
CREATE LEXICON judged AS
  SELECT p.predicate AS premise, p.slot AS premise_slot, q.predicate AS hypothesis, q.slot AS hypothesis_slot,
    l.label = 'True' AS entails, '' || l.n AS id
  FROM lhn l JOIN lhe p ON p.doc = l.n || 'p' JOIN lhe q ON q.doc = l.n || 'q' AND q.noun = p.noun
  WHERE p.predicate <> q.predicate;
SELECT count(DISTINCT id) FROM judged;
SELECT model, metric, value, low, high, support FROM (EVALUATE score WITH (task = 'judgements') ON judged);
SELECT model, metric, value, low, high, support FROM (EVALUATE lin WITH (task = 'judgements') ON judged);
SELECT model, metric, value, low, high, support FROM (EVALUATE binc WITH (task = 'judgements') ON judged);
SELECT model, metric, value, low, high, support FROM (EVALUATE precise WITH (task = 'judgements') ON judged);
