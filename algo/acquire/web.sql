-- Corpus web: all English text of the data, about 12 million tokens, with tags and dependencies of a pipeline that is
-- trained here on EWT and GUM. It parses once and stores what it found as the corpus's own layers. Run it where the data is:
--   cd "$PARLANCE_DATA" && zcat text/gutenberg-en.*.txt.gz | awk '/^# / { $0 = $0 "\t" substr($0, 3) } 1' > /tmp/tuples/gutenberg.txt
--   parlance exec --db /tmp/tuples/web.db -f web.sql
-- (the books have no titles after their ids, which FORMAT articles wants).
CREATE CORPUS treebank (split TEXT);
LOAD 'ud/en_ewt.train.conllu', 'gum/train.conllu' INTO treebank FORMAT conllu SET split = 'train';
LOAD 'ud/en_ewt.dev.conllu' INTO treebank FORMAT conllu SET split = 'dev';
TRAIN perceptron AS upos ON treebank WHERE split = 'train' WITH (layer = 'upos', calibration = none);
TRAIN perceptron AS xpos ON treebank WHERE split = 'train' WITH (layer = 'xpos', calibration = none);
TRAIN transition_parser AS tp ON treebank WHERE split = 'train' USING upos, xpos
  WITH (tags = 'both', jackknife = 4, calibration = none);
EVALUATE upos, xpos ON treebank WHERE split = 'dev';
EVALUATE tp ON treebank WHERE split = 'dev' USING upos, xpos WITH (inputs = 'predicted');
CREATE CORPUS raw (title TEXT, source TEXT);
LOAD 'text/wikipedia-en.*.txt.gz' INTO raw FORMAT articles SET source = 'wikipedia';
LOAD 'text/wikinews-en.*.txt.gz' INTO raw FORMAT articles SET source = 'wikinews';
LOAD '/tmp/tuples/gutenberg.txt' INTO raw FORMAT articles SET source = 'gutenberg';
COPY raw USING upos, xpos, tp WHERE source = 'wikipedia' TO '/tmp/tuples/wikipedia.conllu' FORMAT conllu;
COPY raw USING upos, xpos, tp WHERE source = 'wikinews' TO '/tmp/tuples/wikinews.conllu' FORMAT conllu;
COPY raw USING upos, xpos, tp WHERE source = 'gutenberg' TO '/tmp/tuples/gutenberg.conllu' FORMAT conllu;
DROP CORPUS raw;
CREATE CORPUS web (source TEXT);
LOAD '/tmp/tuples/wikipedia.conllu' INTO web FORMAT conllu SET source = 'wikipedia';
LOAD '/tmp/tuples/wikinews.conllu' INTO web FORMAT conllu SET source = 'wikinews';
LOAD '/tmp/tuples/gutenberg.conllu' INTO web FORMAT conllu SET source = 'gutenberg';
SELECT source, count(*) AS documents FROM web GROUP BY source ORDER BY source;
TRAIN tuples AS t ON web WITH (min_path = 3);
COMPACT;
