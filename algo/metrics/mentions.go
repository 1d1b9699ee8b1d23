package metrics

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/text"
)

// Mentions scores coreference as the reference scorer of CoNLL does (Pradhan et al. 2014), version 8: numerators
// and denominators are summed over units, then divided. The unit is what is annotated together, a document as a
// rule; clusters run across its documents.
//
//	conll                           mean of the F of muc, b3 and ceafe: the main metric
//	mention_precision, …            mentions found, by their tokens; mention_f1 is the main metric of answers
//	                                without clusters
//	muc_…, b3_…, ceafm_…, ceafe_…   also blanc_… and lea_…
//	pairwise_…                      pairs of mentions of a cluster
//	anaphor_…                       mentions that are not the first of their cluster: right if the predicted cluster
//	                                has an earlier mention of the gold one
//
// Mentions are the same where their tokens are. Clusters of one are scored as they stand; a mention without a
// cluster is one. A span that stands in several clusters is counted as version 8.01 of the scorer counts it, clusters
// being taken in the order of their first mentions: of the key each is a mention, and the last is the one that a
// response can find; of the response the first counts, and those of spans that the key has not count each.
type Mentions struct {
	opt     Options
	units   Units
	found   bool // some answer has a mention
	grouped bool // some answer has a cluster
}

// NewMentions returns a scorer of the mentions layer.
func NewMentions(opt Options) *Mentions { return &Mentions{opt: opt} }

// The statistics of a unit: where those of each metric begin.
const (
	mentionTP  = 0  // mentions of both, of the response alone, of the key alone
	pairTP     = 3  // the same of pairs
	mucRecall  = 6  // numerator and denominator of recall, then of precision
	b3Recall   = 10 // the same
	leaRecall  = 14 // the same
	ceafmBest  = 18 // similarity, denominators of recall and of precision
	ceafeBest  = 21 // the same
	blancLinks = 24 // coreference links of both, of key, of response; other links of both, of key, of response
	anaphorTP  = 30 // anaphors resolved right, others of the response, others of the key
	mentionAll = 33
)

// mention is where a mention stands: the document of the unit, and its tokens, or its bytes where it touches none.
type mention struct {
	doc, sent, first, last int32
	repeat                 int32 // 0, or a number of its own for one that stands again elsewhere
}

// clusters numbers the clusters of the mentions of a unit, and appends mentions that are new to a list. known is the
// kinds of mentions, "" of those without one.
// key is that of the key for a response, nil for the key itself.
func clusters(docs []*text.Document, order []mention, known map[mention]string,
	key map[mention]int) (map[mention]int, []mention) {
	out, names := map[mention]int{}, map[string]int{}
	n, repeats := 0, int32(0)
	for i, d := range docs {
		l := d.Layer(text.Mentions.Name)
		if l == nil {
			continue
		}
		cluster, kinds := l.Strs("cluster"), l.Strs("kind")
		for row := range l.N {
			m := mentionAt(l, row)
			m.doc = int32(i)
			if l.Rank != nil && l.Rank[row] != 1 {
				continue
			}
			name := ""
			if cluster != nil {
				name = cluster[row]
			}
			id, ok := names[name]
			if name == "" || !ok {
				id = n
				n++
				names[name] = id
			}
			if before, twice := out[m]; twice {
				if before == id {
					continue
				}
				again := m
				repeats++
				if again.repeat = repeats; key != nil {
					again.repeat = -repeats // another number than those of the key
				}
				_, found := key[m]
				switch {
				case key == nil: // the later cluster has the mention that can be found
					out[m], out[again] = max(before, id), min(before, id)
				case found: // the first cluster has it
					out[m] = min(before, id)
					continue
				default:
					out[again] = id
				}
				order, known[again] = append(order, again), known[m]
				continue
			}
			out[m] = id
			kind, listed := known[m]
			if !listed {
				order = append(order, m)
			}
			if kind == "" && kinds != nil && slices.Contains(byKind.Values, kinds[row]) {
				kind = kinds[row]
			}
			known[m] = kind
		}
	}
	return out, order
}

