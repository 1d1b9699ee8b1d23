-- Pairs right before clusters are made, of the model of pairs alone; pairwise_… of EVALUATE is the same afterwards. After
-- results.sql on the same database file; another model takes the place of alone.
WITH g AS (SELECT doc, cluster, row_number() OVER (PARTITION BY doc ORDER BY char_start, char_end DESC) AS mention FROM dev.mentions),
  gold AS (SELECT count(*) AS n FROM g a JOIN g b ON a.doc = b.doc AND a.cluster = b.cluster AND b.mention < a.mention),
  said AS (SELECT count(*) AS n, count(*) FILTER (WHERE a.cluster = b.cluster) AS hit FROM dev.link_candidates p USING alone
    JOIN g a ON a.doc = p.doc AND a.mention = p.mention JOIN g b ON b.doc = p.doc AND b.mention = p.antecedent)
SELECT round(100.0 * hit / said.n, 1) AS precision, round(100.0 * hit / gold.n, 1) AS recall, round(200.0 * hit / (said.n + gold.n), 1) AS f1 FROM said, gold;
