-- Scores attributes on the class country, in a copy of the database of ../web.sql, with the pages of eight countries: four
-- in the text, the fields of four as gold. Run it where the data is:
--   cd "$PARLANCE_DATA" && cp /tmp/tuples/web.db /tmp/attributes.db && parlance exec --db /tmp/attributes.db -f countries.sql
CREATE CORPUS pages;
LOAD 'html/countries/a*.html', 'html/countries/br.html', 'html/countries/ca.html' INTO pages FORMAT html WITH (tags = '*');
CREATE CORPUS other;
LOAD 'html/countries/c[hi].html', 'html/countries/e*.html' INTO other FORMAT html WITH (tags = '*');
TRAIN attributes AS att ON web, pages USING upos WITH (classes = (country), size = 100000);
SELECT * FROM att.classes;
SELECT attribute, score, n, f, t, df FROM att.attributes('country') LIMIT 25;
CREATE LEXICON field_names (class TEXT, attribute TEXT);
INSERT INTO field_names SELECT DISTINCT 'country', lower(rtrim(text, ': ')) FROM other.segments WHERE length(text) < 26;
EVALUATE att, att WITH (drop = n), att WITH (drop = f), att WITH (drop = t), att WITH (drop = dfidf) ON field_names
  WITH (samples = 0);
-- The lists that are judged.
TRAIN attributes AS att5 ON web USING upos WITH (classes = (school, city, film, car, station), drop = t);
SELECT c.class, a.attribute FROM (VALUES ('school'), ('city'), ('film'), ('car'), ('station')) c (class), att5.attributes(c.class) a WHERE a.rank <= 20;
