-- Scores excitation by choices: which of two sentences is the likelier cause or effect of a third one, in COPA (with its
-- mirrored half) and e-CARE, and on the verbs of BECauSE, in the database of ../web.sql after evaluate.sql. Run it where the data is:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/tuples/web.db -f choices.sql
CREATE CORPUS copalines;
LOAD 'causal/balanced-copa.dev-all.xml' INTO copalines FORMAT lines;
CREATE LEXICON copan AS SELECT CAST(split_part(id, ':', 2) AS INTEGER) AS n, text FROM copalines;
CREATE LEXICON ecare ("index" TEXT, ask TEXT, premise TEXT, h1 TEXT, h2 TEXT, label INTEGER, explanation TEXT);
LOAD 'causal/ecare.dev-a.tsv' INTO ecare FORMAT tsv;
CREATE LEXICON choices AS
  SELECT 'copa' AS source, 'copa-' || regexp_replace(i.text, '^.*<item id="(\d+)".*$', '\1') AS item,
      regexp_replace(i.text, '^.*asks-for="(\w+)".*$', '\1') AS ask, CAST(regexp_replace(i.text, '^.*alternative="(\d)".*$', '\1') AS INTEGER) AS label,
      regexp_replace(p.text, '</?\w+>', '', 'g') AS premise, regexp_replace(a.text, '</?\w+>', '', 'g') AS h1, regexp_replace(b.text, '</?\w+>', '', 'g') AS h2
    FROM copan i JOIN (SELECT * FROM copan WHERE text LIKE '%<p>%') p ON p.n = i.n + 1 JOIN (SELECT * FROM copan WHERE text LIKE '%<a1>%') a ON a.n = i.n + 2
      JOIN (SELECT * FROM copan WHERE text LIKE '%<a2>%') b ON b.n = i.n + 3 WHERE i.text LIKE '%<item id=%'
  UNION ALL SELECT 'ecare', "index", ask, label + 1, premise, h1, h2 FROM ecare;
SELECT source, ask, count(*) FROM choices GROUP BY source, ask ORDER BY source, ask;
CREATE CORPUS said;
INSERT INTO said (id, text) SELECT item || '/0', premise FROM choices;
INSERT INTO said (id, text) SELECT item || '/1', h1 FROM choices;
INSERT INTO said (id, text) SELECT item || '/2', h2 FROM choices;
TRAIN tuples AS ct ON said USING upos, xpos, tp WITH (names = 'all', evidence = 100, max_path = 1, clauses = false, surface = 'none');
CREATE LEXICON saidevents AS SELECT DISTINCT e.slot, e.predicate, e.doc FROM (SELECT DISTINCT noun FROM ct.tuples) n, ct.evidence(n.noun) e WHERE NOT e.negated;
-- How templates follow each other in clauses: discounted mutual information, of pairs with a connective of the type and.
CREATE LEXICON follows AS SELECT predicate1 AS p1, slot1 AS s1, predicate2 AS p2, slot2 AS s2, sum(count) AS n FROM t.clauses
  WHERE type = 'and' AND negated1 = negated2 GROUP BY predicate1, slot1, predicate2, slot2;
CREATE LEXICON firsts AS SELECT p1, s1, sum(n) AS n FROM follows GROUP BY p1, s1;
CREATE LEXICON seconds AS SELECT p2, s2, sum(n) AS n FROM follows GROUP BY p2, s2;
-- Pairs of events of a premise and an alternative, in the order of cause and effect.
CREATE LEXICON eventpairs AS
  SELECT DISTINCT c.source, c.item, c.label, h.k, CASE c.ask WHEN 'cause' THEN a.predicate ELSE p.predicate END AS p1, CASE c.ask WHEN 'cause' THEN a.slot ELSE p.slot END AS s1,
      CASE c.ask WHEN 'cause' THEN p.predicate ELSE a.predicate END AS p2, CASE c.ask WHEN 'cause' THEN p.slot ELSE a.slot END AS s2
    FROM choices c JOIN saidevents p ON p.doc = c.item || '/0' JOIN (VALUES (1), (2)) h (k) ON TRUE JOIN saidevents a ON a.doc = c.item || '/' || h.k;
