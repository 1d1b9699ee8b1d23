package depparser

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/chart"
)

// Sets of a history, in the order of their numbers.
var historySets = []string{"shi", "thi", "sho", "tho"}

// historyPolicies say which arcs have a history.
var historyPolicies = []string{"dsub", "all", "d3", "d5", "d10"}

// decisions are features of the modifiers that a chart has given the two tokens of an arc, between them
// and outside (Chen, Kazama, Tsuruoka and Torisawa 2010). They are shared by workers.
type decisions struct {
	sets    [4]bool
	options chart.HistoryOptions
	punct   []uint64 // hashes of the tags of punctuation
	least   int      // how often a tag must be the head of another to govern it
	governs []uint64 // rising keys of the tags of a head and of a modifier
}

// decisions are those of the options, nil for none.
func (o *settings) decisions() *decisions {
	if len(o.history) == 0 {
		return nil
	}
	d := &decisions{least: o.headTags}
	for _, name := range o.history {
		if i := slices.Index(historySets, name); i >= 0 { // remembers refuses others
			d.sets[i] = true
		}
	}
	d.options.Outside = d.sets[2] || d.sets[3]
	d.options.Clauses = o.policy == "dsub"
	_, _ = fmt.Sscanf(o.policy, "d%d", &d.options.Distance)
	for _, t := range o.punct {
		d.punct = append(d.punct, hashString(t))
	}
	return d
}

// remembers tells what is wrong with the sets of a history.
func (m *model) remembers() error {
	o := &m.opt
	for i, name := range o.history {
		switch {
		case !slices.Contains(historySets, name):
			return fmt.Errorf("%q is no set of a history: %s", name, strings.Join(historySets, ", "))
		case slices.Contains(o.history[:i], name):
			return fmt.Errorf("%s stands twice", name)
		}
	}
	switch {
	case len(o.history) == 0:
		return nil
	case m.factorization() != tree.Carreras || o.trees != projective:
		return fmt.Errorf("a history is that of the chart of factorization = carreras with trees = projective")
	case o.decoder == mbr:
		return fmt.Errorf("decoder = mbr needs probabilities, which a parser with a history has not")
	case o.k > 1:
		return fmt.Errorf("a parser with a history finds one tree: k = 1")
	case o.minCount > 1:
		return fmt.Errorf("min_feature_count counts features of candidate parts, which histories are not: 1 is right")
	case o.objective == logLinear || o.optimizer == "eg":
		return fmt.Errorf(
			"a parser with a history has no probabilities; it is learned by maxmargin or perceptron with mira or sgd")
	}
	return nil
}

// tagPair is the key of the tags of a head and a modifier.
func tagPair(s *sentence, h, m int) uint64 {
	return mix(s.value[fine][h+shift] + 3*s.value[fine][m+shift])
}

// learn counts the tags of heads and modifiers.
func (d *decisions) learn(items []*item) {
	counts := map[uint64]int{}
	for _, it := range items {
		for m := 1; m <= it.n; m++ {
			counts[tagPair(&it.sentence, int(it.heads[m]), m)]++
		}
	}
	d.governs = nil
	for k, n := range counts {
		if n >= d.least {
			d.governs = append(d.governs, k)
		}
	}
	slices.Sort(d.governs)
}

// memory scores the histories of one sentence after the other. It belongs to one goroutine.
type memory struct {
	*decisions
	s     *sentence
	table *table
	chart *chart.HistoryChart
	arcs  *tree.Arcs
	keys  []uint64
}

func (d *decisions) memory(single bool, arcs *tree.Arcs) *memory {
	x := &memory{decisions: d, arcs: arcs}
	x.chart = chart.NewHistory(single, x, d.options)
	return x
}

// Punct implements chart.Hook.
func (x *memory) Punct(t int) bool {
	return slices.Contains(x.punct, x.s.value[fine][t+shift]) || slices.Contains(x.punct, x.s.value[coarse][t+shift])
}

// Governs implements chart.Hook.
func (x *memory) Governs(h, m int) bool {
	_, ok := slices.BinarySearch(x.governs, tagPair(x.s, h, m))
	return ok
}

