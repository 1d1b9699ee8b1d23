-- Corpora of LitBank, ECB+ and GUM, train and dev of each, after owntrees.sql on the same database file: LitBank and ECB+
-- have words and mentions alone, and get tags and trees of the models that owntrees.sql trains. Documents are divided by
-- their ids: of LitBank's 80 books each fourth is dev; of ECB+'s topics 23 and 24 are dev, 38, 42 and 45 are left out.
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/own.db -f corpora.sql
CREATE CORPUS lit (part TEXT);
LOAD 'litbank/*.conll' INTO lit FORMAT conll2012;
UPDATE lit SET part = p.part FROM
  (SELECT id, CASE WHEN row_number() OVER (ORDER BY id) % 4 = 0 THEN 'dev' ELSE 'train' END AS part FROM lit) p WHERE p.id = lit.id;
CREATE CORPUS ecb (part TEXT);
LOAD 'xdoc/ecbplus/*/*.xml' INTO ecb FORMAT ecb;
DELETE FROM ecb WHERE topic IN (38, 42, 45);
UPDATE ecb SET part = CASE WHEN topic IN (23, 24) THEN 'dev' ELSE 'train' END;
CREATE CORPUS gum (part TEXT);
LOAD 'gum/train.conllu' INTO gum FORMAT conllu;
UPDATE gum SET part = 'train';
LOAD 'gum/dev.conllu' INTO gum FORMAT conllu;
UPDATE gum SET part = 'dev' WHERE part IS NULL;
UPDATE lit.tokens SET xpos = t.xpos, lemma = lower(t.form) FROM (SELECT doc, sent, tok, form, xpos FROM lit.tokens USING xtag) t
  WHERE t.doc = tokens.doc AND t.sent = tokens.sent AND t.tok = tokens.tok;
UPDATE lit.tokens SET upos = t.upos FROM (SELECT doc, sent, tok, upos FROM lit.tokens USING utag) t
  WHERE t.doc = tokens.doc AND t.sent = tokens.sent AND t.tok = tokens.tok;
INSERT INTO lit.dependencies SELECT doc, sent, tok, head, deprel FROM lit.dependencies USING tp;
UPDATE ecb.tokens SET xpos = t.xpos, lemma = lower(t.form) FROM (SELECT doc, sent, tok, form, xpos FROM ecb.tokens USING xtag) t
  WHERE t.doc = tokens.doc AND t.sent = tokens.sent AND t.tok = tokens.tok;
UPDATE ecb.tokens SET upos = t.upos FROM (SELECT doc, sent, tok, upos FROM ecb.tokens USING utag) t
  WHERE t.doc = tokens.doc AND t.sent = tokens.sent AND t.tok = tokens.tok;
INSERT INTO ecb.dependencies SELECT doc, sent, tok, head, deprel FROM ecb.dependencies USING tp;
SELECT 'lit' AS corpus, document.part AS part, count(DISTINCT doc) AS documents, count(*) AS mentions FROM lit.mentions GROUP BY 2
UNION ALL SELECT 'ecb', document.part, count(DISTINCT doc), count(*) FROM ecb.mentions GROUP BY 2
UNION ALL SELECT 'gum', document.part, count(DISTINCT doc), count(*) FROM gum.mentions GROUP BY 2 ORDER BY 1, 2;
