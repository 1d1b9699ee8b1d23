-- The models of RESULTS.md, with gold mentions: algo/coref/ontogum.sql makes train and dev. Other documents are learned
-- from with -v train="lit WHERE part = 'train'", once algo/coref/corpora.sql has made them.
\if :{?train}
\else
\set train train
\endif
TRAIN coref AS pl3m ON :train WITH (passes = 4, rate = 0.07);
TRAIN coref AS latent ON :train WITH (train = latent, passes = 6, rate = 1, decay = 0);
TRAIN coref AS pairs ON :train WITH (train = pairs, passes = 6, decay = 0);
TRAIN coref AS rules ON :train WITH (method = sieve);
TRAIN coref AS latent2 ON :train WITH (train = latent, passes = 6, rate = 1, decay = 0, separate_pronouns = true);
TRAIN coref AS pairs2 ON :train WITH (train = pairs, passes = 6, decay = 0, separate_pronouns = true);
TRAIN coref AS l3m ON :train WITH (train = l3m, l2 = 0.0001, passes = 6, decay = 0);
TRAIN coref AS warm5 ON :train WITH (passes = 4, rate = 0.07, temperature = 0.5);
TRAIN coref AS three ON :train WITH (passes = 4, rate = 0.07, runs = 3);
TRAIN coref AS alone ON :train WITH (train = slt, rounds = 0, iterations = 15, bits = 18);
TRAIN coref AS slt ON :train WITH (train = slt, rounds = 2, iterations = 15, bits = 18);
TRAIN coref AS biased ON :train WITH (train = slt, rounds = 2, iterations = 15, bits = 18, bias = nearest);
