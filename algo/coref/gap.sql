-- Which names ambiguous pronouns stand for, on the development set of GAP, by the rule of its scorer: each of the two names
-- is a decision, of which precision, recall and F1 are taken, of all pronouns and by gender; bias is F1 of feminine ones
-- by F1 of masculine ones. After text.sql on the same database file, in $PARLANCE_DATA.
-- A name corefers with the pronoun where the smallest mention that covers it is in the cluster of the pronoun, or else the
-- first mention inside it.
CREATE CORPUS gap ("Pronoun" TEXT, "Pronoun-offset" INTEGER, "A" TEXT, "A-offset" INTEGER, "A-coref" BOOLEAN,
  "B" TEXT, "B-offset" INTEGER, "B-coref" BOOLEAN, "URL" TEXT);
LOAD 'coref/gap-development.tsv' INTO gap FORMAT tsv WITH (id = 'ID', text = 'Text');
WITH answer AS (SELECT doc, cluster, char_start, char_end FROM gap.mentions USING tagger, parser, ner, coref),
  pronoun AS (SELECT g.id, a.cluster FROM gap g JOIN answer a
    ON a.doc = g.id AND a.char_start = g."Pronoun-offset" AND a.char_end = g."Pronoun-offset" + length(g."Pronoun")),
  name AS (SELECT id, 'A' AS name, "A-offset" AS start, "A-offset" + length("A") AS stop, "A-coref" AS gold FROM gap
    UNION ALL SELECT id, 'B', "B-offset", "B-offset" + length("B"), "B-coref" FROM gap),
  mentioned AS (SELECT n.id, n.name, a.cluster, row_number() OVER (PARTITION BY n.id, n.name
      ORDER BY CASE WHEN a.char_start <= n.start AND a.char_end >= n.stop THEN a.char_end - a.char_start ELSE 1000000 + a.char_start END) AS n
    FROM name n JOIN answer a ON a.doc = n.id AND (a.char_start <= n.start AND a.char_end >= n.stop OR a.char_start >= n.start AND a.char_end <= n.stop)),
  decision AS (SELECT n.gold, coalesce(m.cluster = p.cluster, false) AS said,
      CASE WHEN lower(g."Pronoun") IN ('he', 'him', 'his') THEN 'masculine' ELSE 'feminine' END AS gender
    FROM name n JOIN gap g ON g.id = n.id LEFT JOIN mentioned m ON m.id = n.id AND m.name = n.name AND m.n = 1 LEFT JOIN pronoun p ON p.id = n.id),
  counts AS (SELECT gender, count(*) FILTER (WHERE gold AND said) AS tp, count(*) FILTER (WHERE NOT gold AND said) AS fp,
      count(*) FILTER (WHERE gold AND NOT said) AS fn FROM (SELECT gender, gold, said FROM decision UNION ALL SELECT 'all', gold, said FROM decision) d GROUP BY gender),
  scores AS (SELECT gender, tp, fp, fn, coalesce(100.0 * tp / nullif(tp + fp, 0), 0) AS precision, coalesce(100.0 * tp / nullif(tp + fn, 0), 0) AS recall,
      coalesce(200.0 * tp / nullif(2 * tp + fp + fn, 0), 0) AS f1 FROM counts)
SELECT gender, tp, fp, fn, round(precision, 1) AS precision, round(recall, 1) AS recall, round(f1, 1) AS f1,
  round(f1 / nullif((SELECT f1 FROM scores WHERE gender = 'masculine'), 0), 2) AS bias FROM scores ORDER BY gender;
