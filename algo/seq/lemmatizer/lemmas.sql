-- Lemmas of English EWT from gold tags and from tags of taggers, and of three other languages from gold tags:
--   cd "$PARLANCE_DATA" && parlance exec -f …/lemmas.sql
CREATE CORPUS train;
LOAD 'ud/en_ewt.train.conllu' INTO train FORMAT conllu;
CREATE CORPUS dev;
LOAD 'ud/en_ewt.dev.conllu' INTO dev FORMAT conllu;
TRAIN lemmatizer AS lem ON train WITH (calibration = none);
SELECT model, metric, value, low, high FROM (EVALUATE lem ON dev) WHERE label = 'ALL' AND metric = 'accuracy';
TRAIN perceptron AS upos ON train WITH (layer = upos, calibration = none);
TRAIN perceptron AS xpos ON train WITH (layer = xpos, calibration = none);
SELECT model, metric, value, low, high FROM (EVALUATE upos, xpos ON dev) WHERE metric = 'accuracy' AND model IN ('upos@1', 'xpos@1');
SELECT model, metric, value, low, high FROM (EVALUATE lem ON dev USING upos, xpos WITH (inputs = 'predicted'))
  WHERE label = 'ALL' AND metric = 'accuracy';
EXPLAIN ANALYZE SELECT count(lemma) FROM train.tokens USING lem;

-- Whether a word was seen with its tags, with its first tag, or not at all.
SELECT CASE WHEN t.form IS NOT NULL THEN 'seen' ELSE 'unseen' END AS words, count(*) AS tokens,
    avg(CASE WHEN g.lemma = p.lemma THEN 1.0 ELSE 0.0 END) AS accuracy
  FROM dev.tokens g JOIN dev.tokens p USING lem ON g.doc = p.doc AND g.sent = p.sent AND g.tok = p.tok
  LEFT JOIN (SELECT DISTINCT lower(form) AS form FROM train.tokens) t ON t.form = lower(g.form)
  GROUP BY words ORDER BY words;

CREATE CORPUS tr;
LOAD 'ud/tr_imst.train.conllu' INTO tr FORMAT conllu;
CREATE CORPUS tr_dev;
LOAD 'ud/tr_imst.dev.conllu' INTO tr_dev FORMAT conllu;
CREATE CORPUS sl;
LOAD 'ud/sl_ssj.dev.conllu' INTO sl FORMAT conllu;
CREATE CORPUS sl_test;
LOAD 'ud/sl_ssj.test.conllu' INTO sl_test FORMAT conllu;
CREATE CORPUS nl;
LOAD 'ud/nl_alpino.dev.conllu' INTO nl FORMAT conllu;
CREATE CORPUS nl_test;
LOAD 'ud/nl_alpino.test.conllu' INTO nl_test FORMAT conllu;
TRAIN lemmatizer AS lem_tr ON tr WITH (tags = (upos, xpos, feats), calibration = none);
SELECT model, metric, value, low, high FROM (EVALUATE lem_tr ON tr_dev) WHERE label = 'ALL' AND metric = 'accuracy';
TRAIN lemmatizer AS lem_sl ON sl WITH (tags = (upos, xpos, feats), calibration = none);
SELECT model, metric, value, low, high FROM (EVALUATE lem_sl ON sl_test) WHERE label = 'ALL' AND metric = 'accuracy';
TRAIN lemmatizer AS lem_nl ON nl WITH (tags = (upos, xpos, feats), calibration = none);
SELECT model, metric, value, low, high FROM (EVALUATE lem_nl ON nl_test) WHERE label = 'ALL' AND metric = 'accuracy';

TRAIN lemmatizer AS likely ON train;
SELECT * FROM (EVALUATE likely ON dev WITH (calibration = true)) WHERE label = 'ALL';
