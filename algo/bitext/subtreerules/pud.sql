-- What parsers of pairs look into, and the pairs of PUD in both directions; RESULTS.md tells what the files are.
CREATE CORPUS ewt; LOAD 'ewt.conllu' INTO ewt FORMAT conllu;
CREATE CORPUS gsd; LOAD 'gsd.conllu' INTO gsd FORMAT conllu;
TRAIN perceptron AS en_tag ON ewt WITH (layer = 'upos', features = pos);
TRAIN perceptron AS zh_tag ON gsd WITH (layer = 'upos', features = pos);
TRAIN depparser AS en_arc ON ewt WITH (factorization = 'arc', tag = 'upos', labels = 'none', bits = 20);
TRAIN depparser AS zh_arc ON gsd WITH (factorization = 'arc', tag = 'upos', labels = 'none', bits = 20);
TRAIN depparser AS en_two ON ewt WITH (tag = 'upos', labels = 'none', bits = 20);
TRAIN depparser AS zh_two ON gsd WITH (tag = 'upos', labels = 'none', bits = 20);

CREATE CORPUS zhen (pair TEXT, side TEXT, part INTEGER) WITH (tokenizer = 'whitespace');
LOAD 'zhen.txt' INTO zhen FORMAT bitext SET part = split_part(id, ':', 2)::integer % 8;
TRAIN aligner AS zh_en ON zhen WITH (characters = 'source');
TRAIN aligner AS en_zh ON zhen WITH (source = 'target', characters = 'target');
TRAIN ngrams AS en_lm ON zhen WHERE side = 'target';
TRAIN ngrams AS zh_lm ON zhen WHERE side = 'source';
TRAIN translator AS zh_en_tr ON zhen WITH (aligner = zh_en, lm = en_lm);
TRAIN translator AS en_zh_tr ON zhen WITH (aligner = en_zh, lm = zh_lm, source = 'target');

CREATE CORPUS raw (lang TEXT) WITH (tokenizer = 'whitespace');
LOAD 'raw.en.txt' INTO raw FORMAT lines SET lang = 'en';
LOAD 'raw.zh.txt' INTO raw FORMAT lines SET lang = 'zh';
TRAIN subtrees AS en_list ON zhen WHERE side = 'target', raw WHERE lang = 'en' USING en_tag, en_arc WITH (chains = true, lower = true);
TRAIN subtrees AS zh_list ON zhen WHERE side = 'source', raw WHERE lang = 'zh' USING zh_tag, zh_arc WITH (chains = true, lower = true);
TRAIN subtree_rules AS zh_en_8 ON zhen WITH (aligner = zh_en, source_models = (zh_tag, zh_arc), target_models = (en_tag, en_arc));
TRAIN subtree_rules AS en_zh_8 ON zhen WITH (aligner = en_zh, source = 'target', source_models = (en_tag, en_arc), target_models = (zh_tag, zh_arc));
TRAIN subtree_rules AS zh_en_4 ON zhen WHERE part < 4 WITH (aligner = zh_en, source_models = (zh_tag, zh_arc), target_models = (en_tag, en_arc));
TRAIN subtree_rules AS zh_en_2 ON zhen WHERE part < 2 WITH (aligner = zh_en, source_models = (zh_tag, zh_arc), target_models = (en_tag, en_arc));
TRAIN subtree_rules AS zh_en_1 ON zhen WHERE part < 1 WITH (aligner = zh_en, source_models = (zh_tag, zh_arc), target_models = (en_tag, en_arc));

CREATE CORPUS zh (pair TEXT, side TEXT, fold INTEGER) WITH (tokenizer = 'whitespace');
LOAD 'pud.zh.conllu' INTO zh FORMAT conllu WITH (document = 'sentence') SET side = 'source', pair = split_part(id, ':', 2), fold = (split_part(id, ':', 2)::integer - 1) / 100;
LOAD 'pud.en.txt' INTO zh FORMAT lines SET side = 'target', pair = split_part(id, ':', 2), fold = (split_part(id, ':', 2)::integer - 1) / 100;
CREATE CORPUS en (pair TEXT, side TEXT, fold INTEGER) WITH (tokenizer = 'whitespace');
LOAD 'pud.en.conllu' INTO en FORMAT conllu WITH (document = 'sentence') SET side = 'source', pair = split_part(id, ':', 2), fold = (split_part(id, ':', 2)::integer - 1) / 100;
LOAD 'pud.zh.txt' INTO en FORMAT lines SET side = 'target', pair = split_part(id, ':', 2), fold = (split_part(id, ':', 2)::integer - 1) / 100;
