-- A pipeline for English: sentences and tokens, tags, lemmas, dependencies, phrases, entities and coreference, learned
-- from public treebanks into one file. Run it with the folder of the treebanks:
--
--   parlance exec --db english.parlance -v data=FOLDER -f scripts/english.sql
--   parlance exec --db english.parlance -c "SELECT text, label FROM entities(TEXT 'Ann Lee flew to Oslo.')"
--
-- Where the files are, below the folder; -v ewt=… and so on name other places. UD_English-EWT and GUM (with its OntoGUM)
-- are at github.com/UniversalDependencies/UD_English-EWT and github.com/amir-zeldes/gum.
\if :{?ewt}
\else
\set ewt ud/en_ewt.train.conllu
\endif
\if :{?gum}
\else
\set gum gum/train.conllu
\endif
\if :{?ontogum}
\else
\set ontogum 'ontogum/train.*.conll.gz'
\endif
\set ewt :data / :ewt
\set gum :data / :gum
\set ontogum :data / :ontogum

-- EWT and GUM have sentences, tokens, tags, lemmas and dependencies.
CREATE CORPUS ud;
LOAD :'ewt' INTO ud FORMAT conllu;
CREATE CORPUS gum;
LOAD :'gum' INTO gum FORMAT conllu;
LOAD :'gum' INTO ud FORMAT conllu;

-- OntoGUM has clusters of mentions and trees of phrases for the documents of GUM, which have the rest.
CREATE CORPUS onto;
LOAD :'ontogum' INTO onto FORMAT conll2012;
INSERT INTO onto.dependencies SELECT doc, sent, tok, head, deprel FROM gum.dependencies WHERE doc IN (SELECT id FROM onto);
UPDATE onto.tokens SET upos = g.upos, feats = g.feats FROM gum.tokens g
  WHERE g.doc = tokens.doc AND g.sent = tokens.sent AND g.tok = tokens.tok;
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
DROP CORPUS ud;
DROP CORPUS gum;
DROP CORPUS onto;
