-- Corpora: ewt is $PARLANCE_DATA/ud/en_ewt.train.conllu. wcl, w00 and deft have a document a sentence, with its label, those
-- of wcl with their term (TARGET in the file becomes the term). wiki has the articles of
-- $PARLANCE_DATA/text/wikipedia-en.{1..7} and the sentences of wikipedia-en.first-sentences.tsv, each with its title, but
-- for titles of wcl.
TRAIN perceptron AS tagger ON ewt WITH (layer = 'xpos', features = pos, epochs = 4, calibration = none);
TRAIN transition_parser AS parser ON ewt WITH (tags = xpos, epochs = 3, calibration = none);

-- Ten folds, by type of pattern, and by windows.
TUNE definition AS folds ON wcl FOLDS 10 USING tagger OVER (c = (0.03, 0.1)) METRIC f1 WITH (seed = 1);
TUNE definition AS seqs ON wcl FOLDS 10 USING tagger, parser OVER (c = (0.1)) METRIC f1
  WITH (seed = 1, patterns = ('ngrams', 'subsequences'));
TUNE definition AS trees ON wcl FOLDS 10 USING tagger, parser OVER (c = (0.1)) METRIC f1
  WITH (seed = 1, patterns = ('ngrams', 'subtrees'));
TUNE definition AS both ON wcl FOLDS 10 USING tagger, parser OVER (c = (0.1)) METRIC f1
  WITH (seed = 1, patterns = ('ngrams', 'subsequences', 'subtrees'));
TUNE definition AS windows ON wcl FOLDS 10 USING tagger OVER (degree = (1, 2)) METRIC f1
  WITH (seed = 1, method = 'windows', c = 0.01);

-- Without a label.
TRAIN definition AS articles ON wiki USING tagger WITH (c = 0.03);
EVALUATE articles ON wcl USING tagger;
TRAIN definition AS drawn ON wiki USING tagger WITH (c = 0.03, negatives = 'random');
EVALUATE drawn ON wcl USING tagger;
TRAIN definition AS parsed ON wiki USING tagger, parser WITH (c = 0.03, patterns = ('ngrams', 'subsequences'));
EVALUATE parsed ON wcl USING tagger, parser;

-- Other domains.
EVALUATE folds ON w00 USING tagger;
EVALUATE articles ON w00 USING tagger;
EVALUATE articles ON deft WHERE part = 'dev' USING tagger;
TRAIN definition AS tuned ON wcl VALIDATE ON deft WHERE part = 'train' USING tagger;
EVALUATE tuned ON deft WHERE part = 'dev' USING tagger;
TRAIN definition AS own ON deft WHERE part = 'train' USING tagger;
EVALUATE own ON deft WHERE part = 'dev' USING tagger;
TUNE definition AS papers ON w00 FOLDS 10 USING tagger OVER (c = (0.03, 0.1)) METRIC f1 WITH (seed = 1);