func mentionAt(l *text.Layer, row int) mention {
	at := func(name string) int32 {
		if v := l.Ints(name); v != nil {
			return v[row]
		}
		return 0
	}
	if first := at("tok_start"); first > 0 {
		return mention{sent: at("sent"), first: first, last: at("tok_end")}
	}
	return mention{first: -1 - at("char_start"), last: -1 - at("char_end")}
}

// Add scores a unit.
func (s *Mentions) Add(ctx context.Context, gold, predicted []*text.Document) error {
	known := map[mention]string{}
	key, order := clusters(gold, nil, known, nil)
	response, order := clusters(predicted, order, known, key)
	s.found, s.grouped = s.found || len(response) > 0, s.grouped || slices.ContainsFunc(predicted, hasClusters)
	counts := func(m mention) bool { return s.opt.admits(&byKind, cmp.Or(known[m], otherKind)) }
	right, spurious, missed := anaphors(key, response, order, counts)
	if s.opt.parts() {
		order = slices.DeleteFunc(order, func(m mention) bool { return !counts(m) })
		key, response = among(key, order), among(response, order)
	}
	row, err := compare(key, response, order).row(ctx)
	if err != nil {
		return err
	}
	row[anaphorTP], row[anaphorTP+1], row[anaphorTP+2] = float32(right), float32(spurious), float32(missed)
	s.units.Add(row[:]...)
	return nil
}

const otherKind = "other"

