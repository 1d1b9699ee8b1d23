// Package verbentailment is the kind that acquires entailments between verbs from the nouns in their slots (Hashimoto,
// Torisawa, Kuroda, De Saeger, Murata and Kazama 2009): gobble → eat, snore → sleep.
//
// A template is a verb with a slot. With c(f,t) how often noun f fills template t, after all filters,
//
//	P(f|l) = c(f,l)/c(l)    P(r|f) = c(f,r)/c(f)
//	base(l,r)  = Σ_{f∈F_l∩F_r} P(r|f)·P(f|l)            a walk from l over a noun to r
//	trick(l,r) = base(l,r) − max_f P(r|f)·P(f|l)        without the noun that says most
//	Score(l,r) = base(l,r)·trick(l,r)
//
// So pairs that share one noun alone have Score 0, and Score(l,r)/Score(r,l) = (c(r)/c(l))²: what is entailed is always
// the more frequent template. The baselines lin, precision, recall, binc and dirt compare positive pointwise mutual
// information (package template).
//
// score.go computes a measure for all pairs of templates, best.go keeps the best ones, relations.go lists them, each
// with the nouns that witness it; evaluate.go scores lists and judgements of pairs.
package verbentailment