SELECT source, count(DISTINCT item), count(*) FROM eventpairs GROUP BY source;
TRAIN verb_entailment AS vesim ON t WITH (measure = 'lin', min_template = 5, nbest = 1, vague = (be));
CREATE LEXICON weighed AS SELECT e.source, e.item, e.label, e.k, abs(v1.value * v2.value) AS w,
    CASE WHEN f.n IS NULL THEN 0 ELSE greatest(ln(1.0 * f.n * (SELECT sum(n) FROM follows) / (a.n * b.n)), 0) * f.n / (f.n + 1.0) END AS pmi, coalesce(s.lin, 0) AS lin
  FROM eventpairs e LEFT JOIN follows f ON f.p1 = e.p1 AND f.s1 = e.s1 AND f.p2 = e.p2 AND f.s2 = e.s2
    LEFT JOIN firsts a ON a.p1 = e.p1 AND a.s1 = e.s1 LEFT JOIN seconds b ON b.p2 = e.p2 AND b.s2 = e.s2
    LEFT JOIN exc.templates v1 ON v1.predicate = e.p1 AND v1.slot = e.s1 LEFT JOIN exc.templates v2 ON v2.predicate = e.p2 AND v2.slot = e.s2
    LEFT JOIN vesim.score(e.p1, e.s1, e.p2, e.s2) s ON TRUE;
CREATE LEXICON alternatives AS SELECT source, item, label, k, sum(pmi) AS unweighted, sum(coalesce(w, 0) * pmi) AS weighted, sum(lin) AS similarity
  FROM weighed GROUP BY source, item, label, k;
CREATE LEXICON decided AS SELECT a.source, a.item, a.label, m.name,
    CASE m.name WHEN 'unweighted' THEN a.unweighted WHEN 'weighted' THEN a.weighted ELSE a.similarity END AS x,
    CASE m.name WHEN 'unweighted' THEN b.unweighted WHEN 'weighted' THEN b.weighted ELSE b.similarity END AS y
  FROM alternatives a JOIN alternatives b ON b.item = a.item AND b.k = 2 JOIN (VALUES ('weighted'), ('unweighted'), ('similarity')) m (name) ON TRUE WHERE a.k = 1;
SELECT source, name, count(*) AS both, sum(CASE WHEN x <> y THEN 1 ELSE 0 END) AS decided, sum(CASE WHEN x <> y AND (x > y) = (label = 1) THEN 1 ELSE 0 END) AS right
  FROM decided GROUP BY source, name ORDER BY source, name;
-- BECauSE: words for causes that are verbs, with the degree of their instances.
CREATE CORPUS annlines;
LOAD 'causal/because/*.ann' INTO annlines FORMAT lines;
CREATE LEXICON ann AS SELECT split_part(id, ':', 1) AS file, split_part(text, E'\t', 1) AS id, split_part(text, E'\t', 2) AS what, lower(split_part(text, E'\t', 3)) AS words FROM annlines;
CREATE LEXICON degrees AS SELECT t.words, split_part(a.what, ' ', 3) AS degree FROM ann a
    JOIN ann e ON e.file = a.file AND e.id = split_part(a.what, ' ', 2)
    JOIN ann t ON t.file = a.file AND t.id = regexp_replace(split_part(e.what, ' ', 1), '^.*:', '') WHERE a.what LIKE 'Degree %';
SELECT degree, count(*) FROM degrees GROUP BY degree;
-- Verbs among them, by their endings, whose object slot has a value and is no seed.
CREATE LEXICON degreeverbs AS SELECT DISTINCT v.predicate, d.degree, v.value FROM degrees d
    JOIN (VALUES ('', ''), ('s$', ''), ('es$', ''), ('d$', ''), ('ed$', ''), ('ing$', ''), ('ing$', 'e')) f (ending, put) ON d.words NOT LIKE '% %'
    JOIN exc.templates v ON v.predicate = CASE f.ending WHEN '' THEN d.words ELSE regexp_replace(d.words, f.ending, f.put) END AND v.slot = 'obj' AND v.value <> 0 AND v.seed = 0;
SELECT degree, count(*) AS verbs, sum(CASE WHEN value > 0 THEN 1 ELSE 0 END) AS excitatory FROM degreeverbs GROUP BY degree;
SELECT * FROM degreeverbs ORDER BY degree, predicate;
