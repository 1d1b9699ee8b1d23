-- A pipeline for English: sentences and tokens, tags, lemmas, dependencies, phrases, entities and coreference, learned
-- from public treebanks into one file. Get the treebanks, below a folder of your own (about 90 MB):
--
--   mkdir treebanks
--   cd treebanks
--   git clone --depth 1 https://github.com/UniversalDependencies/UD_English-EWT
--   git clone --depth 1 --filter=blob:none --sparse https://github.com/amir-zeldes/gum
--   git -C gum sparse-checkout set dep const coref/ontogum/conllu
--
-- Then train, once, and ask:
--
--   parlance exec --db english.parlance -v data=treebanks -f scripts/english.sql
--   parlance exec --db english.parlance -c "SELECT text, label FROM entities(TEXT 'Ann Lee flew to Oslo.')"
--
-- Where the files are, below the folder data; -v ewt=… and so on name other files.
\if :{?ewt}
\else
\set ewt :data / UD_English-EWT/en_ewt-ud-train.conllu
\endif
\if :{?gum}
\else
\set gum :data / gum
\endif
\set dep :gum / dep/GUM_*.conllu
\set ontogum :gum / coref/ontogum/conllu/GUM_*.conllu
\set const :gum / const/GUM_*.ptb
\set splits :gum / splits.md

-- The documents of GUM for training stand in splits.md below the heading "## train". Words of Reddit are not published.
CREATE CORPUS splits;
LOAD :'splits' INTO splits FORMAT text;
CREATE CORPUS gum;
LOAD :'dep' INTO gum FORMAT conllu;
DELETE FROM gum WHERE id LIKE 'GUM\_reddit\_%'
  OR strpos((SELECT split_part(split_part(text, '## train', 2), '## ', 1) FROM splits) || chr(10), ' ' || id || chr(10)) = 0;
SELECT count(*) AS documents_of_gum FROM gum;

-- EWT and GUM have sentences, tokens, tags, lemmas and dependencies.
CREATE CORPUS ud;
LOAD :'ewt' INTO ud FORMAT conllu;
LOAD :'dep' INTO ud FORMAT conllu;
DELETE FROM ud WHERE id LIKE 'GUM\_%' AND id NOT IN (SELECT id FROM gum);

-- The same documents with clusters of mentions after the guidelines of OntoNotes, and with trees of phrases.
CREATE CORPUS onto;
LOAD :'ontogum' INTO onto FORMAT conllu;
DELETE FROM onto WHERE id NOT IN (SELECT id FROM gum);
CREATE CORPUS trees;
LOAD :'const' INTO trees FORMAT ptb;
INSERT INTO onto.constituents (doc, sent, node, parent, label, tok_start, tok_end)
  SELECT replace(doc, '.ptb', ''), sent, node, parent, label, tok_start, tok_end FROM trees.constituents
  WHERE replace(doc, '.ptb', '') IN (SELECT id FROM onto);
-- A span of two clusters stays in the first; what is then alone is no mention, as singletons are not annotated.
DELETE FROM onto.mentions USING
  (SELECT doc, mention, row_number() OVER (PARTITION BY doc, sent, tok_start, tok_end ORDER BY mention) AS n FROM onto.mentions) t
  WHERE t.doc = mentions.doc AND t.mention = mentions.mention AND t.n > 1;
DELETE FROM onto.mentions USING (SELECT doc, cluster FROM onto.mentions GROUP BY 1, 2 HAVING count(*) = 1) t
  WHERE t.doc = mentions.doc AND t.cluster = mentions.cluster;
-- Entities of GUM are all noun phrases. Where the head of one is a proper noun, the proper nouns around it are the name.
INSERT INTO onto.entities (doc, sent, tok_start, tok_end, label) SELECT e.doc, e.sent, greatest(r.first, e.tok_start), least(r.last, e.tok_end), min(e.label)
  FROM gum.entities e JOIN gum.dependencies h ON h.doc = e.doc AND h.sent = e.sent AND h.tok BETWEEN e.tok_start AND e.tok_end
      AND NOT h.head BETWEEN e.tok_start AND e.tok_end
    JOIN (SELECT doc, sent, min(tok) AS first, max(tok) AS last FROM
      (SELECT doc, sent, tok, tok - row_number() OVER (PARTITION BY doc, sent ORDER BY tok) AS n FROM gum.tokens WHERE xpos LIKE 'NNP%') t
      GROUP BY doc, sent, n) r ON r.doc = e.doc AND r.sent = e.sent AND h.tok BETWEEN r.first AND r.last
  WHERE e.doc IN (SELECT id FROM onto) GROUP BY 1, 2, 3, 4;

TRAIN tokenizer AS tok ON ud;
TRAIN perceptron AS upos ON ud WITH (layer = upos, calibration = none);
TRAIN perceptron AS xpos ON ud WITH (layer = xpos, calibration = none);
TRAIN lemmatizer AS lemmas ON ud WITH (calibration = none);
TRAIN transition_parser AS parser ON ud WITH (tags = xpos, calibration = none);
TRAIN pcfg AS phrases ON onto;
TRAIN perceptron AS ner ON onto WITH (layer = entities);
TRAIN mention_detector AS finder ON onto USING ner WITH (entities = true, jackknife = 2);
TRAIN coref AS coref ON onto USING ner WITH (detector = finder, mentions = both, antecedents = 200, reads = 'entities', passes = 4,
  rate = 0.05, jackknife = 2);

-- From now on statements that name no model use these.
ALTER DATABASE SET using = (tok, upos, xpos, lemmas, parser, phrases, ner, coref);
DROP CORPUS splits;
DROP CORPUS ud;
DROP CORPUS gum;
DROP CORPUS onto;
DROP CORPUS trees;
