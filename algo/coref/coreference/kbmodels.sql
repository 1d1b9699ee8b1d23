-- Models with a knowledge base, gold mentions: algo/coref/ontogum.sql and kb.sql make the corpora and knowledge bases.
TRAIN coref AS kb_none ON train WITH (passes = 4, rate = 0.07);
TRAIN coref AS kb_static ON train WITH (passes = 4, rate = 0.07, kb = closed, kb_mode = static);
TRAIN coref AS kb_dynamic ON train WITH (passes = 4, rate = 0.07, kb = closed);
TRAIN coref AS kb_gold ON train WITH (passes = 4, rate = 0.07, kb = closed, kb_rollin = gold);
TRAIN coref AS kb_match ON train WITH (passes = 4, rate = 0.07, kb = closed, kb_features = match, kb_rollin = gold);
TRAIN coref AS world_static ON train WITH (passes = 4, rate = 0.07, kb = world, kb_mode = static);
TRAIN coref AS world_dynamic ON train WITH (passes = 4, rate = 0.07, kb = world);
TRAIN coref AS open_static ON train WITH (passes = 4, rate = 0.07, kb = open, kb_mode = static);
TRAIN coref AS open_dynamic ON train WITH (passes = 4, rate = 0.07, kb = open);
TRAIN coref AS kb_alone ON train WITH (method = kb_linking, kb = closed);
TRAIN coref AS pairs_none ON train WITH (train = pairs, passes = 6, decay = 0);
TRAIN coref AS pairs_static ON train WITH (train = pairs, passes = 6, decay = 0, kb = closed, kb_mode = static);
TRAIN coref AS pairs_dynamic ON train WITH (train = pairs, passes = 6, decay = 0, kb = closed);
TRAIN coref AS merged_none ON train WITH (passes = 4, rate = 0.07, merge_features = true);
TRAIN coref AS merged_dynamic ON train WITH (passes = 4, rate = 0.07, merge_features = true, kb = closed);
EVALUATE kb_none, kb_static, kb_dynamic, kb_gold, kb_match, world_static, world_dynamic, open_static, open_dynamic ON dev WITH (samples = 500);
EVALUATE pairs_none, pairs_static, pairs_dynamic ON dev WITH (samples = 500);
EVALUATE kb_none, merged_none, merged_dynamic, kb_alone ON dev WITH (samples = 500);
-- Entities of mentions against the links of dev, as kb_mode = static and dynamic tell them.
WITH t AS (SELECT doc, sent, tok, row_number() OVER (PARTITION BY doc ORDER BY sent, tok) - 1 AS at FROM dev.tokens),
  gold AS (SELECT l.doc, a.sent, a.tok AS tok_start, b.tok AS tok_end, l.title, l.words FROM links l
    JOIN t a ON a.doc = l.doc AND a.at = l.first JOIN t b ON b.doc = l.doc AND b.at = l.last),
  found AS (SELECT 'static' AS mode, doc, sent, tok_start, tok_end, link FROM dev.mentions USING kb_static
    UNION ALL SELECT 'dynamic', doc, sent, tok_start, tok_end, link FROM dev.mentions USING kb_dynamic)
SELECT f.mode, count(*) AS linked, count(*) FILTER (WHERE f.link = g.title) AS right, count(*) FILTER (WHERE f.link <> g.title) AS wrong,
  count(*) FILTER (WHERE g.words ~ '^([Tt]he )?[A-Z]') AS names,
  count(*) FILTER (WHERE g.words ~ '^([Tt]he )?[A-Z]' AND f.link = g.title) AS names_right
FROM gold g JOIN found f ON f.doc = g.doc AND f.sent = g.sent AND f.tok_start = g.tok_start AND f.tok_end = g.tok_end GROUP BY f.mode;
