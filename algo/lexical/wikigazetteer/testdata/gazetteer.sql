-- A gazetteer of the first sentences in the folder that PARLANCE_DATA names, where this runs:
--   parlance exec --db names.db -v wordnet=/usr/share/wordnet -f gazetteer.sql
CREATE CORPUS ud (split TEXT);
LOAD 'ud/en_ewt.train.conllu' INTO ud FORMAT conllu SET split = 'ewt';
LOAD 'gum/train.conllu' INTO ud FORMAT conllu SET split = 'gum';
CREATE CORPUS ch;
LOAD 'chunk/conll2000.train' INTO ch FORMAT conll2000;
TRAIN perceptron AS pos ON ud WITH (layer = xpos, calibration = none);
TRAIN perceptron AS chunker ON ch WITH (layer = chunks, calibration = none);

-- First sentences: those of the file, and those of the articles.
CREATE LEXICON lines (title TEXT, sentence TEXT);
LOAD 'text/wikipedia-en.first-sentences.tsv' INTO lines FORMAT pgcopy;
CREATE CORPUS articles (title TEXT);
LOAD 'text/wikipedia-en.*.txt.gz' INTO articles FORMAT articles;
CREATE CORPUS firsts (title TEXT);
INSERT INTO firsts (id, title, text) SELECT 'f' || title, title, sentence FROM lines ON CONFLICT SKIP;
INSERT INTO firsts (id, title, text) SELECT doc, a.title, s.text FROM articles.sentences s JOIN articles a ON a.id = s.doc
  WHERE s.sent = 1 ON CONFLICT SKIP;
TRAIN wiki_gazetteer AS labelled ON firsts USING pos, chunker;
TRAIN wiki_gazetteer AS paper ON firsts USING pos, chunker WITH (head = last_word, parentheses = true);
SELECT a.name, a.count, b.count AS paper FROM labelled.statistics a JOIN paper.statistics b ON a.name = b.name WHERE a.count + b.count > 0;

-- Coarse classes of labels: the nearest of these synsets above the first sense of the label.
CREATE KB wn;
LOAD :'wordnet' INTO wn FORMAT wordnet WITH (pos = noun, relations = (synset, hypernym, instance_hypernym, lemma));
CREATE LEXICON tops (synset TEXT, class TEXT, rank INTEGER);
INSERT INTO tops VALUES ('village.n.01', 'location', 0), ('musical_organization.n.01', 'organization', 0), ('taxonomic_group.n.01', 'organism', 0),
  ('medium.n.01', 'work', 0), ('album.n.01', 'work', 0), ('recording.n.03', 'work', 0), ('body.n.02', 'organization', 1),
  ('person.n.01', 'person', 1), ('people.n.01', 'people', 1), ('organization.n.01', 'organization', 1), ('institution.n.01', 'organization', 1),
  ('community.n.06', 'location', 1), ('settlement.n.06', 'location', 1), ('location.n.01', 'location', 2),
  ('geological_formation.n.01', 'location', 2), ('body_of_water.n.01', 'location', 2), ('structure.n.01', 'structure', 3),
  ('way.n.06', 'structure', 3), ('facility.n.01', 'structure', 3), ('vehicle.n.01', 'vehicle', 3), ('creation.n.02', 'work', 4),
  ('organism.n.01', 'organism', 5), ('artifact.n.01', 'artifact', 6), ('event.n.01', 'event', 6), ('communication.n.02', 'work', 6),
  ('natural_object.n.01', 'object', 6), ('substance.n.01', 'substance', 6), ('time_period.n.01', 'time', 6), ('act.n.02', 'event', 7),
  ('group.n.01', 'group', 7), ('cognition.n.01', 'idea', 8), ('attribute.n.02', 'attribute', 8), ('abstraction.n.06', 'abstraction', 9);
CREATE LEXICON coarse (word TEXT, class TEXT);
INSERT INTO coarse WITH RECURSIVE label AS (SELECT label FROM labelled.labels),
  word AS (SELECT label, label AS word FROM label
    UNION SELECT l.label, t.object FROM label l JOIN wn.triples t ON t.subject = l.label AND t.relation = 'lemma'
    UNION SELECT label, substr(label, 1, length(label) - 1) FROM label WHERE label LIKE '%s'),
  above AS (SELECT w.label, t.object AS synset, 0 AS depth FROM word w
      JOIN wn.triples t ON t.subject = w.word AND t.relation = 'synset' AND t.weight = 1 AND t.object LIKE '%.n.%'
    UNION SELECT a.label, t.object, a.depth + 1 FROM above a
      JOIN wn.triples t ON t.subject = a.synset AND t.relation IN ('hypernym', 'instance_hypernym') WHERE a.depth < 15)
  SELECT DISTINCT ON (a.label) a.label, t.class FROM above a JOIN tops t ON t.synset = a.synset ORDER BY a.label, t.rank, a.depth;
TRAIN wiki_gazetteer AS wiki ON firsts USING pos, chunker WITH (name_parts = true, coarse = coarse, persons = person, min_capital = 0.5);
SELECT name, count FROM wiki.statistics WHERE count > 0;
