-- Predicted mentions: those of a detector, with the documents of results.sql.
\if :{?train}
\else
\set train train
\endif
TRAIN mention_detector AS wide ON :train WITH (threshold = 0.05);
TRAIN coref AS found ON :train WITH (detector = wide, mentions = both, passes = 4, rate = 0.05, antecedents = 400);
TRAIN coref AS found_latent ON :train WITH (detector = wide, mentions = both, train = latent, passes = 4, rate = 1, decay = 0, antecedents = 400);
TRAIN coref AS found_pairs ON :train WITH (detector = wide, mentions = both, train = pairs, passes = 4, decay = 0, antecedents = 400);
TRAIN coref AS found_rules ON :train WITH (detector = wide, mentions = both, method = sieve);
