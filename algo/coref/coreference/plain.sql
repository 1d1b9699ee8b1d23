-- Features without conjunctions, after results.sql: whether pronouns want weights of their own, and whole clusters. Documents are those
-- of results.sql.
\if :{?train}
\else
\set train train
\endif
CREATE FEATURES plain AS 'over (n mention, m mention)
bias, m.type, n.type, m.class, n.class
m.head.form.lower, m.first.form.lower, m.length.bins(1, 2, 3, 5, 9), m.definiteness
n.head.form.lower, n.first.form.lower, n.length.bins(1, 2, 3, 5, 9)
equals(n.head.form.lower, m.head.form.lower), equals(n.bare, m.bare), share(n.modifiers, m.modifiers), share(n.names, m.names)
n.number & m.number, n.gender & m.gender, n.animacy & m.animacy, equals(n.person, m.person), compatible(n, m)
equals(n.speaker, m.speaker), sentence_distance(n, m).bins(0, 1, 2, 3, 5, 8, 13), mention_distance(n, m).bins(0, 1, 2, 3, 5, 8, 13, 21, 34)
order(n, m)';
TRAIN coref AS pp ON :train WITH (train = pairs, passes = 6, decay = 0, features = plain);
TRAIN coref AS pp2 ON :train WITH (train = pairs, passes = 6, decay = 0, features = plain, separate_pronouns = true);
TRAIN coref AS pl ON :train WITH (train = latent, passes = 6, rate = 1, decay = 0, features = plain);
TRAIN coref AS pl2 ON :train WITH (train = latent, passes = 6, rate = 1, decay = 0, features = plain, separate_pronouns = true);
TRAIN coref AS all_pairs ON :train WITH (train = structured, method = all_link, init = pairs, passes = 3, rate = 0.02);