// before orders mentions as they are read: by where they begin, longer ones first.
func (m mention) before(o mention) int {
	first := func(m mention) [3]int32 { return [3]int32{m.doc, m.sent, max(m.first, -1-m.first)} }
	last := func(m mention) int32 { return max(m.last, -1-m.last) }
	a, b := first(m), first(o)
	return cmp.Or(slices.Compare(a[:], b[:]), cmp.Compare(last(o), last(m)))
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// among is the clusters of some mentions, numbered from 0.
func among(clusters map[mention]int, some []mention) map[mention]int {
	out, number := map[mention]int{}, map[int]int{}
	for _, m := range some {
		c, ok := clusters[m]
		if !ok {
			continue
		}
		if _, ok := number[c]; !ok {
			number[c] = len(number)
		}
		out[m] = number[c]
	}
	return out
}

// anaphors counts mentions that are not the first of their cluster: those whose predicted cluster has an earlier
// mention of their gold cluster, and the others of response and key.
func anaphors(key, response map[mention]int, order []mention, counts func(mention) bool) (right, spurious, missed int) {
	inKey, inResponse, together := map[int]bool{}, map[int]bool{}, map[[2]int]bool{}
	for _, m := range slices.SortedStableFunc(slices.Values(order), mention.before) {
		k, wanted := key[m]
		r, found := response[m]
		both := [2]int{k, r}
		if counts(m) {
			hit := wanted && found && together[both]
			right += one(hit)
			spurious += one(!hit && found && inResponse[r])
			missed += one(!hit && wanted && inKey[k])
		}
		if wanted {
			inKey[k] = true
		}
		if found {
			inResponse[r] = true
		}
		if wanted && found {
			together[both] = true
		}
	}
	return right, spurious, missed
}

// hasClusters tells whether some mention of a document has a cluster.
func hasClusters(d *text.Document) bool {
	l := d.Layer(text.Mentions.Name)
	return l != nil && slices.ContainsFunc(l.Strs("cluster"), func(name string) bool { return name != "" })
}

// row is the statistics of all metrics.
func (p partition) row(ctx context.Context) (row [mentionAll]float32, err error) {
	put := func(at int, list ...float64) {
		for i, v := range list {
			row[at+i] = float32(v)
		}
	}
	swapped := p.swapped()
	key, response, shared := total(p.key), total(p.response), 0.0
	for _, c := range p.common {
		shared += float64(c.n)
	}
	put(mentionTP, shared, response-shared, key-shared)
	for _, m := range []struct {
		at     int
		recall func(partition) (num, den float64)
	}{{mucRecall, partition.muc}, {b3Recall, partition.b3}, {leaRecall, partition.lea}} {
		num, den := m.recall(p)
		put(m.at, num, den)
		num, den = m.recall(swapped)
		put(m.at+2, num, den)
	}
	best, err := p.ceaf(ctx, mentionSimilarity)
	if err != nil {
		return row, err
	}
	put(ceafmBest, best, key, response)
	if best, err = p.ceaf(ctx, p.entitySimilarity); err != nil {
		return row, err
	}
	put(ceafeBest, best, float64(len(p.key)), float64(len(p.response)))
	same, apart := p.pairs()
	put(pairTP, same.both, same.response-same.both, same.key-same.both)
	put(blancLinks, same.both, same.key, same.response, apart.both, apart.key, apart.response)
	return row, nil
}

// Metrics returns conll first, then those of mentions and of each measure.
func (s *Mentions) Metrics() []Metric {
	beta := s.opt.beta(1)
	support := s.units.sums(mentionAll)
	mentions := support[mentionTP] + support[mentionTP+2]
	one := func(name string, c *Combine, support float64) Metric {
		return Metric{Name: name, Label: All, Combine: c, Units: s.units, Support: support}
	}
	three := func(name string, p, r, f *Combine, support float64) []Metric {
		return prefixed(name, []Metric{one("precision", p, support), one("recall", r, support), one(fName(beta), f, support)})
	}
	own := func(name string, recall, precision [2]int) []Metric {
		p, r := Share(precision[0], precision[1]), Share(recall[0], recall[1])
		return three(name, p, r, Harmonic(beta, p, r), support[recall[1]])
	}
	muc := own("muc_", [2]int{mucRecall, mucRecall + 1}, [2]int{mucRecall + 2, mucRecall + 3})
	b3 := own("b3_", [2]int{b3Recall, b3Recall + 1}, [2]int{b3Recall + 2, b3Recall + 3})
	ceafm := own("ceafm_", [2]int{ceafmBest, ceafmBest + 1}, [2]int{ceafmBest, ceafmBest + 2})
	ceafe := own("ceafe_", [2]int{ceafeBest, ceafeBest + 1}, [2]int{ceafeBest, ceafeBest + 2})
	lea := own("lea_", [2]int{leaRecall, leaRecall + 1}, [2]int{leaRecall + 2, leaRecall + 3})
	blanc := three("blanc_", blanc(beta, 1), blanc(beta, 0), blanc(beta, 2), support[blancLinks+1])
	conll := one("conll", Average(muc[2].Combine, b3[2].Combine, ceafe[2].Combine), mentions)
	found := three("mention_", Precision, Recall, FBeta(beta), mentions)
	conll.Main, found[2].Main = s.grouped || !s.found, !s.grouped && s.found
	out := append([]Metric{conll}, found...)
	for _, list := range [][]Metric{muc, b3, ceafm, ceafe, blanc, lea} {
		out = append(out, list...)
	}
	pairs := Formula(pairTP+3, func(s []float64) float64 { return Precision.of(s[pairTP:]) })
	recall := Formula(pairTP+3, func(s []float64) float64 { return Recall.of(s[pairTP:]) })
	out = append(out, three("pairwise_", pairs, recall, Harmonic(beta, pairs, recall), support[blancLinks+1])...)
	right := Formula(mentionAll, func(s []float64) float64 { return Precision.of(s[anaphorTP:]) })
	of := Formula(mentionAll, func(s []float64) float64 { return Recall.of(s[anaphorTP:]) })
	return append(out, three("anaphor_", right, of, Harmonic(beta, right, of), support[anaphorTP]+support[anaphorTP+2])...)
}

// blanc is the mean of recall (what = 0), precision (1) or F (2) of coreference links and of other links (Luo et
// al. 2014). Links that the key has none of do not count.
func blanc(beta float64, what int) *Combine {
	of := func(s []float64) float64 {
		r, p := ratio(s[0], s[1]), ratio(s[0], s[2])
		return [...]float64{r, p, harmonic(beta, p, r)}[what]
	}
	return Formula(mentionAll, func(s []float64) float64 {
		same, apart := s[blancLinks:blancLinks+3], s[blancLinks+3:blancLinks+6]
		switch {
		case same[1] == 0 && apart[1] == 0:
			return 0
		case same[1] == 0:
			return of(apart)
		case apart[1] == 0:
			return of(same)
		}
		return (of(same) + of(apart)) / 2
	})
}

// Confusion is empty: mentions have no labels of their own.
func (s *Mentions) Confusion() []Cell { return nil }
