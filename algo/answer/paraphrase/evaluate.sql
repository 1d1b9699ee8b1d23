-- Corpora: ewt as for definitions. wiki has the articles and first sentences of $PARLANCE_DATA/text with their titles, other
-- the rest of that folder. msrp has the sentences of train and val of $PARLANCE_DATA/para/msrp with the number of their pair
-- as term, sts those of the sets of $PARLANCE_DATA/para/sts but for that with the name of msrp's test part.
TRAIN perceptron AS tagger ON ewt WITH (layer = 'xpos', features = pos, epochs = 4, calibration = none);
TRAIN transition_parser AS parser ON ewt WITH (tags = xpos, calibration = none);
TRAIN definition AS defs ON wiki USING tagger WITH (c = 0.03);

-- Definitions of all text, and what is compared.
CREATE CORPUS found (term TEXT, score FLOAT);
INSERT INTO found (id, text, term, score) SELECT 'w' || doc || '.' || sent, sentence, term, score
  FROM definitions(wiki) USING defs;
INSERT INTO found (id, text, term, score) SELECT 'o' || doc || '.' || sent, sentence, term, score
  FROM definitions(other) USING defs;
TRAIN paraphrase AS para ON found WHERE score > 0.5 USING tagger, parser WITH (max_term = 20);
TRAIN paraphrase AS loc ON found WHERE score > 0.5 USING tagger, parser WITH (max_term = 20, method = 'local');
TRAIN paraphrase AS uns ON found WHERE score > 0.5 USING tagger, parser WITH (max_term = 20, method = 'features');
CREATE CORPUS dpairs (pair TEXT, side TEXT);
INSERT INTO dpairs (id, text, pair, side) SELECT 'a' || pair, definition, 'p' || pair, 'source' FROM para.sentence_pairs;
INSERT INTO dpairs (id, text, pair, side) SELECT 'b' || pair, other_definition, 'p' || pair, 'target'
  FROM para.sentence_pairs;
TRAIN aligner AS al ON dpairs WITH (links = 'grow_diag_final');
TRAIN paraphrase AS smt ON found WHERE score > 0.5 USING tagger, parser
  WITH (max_term = 20, method = 'phrase_table', aligner = al);

-- What was judged: judged.tsv knows a pair by the md5 of its phrases, the lesser one first.
CREATE LEXICON judged (md5 TEXT, label INTEGER, methods TEXT, remark TEXT);
LOAD 'judged.tsv' INTO judged FORMAT tsv;
SELECT p.phrase, p.paraphrase, p.definition, p.other_definition, j.label, j.remark
  FROM para.pairs p JOIN judged j
    ON j.md5 = md5(least(p.phrase, p.paraphrase) || '|' || greatest(p.phrase, p.paraphrase));

-- Outside checks; mjudged has the first 3,000 pairs of sums from train, with the label of their sentences.
TRAIN paraphrase AS sums ON msrp USING tagger, parser WITH (method = 'features', keep = 1000000);
TRAIN paraphrase AS scores ON msrp USING tagger, parser WITH (keep = 1000000);
TRAIN paraphrase AS locals ON msrp USING tagger, parser WITH (method = 'local', keep = 1000000);
TRAIN paraphrase AS machine ON msrp, mjudged AS judged USING tagger, parser WITH (method = 'svm', keep = 1000000);
