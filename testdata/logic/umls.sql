-- The semantic network of UMLS, read from train.txt, valid.txt and test.txt in the current folder.
-- Relations are inherited from more general concepts; what is asked is which relations the pairs of
-- the test data have, of pairs that training knows.
CREATE KB umls;
LOAD 'train.txt' INTO umls FORMAT triples;
INSERT INTO umls.rules (rule) SELECT DISTINCT 'isa(x,y) and "' || relation || '"(y,z) => "' || relation || '"(x,z)' FROM umls.triples;
CREATE KB later;
LOAD 'valid.txt', 'test.txt' INTO later FORMAT triples;
CREATE KB held;
LOAD 'test.txt' INTO held FORMAT triples;
CREATE LEXICON cells (subject TEXT, relation TEXT, object TEXT, truth BOOLEAN);
INSERT INTO cells
  SELECT p.subject, r.relation, p.object, t.relation IS NOT NULL
  FROM (SELECT DISTINCT h.subject, h.object FROM held.triples h JOIN umls.triples k ON k.subject = h.subject AND k.object = h.object) p
  CROSS JOIN (SELECT DISTINCT relation FROM umls.triples) r
  LEFT JOIN held.triples t ON t.subject = p.subject AND t.object = p.object AND t.relation = r.relation
  LEFT JOIN umls.triples k ON k.subject = p.subject AND k.object = p.object AND k.relation = r.relation
  LEFT JOIN later.triples l ON l.subject = p.subject AND l.object = p.object AND l.relation = r.relation
  WHERE k.relation IS NULL AND (l.relation IS NULL OR t.relation IS NOT NULL);
SELECT truth, count(*) FROM cells GROUP BY truth ORDER BY truth;
TRAIN logic_embedding AS closed ON umls WITH (variant = 'forward_chain');
TRAIN logic_embedding AS facts ON umls WITH (rules = false, loss = 'squared', l2 = 0.01, seed = 1);
TRAIN logic_embedding AS logic ON umls WITH (ground = 'active', loss = 'squared', l2 = 0.01, seed = 1);
TRAIN logic_embedding AS spared ON umls WITH (ground = 'active', loss = 'squared', l2 = 0.01, spare_derived = true, seed = 1);
SELECT * FROM (EVALUATE closed, facts, logic, spared ON cells) WHERE label = 'ALL' AND metric IN ('accuracy', 'precision', 'recall', 'f1', 'map', 'violations', 'facts@1,logic@1');
