-- Corpora train and dev: the clusters, tags, speakers and constituents of OntoGUM with the universal tags, features and
-- dependencies of GUM, which has the same tokens. Run it where the data is:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/coref.db -f ontogum.sql
CREATE CORPUS train;
LOAD 'ontogum/train.*.conll.gz' INTO train FORMAT conll2012;
CREATE CORPUS dev;
LOAD 'ontogum/dev.conll.gz' INTO dev FORMAT conll2012;
CREATE CORPUS gum;
LOAD 'gum/train.conllu' INTO gum FORMAT conllu;
LOAD 'gum/dev.conllu' INTO gum FORMAT conllu;
INSERT INTO train.dependencies SELECT doc, sent, tok, head, deprel FROM gum.dependencies
  WHERE doc IN (SELECT id FROM train);
INSERT INTO dev.dependencies SELECT doc, sent, tok, head, deprel FROM gum.dependencies
  WHERE doc IN (SELECT id FROM dev);
UPDATE train.tokens SET upos = g.upos, feats = g.feats FROM gum.tokens g
  WHERE g.doc = tokens.doc AND g.sent = tokens.sent AND g.tok = tokens.tok;
UPDATE dev.tokens SET upos = g.upos, feats = g.feats FROM gum.tokens g
  WHERE g.doc = tokens.doc AND g.sent = tokens.sent AND g.tok = tokens.tok;
DROP CORPUS gum;
-- A span of two clusters stays in the first; what is then alone is no mention, as singletons are not annotated.
DELETE FROM train.mentions USING
  (SELECT doc, mention, row_number() OVER (PARTITION BY doc, sent, tok_start, tok_end ORDER BY mention) AS n FROM train.mentions) t
  WHERE t.doc = mentions.doc AND t.mention = mentions.mention AND t.n > 1;
DELETE FROM dev.mentions USING
  (SELECT doc, mention, row_number() OVER (PARTITION BY doc, sent, tok_start, tok_end ORDER BY mention) AS n FROM dev.mentions) t
  WHERE t.doc = mentions.doc AND t.mention = mentions.mention AND t.n > 1;
DELETE FROM train.mentions USING (SELECT doc, cluster FROM train.mentions GROUP BY 1, 2 HAVING count(*) = 1) t
  WHERE t.doc = mentions.doc AND t.cluster = mentions.cluster;
DELETE FROM dev.mentions USING (SELECT doc, cluster FROM dev.mentions GROUP BY 1, 2 HAVING count(*) = 1) t
  WHERE t.doc = mentions.doc AND t.cluster = mentions.cluster;
SELECT 'train' AS corpus, count(DISTINCT doc) AS documents, count(*) AS mentions, count(DISTINCT doc || cluster) AS clusters
  FROM train.mentions UNION ALL SELECT 'dev', count(DISTINCT doc), count(*), count(DISTINCT doc || cluster) FROM dev.mentions;
