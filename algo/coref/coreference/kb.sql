-- Knowledge bases for the corpora of algo/coref/ontogum.sql. Run it where the data is, on the same database file:
--   cd "$PARLANCE_DATA" && parlance exec --db /tmp/coref.db -f kb.sql
-- open knows no name from dev: WordNet's names, titles and first sentences of Wikipedia, names of the links of train.
CREATE KB open;
ALTER KB open.aliases ADD COLUMN count INTEGER;
ALTER KB open.aliases ADD COLUMN weight FLOAT;
CREATE KB wordnet;
LOAD '/usr/share/wordnet' INTO wordnet FORMAT wordnet WITH (pos = noun, relations = (synset, hypernym, instance_hypernym));
INSERT INTO open.entities (entity, type)
  SELECT subject, replace(regexp_replace(object, '\.n\.\d+$', ''), '_', ' ') FROM wordnet.triples WHERE relation = 'instance_hypernym';
INSERT INTO open.entities (entity, type)
  WITH RECURSIVE up (entity, class) AS (SELECT subject, object FROM wordnet.triples WHERE relation = 'instance_hypernym'
    UNION SELECT u.entity, h.object FROM up u JOIN wordnet.triples h ON h.subject = u.class AND h.relation = 'hypernym')
  SELECT entity, replace(regexp_replace(class, '\.n\.\d+$', ''), '_', ' ') FROM up WHERE class IN ('person.n.01', 'location.n.01',
    'organization.n.01', 'district.n.01', 'city.n.01', 'country.n.02', 'body_of_water.n.01', 'land.n.04', 'event.n.01', 'artifact.n.01');
INSERT INTO open.aliases (entity, alias, weight)
  SELECT s.object, s.subject, s.weight FROM wordnet.triples s WHERE s.relation = 'synset'
    AND s.object IN (SELECT subject FROM wordnet.triples WHERE relation = 'instance_hypernym');
DROP KB wordnet;
-- The noun that ends what a first sentence says its page is.
CREATE LEXICON leads (title TEXT, sentence TEXT);
COPY leads FROM 'text/wikipedia-en.first-sentences.tsv' FORMAT pgcopy;
CREATE CORPUS articles (title TEXT);
LOAD 'text/wikipedia-en.*.txt.gz' INTO articles FORMAT articles;
INSERT INTO leads SELECT title, substr(text, 1, 400) FROM articles;
INSERT INTO open.entities (entity, type)
  SELECT title, regexp_extract(sentence, '\b(?:is|was|are|were) (?:an?|the|one of the) (?:[\w''-]+ )*?([a-z]+)(?: (?:of|in|from|for|to|on|at|by|with|and|that|which|who|located|based|born|known)\b|[.,;(])', 1)
  FROM leads;
CREATE LEXICON links (title TEXT, doc TEXT, first INTEGER, last INTEGER, chain TEXT, type TEXT, words TEXT);
COPY links (doc, first, last, chain, type, title, words) FROM 'ontogum/links.train.tsv' FORMAT pgcopy;
-- Names alone: what begins with a capital, after an article or not, and is no pronoun.
INSERT INTO open.entities (entity, type) SELECT DISTINCT title, type FROM links;
INSERT INTO open.aliases (entity, alias, count)
  SELECT title, name, count(*) FROM (SELECT title, regexp_replace(words, '^[Tt]he | [''’]s$', '', 'g') AS name FROM links) t
  WHERE name ~ '^[A-Z]' AND lower(name) NOT IN ('i', 'he', 'she', 'it', 'we', 'you', 'they', 'his', 'her', 'its', 'our', 'my', 'your', 'their', 'this', 'that')
  GROUP BY title, name;
-- world is open without the links of train, of which train would know more than dev does.
CREATE KB world;
ALTER KB world.aliases ADD COLUMN weight FLOAT;
INSERT INTO world.entities (entity, type) SELECT entity, type FROM open.entities WHERE entity NOT IN (SELECT title FROM links);
INSERT INTO world.aliases (entity, alias, weight) SELECT entity, alias, weight FROM open.aliases WHERE count IS NULL;
-- closed knows also what the names of dev are linked to, as if everything that dev speaks of had its page.
CREATE KB closed;
ALTER KB closed.aliases ADD COLUMN count INTEGER;
COPY links (doc, first, last, chain, type, title, words) FROM 'ontogum/links.dev.tsv' FORMAT pgcopy;
INSERT INTO closed.entities (entity, type) SELECT DISTINCT title, type FROM links;
INSERT INTO closed.aliases (entity, alias, count)
  SELECT title, name, count(*) FROM (SELECT title, regexp_replace(words, '^[Tt]he | [''’]s$', '', 'g') AS name FROM links) t
  WHERE name ~ '^[A-Z]' AND lower(name) NOT IN ('i', 'he', 'she', 'it', 'we', 'you', 'they', 'his', 'her', 'its', 'our', 'my', 'your', 'their', 'this', 'that')
  GROUP BY title, name;
DROP CORPUS articles;
SELECT name, entities FROM system.kbs;
SELECT 'open' AS kb, count(*) AS aliases, count(DISTINCT alias) AS names FROM open.aliases
  UNION ALL SELECT 'world', count(*), count(DISTINCT alias) FROM world.aliases
  UNION ALL SELECT 'closed', count(*), count(DISTINCT alias) FROM closed.aliases;
