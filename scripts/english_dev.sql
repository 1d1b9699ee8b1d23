-- How right the pipeline of english.sql is on the dev parts of its treebanks, from raw text. The folder is that of english.sql:
--   parlance exec --db english.parlance -v data=treebanks -f scripts/english_dev.sql
\if :{?ewt_dev}
\else
\set ewt_dev :data / UD_English-EWT/en_ewt-ud-dev.conllu
\endif
\if :{?gum}
\else
\set gum :data / gum
\endif
\set dep :gum / dep/GUM_*.conllu
\set splits :gum / splits.md
CREATE CORPUS splits;
LOAD :'splits' INTO splits FORMAT text;
CREATE CORPUS gold (file TEXT);
LOAD :'ewt_dev' INTO gold FORMAT conllu SET file = 'EWT';
LOAD :'dep' INTO gold FORMAT conllu SET file = 'GUM';
DELETE FROM gold WHERE file = 'GUM' AND (id LIKE 'GUM\_reddit\_%'
  OR strpos((SELECT split_part(split_part(text, '## dev', 2), '## ', 1) FROM splits) || chr(10), ' ' || id || chr(10)) = 0);
-- Dev files as raw text: a blank between sentences, a blank line between paragraphs; code points keep their places.
CREATE CORPUS raw (file TEXT);
INSERT INTO raw (id, text, file) SELECT id, replace(replace(replace(text, '

', '##'), '
', ' '), '##', '

'), file FROM gold;
-- F1 of words, and of words with what is right of them, as the shared task of CoNLL 2018 counts them: a word is right where
-- its first and last character are.
WITH g AS (SELECT x.file, t.doc, t.char_start AS s, t.char_end AS e, t.upos, t.xpos, t.lemma, d.deprel, h.char_start AS hs
    FROM gold x JOIN gold.tokens t ON t.doc = x.id JOIN gold.dependencies d ON d.doc = t.doc AND d.sent = t.sent AND d.tok = t.tok
    LEFT JOIN gold.tokens h ON h.doc = t.doc AND h.sent = t.sent AND h.tok = d.head),
  w AS (SELECT doc, sent, tok, char_start, char_end, upos, xpos, lemma FROM raw.tokens USING tok, upos, xpos, lemmas),
  a AS (SELECT doc, sent, tok, head, deprel FROM raw.dependencies USING tok, upos, xpos, parser),
  p AS (SELECT w.doc, w.char_start AS s, w.char_end AS e, w.upos, w.xpos, w.lemma, a.deprel, h.char_start AS hs
    FROM w JOIN a ON a.doc = w.doc AND a.sent = w.sent AND a.tok = w.tok
    LEFT JOIN w h ON h.doc = w.doc AND h.sent = w.sent AND h.tok = a.head),
  n AS (SELECT r.file, count(*) AS predicted FROM p JOIN raw r ON r.id = p.doc GROUP BY r.file),
  m AS (SELECT g.file, count(*) AS gold, count(p.s) AS words,
      count(*) FILTER (WHERE p.upos = g.upos) AS upos, count(*) FILTER (WHERE p.xpos = g.xpos) AS xpos,
      count(*) FILTER (WHERE p.lemma = g.lemma) AS lemmas,
      count(*) FILTER (WHERE p.s IS NOT NULL AND p.hs IS NOT DISTINCT FROM g.hs) AS uas,
      count(*) FILTER (WHERE p.s IS NOT NULL AND p.hs IS NOT DISTINCT FROM g.hs
        AND split_part(p.deprel, ':', 1) = split_part(g.deprel, ':', 1)) AS las
    FROM g LEFT JOIN p ON p.doc = g.doc AND p.s = g.s AND p.e = g.e GROUP BY g.file)
SELECT m.file, m.gold AS words_of_gold, round(200.0 * m.words / (m.gold + n.predicted), 2) AS words, round(200.0 * upos / (m.gold + n.predicted), 2) AS upos,
  round(200.0 * xpos / (m.gold + n.predicted), 2) AS xpos, round(200.0 * lemmas / (m.gold + n.predicted), 2) AS lemmas,
  round(200.0 * uas / (m.gold + n.predicted), 2) AS uas, round(200.0 * las / (m.gold + n.predicted), 2) AS las
  FROM m JOIN n ON n.file = m.file ORDER BY m.file;
SELECT 'EWT' AS file, metric, round(100 * value, 2) AS value FROM (EVALUATE tok ON gold WHERE file = 'EWT' WITH (samples = 0))
  WHERE metric IN ('f1', 'sentence_f1', 'sentence_whole_f1')
UNION ALL SELECT 'GUM', metric, round(100 * value, 2) FROM (EVALUATE tok ON gold WHERE file = 'GUM' WITH (samples = 0))
  WHERE metric IN ('f1', 'sentence_f1', 'sentence_whole_f1');
DROP CORPUS splits;
DROP CORPUS gold;
DROP CORPUS raw;
