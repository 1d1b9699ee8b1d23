-- Corpus pdev: the documents of dev with tags, lemmas and trees of models, after ontogum.sql on the same database file. Lemmas are
-- the commonest ones of a word with its tag in EWT and GUM, else the word in small letters.
CREATE CORPUS ud;
LOAD 'ud/en_ewt.train.conllu' INTO ud FORMAT conllu;
LOAD 'gum/train.conllu' INTO ud FORMAT conllu;
TRAIN perceptron AS xtag ON ud WITH (layer = 'xpos', features = pos, calibration = none);
TRAIN perceptron AS utag ON ud WITH (layer = 'upos', features = pos, calibration = none);
TRAIN transition_parser AS tp ON ud WITH (calibration = none);
TRAIN depparser AS dp ON ud WITH (calibration = none);
CREATE CORPUS pdev;
LOAD 'ontogum/dev.conll.gz' INTO pdev FORMAT conll2012;
DELETE FROM pdev.constituents;
DELETE FROM pdev.mentions;
INSERT INTO pdev.mentions (doc, cluster, sent, tok_start, tok_end) SELECT doc, cluster, sent, tok_start, tok_end FROM dev.mentions;
UPDATE pdev.tokens SET xpos = NULL, lemma = lower(form);
UPDATE pdev.tokens SET xpos = t.xpos FROM (SELECT doc, sent, tok, xpos FROM pdev.tokens USING xtag) t
  WHERE t.doc = tokens.doc AND t.sent = tokens.sent AND t.tok = tokens.tok;
UPDATE pdev.tokens SET upos = t.upos FROM (SELECT doc, sent, tok, upos FROM pdev.tokens USING utag) t
  WHERE t.doc = tokens.doc AND t.sent = tokens.sent AND t.tok = tokens.tok;
UPDATE pdev.tokens SET lemma = l.lemma FROM (SELECT word, upos, lemma FROM (SELECT lower(form) AS word, upos, lemma,
    row_number() OVER (PARTITION BY lower(form), upos ORDER BY count(*) DESC, lemma) AS n FROM ud.tokens GROUP BY 1, 2, 3) c WHERE n = 1) l
  WHERE l.word = lower(tokens.form) AND l.upos = tokens.upos;
INSERT INTO pdev.dependencies SELECT doc, sent, tok, head, deprel FROM pdev.dependencies USING dp;
SELECT metric, round(value, 3) AS value FROM (EVALUATE LAYER pdev.dependencies AGAINST dev.dependencies WITH (samples = 0)) e
  WHERE metric IN ('uas', 'las');
