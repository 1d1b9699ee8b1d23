-- A gazetteer of classes of nouns: pairs of nouns and the words around them in trees that the parser finds.
TRAIN perceptron AS upos ON ud WITH (layer = upos, calibration = none);
TRAIN transition_parser AS dep ON ud WITH (calibration = none);
CREATE CORPUS plain (title TEXT);
LOAD 'text/wikipedia-en.*.txt.gz', 'text/wikinews-en.*.txt.gz' INTO plain FORMAT articles;
TRAIN contexts AS pairs ON plain USING upos, dep WITH (lower = false, join = (compound, flat), tags = (NOUN, PROPN), min_contexts = 2, min_words = 2,
  stop_relations = (punct, det, cc, conj, cop, aux, mark, advmod, parataxis, dep, root, discourse, list, orphan, goeswith, nummod));
TRAIN latent_classes AS c100 ON pairs WITH (classes = 100, prune = 0.0001, iterations = 60);
SELECT class, words FROM c100.clusters LIMIT 40;
CREATE FEATURES clusters AS 'ner, gaz_match(c100)[-1..1], gaz_match(c100)[-1]|gaz_match(c100)[0], gaz_match(c100)[0]|gaz_match(c100)[1],
  gaz_label(c100)[-1..1], gaz_label(c100)[-1]|gaz_label(c100)[0], gaz_label(c100)[0]|gaz_label(c100)[1]';
CREATE FEATURES together AS 'ner, gaz_match(wiki)[-1..1], gaz_match(wiki)[-1]|gaz_match(wiki)[0], gaz_match(wiki)[0]|gaz_match(wiki)[1],
  gaz_label(wiki.labelled)[-1..1], gaz_label(wiki.labelled)[-1]|gaz_label(wiki.labelled)[0], gaz_label(wiki.labelled)[0]|gaz_label(wiki.labelled)[1],
  gaz_match(c100)[-1..1], gaz_match(c100)[-1]|gaz_match(c100)[0], gaz_match(c100)[0]|gaz_match(c100)[1],
  gaz_label(c100)[-1..1], gaz_label(c100)[-1]|gaz_label(c100)[0], gaz_label(c100)[0]|gaz_label(c100)[1]';
TRAIN crf AS w3 ON wnut WHERE split = 'train' AND part = 1 WITH (features = clusters, l2 = 0.3);
TRAIN crf AS w4 ON wnut WHERE split = 'train' AND part = 1 WITH (features = together, l2 = 0.3);
EVALUATE w0, w1, w2, w3, w4 ON wnut WHERE NOT (split = 'train' AND part = 1);
TRAIN crf AS g3 ON gum WHERE part = 1 WITH (features = clusters, l2 = 0.3);
TRAIN crf AS g4 ON gum WHERE part = 1 WITH (features = together, l2 = 0.3);
EVALUATE g0, g1, g2, g3, g4 ON gum WHERE NOT part = 1;