// Score implements chart.Hook.
func (x *memory) Score(arc int, h *chart.History) float64 {
	x.keys = x.features(x.keys[:0], h, x.arcs.Direction(arc))
	if x.table.q != nil {
		return sumOf(x.table.small(), x.keys)
	}
	return sumOf(x.table.exact(), x.keys)
}

// historySalts are by set, direction of the arc, atom and tokens that the modifier is joined with.
var historySalts = func() (salts [4][2][2][4]uint64) {
	n := uint64(0x8157)
	for s := range salts {
		for d := range salts[s] {
			for a := range salts[s][d] {
				for j := range salts[s][d][a] {
					n++
					salts[s][d][a][j] = mix(n)
				}
			}
		}
	}
	return salts
}()

// historyAtoms are what modifiers and tokens of the arc are named by.
var historyAtoms = [2]atom{form, fine}

// features appends the keys of a history: for each modifier, form and tag, alone and with those of the
// first token of the arc, of the second, and of both.
func (x *memory) features(dst []uint64, h *chart.History, direction int) []uint64 {
	for set, modifiers := range [4][]int32{h.SHI, h.THI, h.SHO, h.THO} {
		if !x.sets[set] {
			continue
		}
		for _, c := range modifiers {
			for i, a := range historyAtoms {
				v, salt := x.s.value[a], &historySalts[set][direction][i]
				child, s, t := mix(v[c+shift]), 3*v[h.S+shift], 5*v[h.T+shift]
				dst = append(dst, mix(salt[0]+child), mix(salt[1]+child+s), mix(salt[2]+child+t), mix(salt[3]+child+s+t))
			}
		}
	}
	return dst
}

// tree returns the keys of the histories of a tree, until the next call: outside arcs they are those
// of the chart of the sentence.
func (x *memory) tree(heads []int32) []uint64 {
	x.keys = x.keys[:0]
	for m := 1; m < len(heads); m++ {
		if h := int(heads[m]); x.chart.Active(h, m) {
			x.keys = x.features(x.keys, x.chart.OfTree(heads, h, m), direction(int32(h), int32(m)))
		}
	}
	return x.keys
}

// remember adds the histories of the gold tree and of the best one to a gradient. As the search with
// histories misses trees, the best tree may score less than gold: then nothing is learned.
func (o hinge) remember(w *worker, it *item, g *gradient) {
	for i, heads := range [][]int32{it.heads, w.heads} {
		sign := float64(1 - 2*i)
		for _, k := range w.memory.tree(heads) {
			place := uint32(k >> w.memory.table.drop)
			g.places, g.weights = append(g.places, place), append(g.weights, sign)
			g.loss -= sign * w.memory.table.at(place)
		}
	}
	if g.loss <= 0 {
		g.places, g.weights, g.parts, g.coef, g.labels = g.places[:0], g.weights[:0], g.parts[:0], g.coef[:0], g.labels[:0]
	}
}

// history adds the features of the histories of a tree.
func (e *explainer) history(heads []int32, sign float64, sums map[string]float64) {
	x := e.a.w.memory
	if x == nil {
		return
	}
	for m := 1; m < len(heads); m++ {
		h := int(heads[m])
		if !x.chart.Active(h, m) {
			continue
		}
		past, d := x.chart.OfTree(heads, h, m), direction(int32(h), int32(m))
		x.keys = x.features(x.keys[:0], past, d)
		k := 0
		for set, modifiers := range [4][]int32{past.SHI, past.THI, past.SHO, past.THO} {
			if !x.sets[set] {
				continue
			}
			for _, c := range modifiers {
				for i, a := range historyAtoms {
					one := fmt.Sprintf("%s %s %s=%s", strings.ToUpper(historySets[set]), [...]string{"left", "right"}[d],
						[...]string{"word", "tag"}[i], e.words[a][c])
					s, t := " s="+e.words[a][past.S], " t="+e.words[a][past.T]
					for _, name := range []string{one, one + s, one + t, one + s + t} {
						sums[name] += sign * x.table.at(uint32(x.keys[k]>>x.table.drop))
						k++
					}
				}
			}
		}
	}
}
