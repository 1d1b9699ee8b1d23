// Package trouble is the kind that finds what troubles people, and which troubles come with which things (De Saeger,
// Torisawa and Kazama 2008): traffic jam, sickness; theme park – traffic jam.
//
// Evidence is counted from a store of tuples. With C(e,slot,v,neg) how often noun e fills a slot of verb v, denied or
// not,
//
//	LSPH(e) = patterns of hyponymy with a word such as trouble or accident: accidents such as e
//	DNV(e)  = Σ_v C(e,cause,v,denied)       did not come because of e
//	DAV(e)  = Σ_v C(e,cause,v,affirmed)     came because of e
//	Score(e) = (LSPH+DNV) / (LSPH+DNV+DAV)
//
// Score chooses what people label: the first and the last candidates. From the labels a linear support vector machine
// learns over the evidence of each noun, one feature for each pattern with its hypernym, each verb with slot and
// polarity, and each slot with either polarity at all. Objects, nouns that are used, eaten, bought, are joined with
// their troubles by
//
//	I(o,e) = f(e of o) / (f(o)·f(e))
//
// and a pair passes the filter where e stops one of the verbs that o is used with most: (e, cause, v, denied).
//
// evidence.go counts, rank.go scores and learns, pairs.go joins objects with troubles.
package trouble
