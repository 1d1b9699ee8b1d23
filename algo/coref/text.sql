-- From raw text to clusters: models of tags, trees, entities, mentions and clusters, which one statement then chains.
-- Tags and trees are learned from EWT and GUM, entities from GUM, clusters from OntoGUM as ontogum.sql made it, in whose
-- database file this runs:
--   cd "$PARLANCE_DATA" && parlance exec --db coref.db -f ontogum.sql -f text.sql
CREATE CORPUS ud;
LOAD 'ud/en_ewt.train.conllu' INTO ud FORMAT conllu;
LOAD 'gum/train.conllu' INTO ud FORMAT conllu;
TRAIN perceptron AS tagger ON ud WITH (layer = 'xpos', features = pos, calibration = none);
TRAIN transition_parser AS parser ON ud WITH (tags = xpos, calibration = none);
-- Entities of GUM are all phrases; those with a proper noun are learned.
INSERT INTO train.entities SELECT e.doc, e.sent, e.tok_start, e.tok_end, e.label FROM ud.entities e
  WHERE e.doc IN (SELECT id FROM train) AND EXISTS (SELECT 1 FROM ud.tokens t
    WHERE t.doc = e.doc AND t.sent = e.sent AND t.tok BETWEEN e.tok_start AND e.tok_end AND t.upos = 'PROPN');
TRAIN perceptron AS ner ON train WITH (layer = 'entities', calibration = none);
TRAIN mention_detector AS finder ON train USING ner WITH (entities = true, jackknife = 2);
TRAIN coref AS coref ON train USING ner WITH (detector = finder, mentions = both, antecedents = 200, reads = 'entities', passes = 4, rate = 0.05, jackknife = 2);
