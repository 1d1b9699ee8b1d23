-- The corpora of names: WNUT-17, and the runs of proper nouns of GUM with the type of the smallest mention around them.
-- Part 1 of four is what a quarter learns from.
CREATE CORPUS wnut (split TEXT, part INTEGER);
LOAD 'ner/wnut17.train' INTO wnut FORMAT conll SET split = 'train';
LOAD 'ner/wnut17.dev' INTO wnut FORMAT conll SET split = 'dev';
LOAD 'ner/wnut17.test' INTO wnut FORMAT conll SET split = 'test';
UPDATE wnut SET part = CAST(split_part(id, ':', 2) AS INTEGER) % 4;
CREATE CORPUS mentioned (split TEXT);
LOAD 'gum/train.conllu' INTO mentioned FORMAT conllu SET split = 'train';
LOAD 'gum/dev.conllu' INTO mentioned FORMAT conllu SET split = 'dev';
CREATE CORPUS gum (split TEXT, part INTEGER);
LOAD 'gum/train.conllu' INTO gum FORMAT conllu WITH (entities = false) SET split = 'train';
LOAD 'gum/dev.conllu' INTO gum FORMAT conllu WITH (entities = false) SET split = 'dev';
INSERT INTO gum.entities (doc, sent, tok_start, tok_end, label)
  WITH proper AS (SELECT doc, sent, tok, tok - row_number() OVER (PARTITION BY doc, sent ORDER BY tok) AS run
      FROM mentioned.tokens WHERE xpos IN ('NNP', 'NNPS')),
    runs AS (SELECT doc, sent, min(tok) AS first, max(tok) AS last FROM proper GROUP BY doc, sent, run)
  SELECT DISTINCT ON (r.doc, r.sent, r.first) r.doc, r.sent, r.first, r.last,
      CASE WHEN m.kind IN ('person', 'place', 'organization') THEN m.kind ELSE 'rest' END
    FROM runs r JOIN mentioned.mentions m ON m.doc = r.doc AND m.sent = r.sent AND m.tok_start <= r.first AND m.tok_end >= r.last
    ORDER BY r.doc, r.sent, r.first, m.tok_end - m.tok_start;
UPDATE gum SET part = n % 4 FROM (SELECT id AS name, row_number() OVER (ORDER BY id) AS n FROM mentioned) x WHERE x.name = gum.id;

-- Each column joins the templates of the paper that have no pair of labels, within a token of the label.
CREATE FEATURES matched AS 'ner, gaz_match(wiki)[-1..1], gaz_match(wiki)[-1]|gaz_match(wiki)[0], gaz_match(wiki)[0]|gaz_match(wiki)[1]';
CREATE FEATURES labelling AS 'ner, gaz_match(wiki)[-1..1], gaz_match(wiki)[-1]|gaz_match(wiki)[0], gaz_match(wiki)[0]|gaz_match(wiki)[1],
  gaz_label(wiki.labelled)[-1..1], gaz_label(wiki.labelled)[-1]|gaz_label(wiki.labelled)[0], gaz_label(wiki.labelled)[0]|gaz_label(wiki.labelled)[1]';
TRAIN crf AS w0 ON wnut WHERE split = 'train' AND part = 1 WITH (features = ner, l2 = 0.3);
TRAIN crf AS w1 ON wnut WHERE split = 'train' AND part = 1 WITH (features = matched, l2 = 0.3);
TRAIN crf AS w2 ON wnut WHERE split = 'train' AND part = 1 WITH (features = labelling, l2 = 0.3);
EVALUATE w0, w1, w2 ON wnut WHERE NOT (split = 'train' AND part = 1);
TRAIN crf AS g0 ON gum WHERE part = 1 WITH (features = ner, l2 = 0.3);
TRAIN crf AS g1 ON gum WHERE part = 1 WITH (features = matched, l2 = 0.3);
TRAIN crf AS g2 ON gum WHERE part = 1 WITH (features = labelling, l2 = 0.3);
EVALUATE g0, g1, g2 ON gum WHERE NOT part = 1;
