-- Tagger, chunker and parser, and the gazetteer of first sentences. Run with -v data=$PARLANCE_DATA.
CREATE CORPUS ud (split TEXT);
LOAD :'data' '/ud/en_ewt.train.conllu' INTO ud FORMAT conllu;
