-- Folds 0 to 2 of 5 of train, 107 documents, each answered by models of the documents outside it: algo/coref/ontogum.sql and kb.sql
-- come first. Run it where the data is.
ALTER CORPUS train ADD COLUMN fold INTEGER;
UPDATE train SET fold = n.n % 5 FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM train) n WHERE n.id = train.id;
CREATE CORPUS fold_none;
LOAD 'ontogum/train.*.conll.gz' INTO fold_none FORMAT conll2012;
DELETE FROM fold_none.mentions;
CREATE CORPUS fold_static;
LOAD 'ontogum/train.*.conll.gz' INTO fold_static FORMAT conll2012;
DELETE FROM fold_static.mentions;
CREATE CORPUS fold_dynamic;
LOAD 'ontogum/train.*.conll.gz' INTO fold_dynamic FORMAT conll2012;
DELETE FROM fold_dynamic.mentions;
CREATE CORPUS fold_gold;
LOAD 'ontogum/train.*.conll.gz' INTO fold_gold FORMAT conll2012;
DELETE FROM fold_gold.mentions;
TRAIN coref AS of_none ON train WHERE fold <> 0 WITH (passes = 4, rate = 0.07);
INSERT INTO fold_none.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_none WHERE doc IN (SELECT id FROM train WHERE fold = 0);
TRAIN coref AS of_static ON train WHERE fold <> 0 WITH (passes = 4, rate = 0.07, kb = closed, kb_mode = static);
INSERT INTO fold_static.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_static WHERE doc IN (SELECT id FROM train WHERE fold = 0);
TRAIN coref AS of_dynamic ON train WHERE fold <> 0 WITH (passes = 4, rate = 0.07, kb = closed);
INSERT INTO fold_dynamic.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_dynamic WHERE doc IN (SELECT id FROM train WHERE fold = 0);
TRAIN coref AS of_gold ON train WHERE fold <> 0 WITH (passes = 4, rate = 0.07, kb = closed, kb_rollin = gold);
INSERT INTO fold_gold.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_gold WHERE doc IN (SELECT id FROM train WHERE fold = 0);
TRAIN coref AS of_none ON train WHERE fold <> 1 WITH (passes = 4, rate = 0.07);
INSERT INTO fold_none.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_none WHERE doc IN (SELECT id FROM train WHERE fold = 1);
TRAIN coref AS of_static ON train WHERE fold <> 1 WITH (passes = 4, rate = 0.07, kb = closed, kb_mode = static);
INSERT INTO fold_static.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_static WHERE doc IN (SELECT id FROM train WHERE fold = 1);
TRAIN coref AS of_dynamic ON train WHERE fold <> 1 WITH (passes = 4, rate = 0.07, kb = closed);
INSERT INTO fold_dynamic.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_dynamic WHERE doc IN (SELECT id FROM train WHERE fold = 1);
TRAIN coref AS of_gold ON train WHERE fold <> 1 WITH (passes = 4, rate = 0.07, kb = closed, kb_rollin = gold);
INSERT INTO fold_gold.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_gold WHERE doc IN (SELECT id FROM train WHERE fold = 1);
TRAIN coref AS of_none ON train WHERE fold <> 2 WITH (passes = 4, rate = 0.07);
INSERT INTO fold_none.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_none WHERE doc IN (SELECT id FROM train WHERE fold = 2);
TRAIN coref AS of_static ON train WHERE fold <> 2 WITH (passes = 4, rate = 0.07, kb = closed, kb_mode = static);
INSERT INTO fold_static.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_static WHERE doc IN (SELECT id FROM train WHERE fold = 2);
TRAIN coref AS of_dynamic ON train WHERE fold <> 2 WITH (passes = 4, rate = 0.07, kb = closed);
INSERT INTO fold_dynamic.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_dynamic WHERE doc IN (SELECT id FROM train WHERE fold = 2);
TRAIN coref AS of_gold ON train WHERE fold <> 2 WITH (passes = 4, rate = 0.07, kb = closed, kb_rollin = gold);
INSERT INTO fold_gold.mentions (doc, cluster, sent, tok_start, tok_end)
  SELECT doc, cluster, sent, tok_start, tok_end FROM train.mentions USING of_gold WHERE doc IN (SELECT id FROM train WHERE fold = 2);
EVALUATE LAYER fold_none.mentions, fold_static.mentions, fold_dynamic.mentions, fold_gold.mentions
  AGAINST train.mentions WHERE fold < 3 WITH (samples = 1000);
