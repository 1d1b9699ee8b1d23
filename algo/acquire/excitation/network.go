package excitation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// network is the templates, the links between them, and what they came to be.
type network struct {
	templates  []template.Template // sorted
	freq       []float64
	links      []edge    // by i, then j; +1 the same sign, −1 opposite ones
	votes      []float64 // of each link
	value      []float64 // excitation, from −1 to 1; 0 of templates without links
	seed       []int8    // ±1 of the seeds that were given
	partners   []uint32  // different templates in the other clause
	iterations []iteration
}

// iteration is the network after a round.
type iteration struct {
	linked, same, opposite int
	pnp, nnp               int // pairs of nouns
	seeds                  int // templates with a sign at the start, given or added
	sweeps                 int
}

// newNetwork is the templates of the events, without links.
func newNetwork(e *events) *network {
	n := &network{templates: e.templates, freq: e.freq, value: make([]float64, len(e.templates)),
		partners: make([]uint32, len(e.templates))}
	seen := map[uint64]bool{}
	for _, x := range e.list {
		if k := pairOf(min(x.first, x.second), max(x.first, x.second)); x.first != x.second && !seen[k] {
			seen[k] = true
			n.partners[x.first]++
			n.partners[x.second]++
		}
	}
	return n
}

// pairOf is a pair of numbers as a key.
func pairOf(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

// grow finds the network by rounds from seeds: signs of templates classify pairs of nouns, these link templates, and
// over the links the signs spread.
func (m *model) grow(ctx context.Context, t *kind.Training, e *events) (*network, error) {
	n := newNetwork(e)
	if err := n.plant(&m.opt, t.Notice); err != nil {
		return nil, err
	}
	signs := slices.Clone(n.seed)
	begun := time.Now()
	for round := 1; round <= m.opt.iterations; round++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		it := iteration{seeds: count(signs)}
		nouns := m.classify(e, signs, &it)
		n.link(m, e, nouns, &it)
		fixed := make([]float64, len(signs))
		for i, s := range signs {
			if m.opt.reclamp || n.seed[i] != 0 {
				fixed[i] = float64(s)
			}
		}
		var err error
		if it.sweeps, err = m.spread(ctx, newGraph(len(n.templates), n.links), fixed, n.value); err != nil {
			return nil, err
		}
		n.iterations = append(n.iterations, it)
		signs = n.best(m.opt.top * round)
		t.Report(kind.Progress{Step: round, Of: m.opt.iterations, Objective: math.NaN(), HeldOut: math.NaN(),
			Seconds: time.Since(begun).Seconds(),
			Note: text.Countf("%d {template|templates}, %d same, %d opposite; %d {pair|pairs} of nouns facilitate, %d suppress",
				it.linked, it.same, it.opposite, it.pnp, it.nnp)})
		if it.linked == 0 {
			return nil,
				fmt.Errorf("%w: the seeds link no templates; lower noun_pairs (%d) and min_links (%d), or take "+
					"more seeds: the relation candidates of a model that was trained with iterations = 0 lists "+
					"frequent templates",
					kind.ErrNoData, m.opt.nounPairs, m.opt.minLinks)
		}
	}
	return n, nil
}

func (m *model) spread(ctx context.Context, g *graph, fixed, value []float64) (int, error) {
	s := &spins{g: g, beta: m.opt.beta, coupling: m.opt.coupling, seed: fixed}
	return s.solve(ctx, value)
}

func count(signs []int8) (n int) {
	for _, s := range signs {
		if s != 0 {
			n++
		}
	}
	return n
}

// plant finds the seeds among the templates.
func (n *network) plant(o *options, notice func(string)) error {
	n.seed = make([]int8, len(n.templates))
	var missing []string
	for k, list := range [][]string{o.excitatory, o.inhibitory} {
		if len(list) == 0 {
			return fmt.Errorf("option %s has no seeds; a network grows from templates of both signs",
				[]string{"excitatory", "inhibitory"}[k])
		}
		for _, name := range list {
			t := parseTemplate(name)
			i, ok := slices.BinarySearchFunc(n.templates, t, template.Compare)
			if !ok {
				missing = append(missing, name)
				continue
			}
			sign := int8(1 - 2*k)
			if n.seed[i] == -sign {
				return fmt.Errorf("the seed '%s' is both excitatory and inhibitory", name)
			}
			n.seed[i] = sign
		}
	}
	if count(n.seed) == 0 {
		names := make([]string, len(n.templates))
		for i, t := range n.templates {
			names[i] = templateName(t)
		}
		return fmt.Errorf("%w: no seed is among the %d templates of the clauses; '%s' is unknown%s", kind.ErrNoData,
			len(n.templates), missing[0], option.DidYouMean(templateName(parseTemplate(missing[0])), names))
	}
	if len(missing) > 0 {
		notice(fmt.Sprintf("%d seeds are too rare or unknown: %v", len(missing), missing))
	}
	return nil
}

// classify tells which pairs of nouns facilitate (+1) and which suppress (−1), from the events whose templates both
// have a sign: g = a·x1·x2. Those of both sorts are neither; a noun facilitates itself.
func (m *model) classify(e *events, signs []int8, it *iteration) map[uint64]int8 {
	votes := map[uint64][2]float64{}
	for _, x := range e.list {
		if s := x.sign * signs[x.first] * signs[x.second]; s != 0 && !(m.opt.sameNoun && x.noun1 == x.noun2) {
			v := votes[pairOf(x.noun1, x.noun2)]
			if s > 0 {
				v[0] += x.count
			} else {
				v[1] += x.count
			}
			votes[pairOf(x.noun1, x.noun2)] = v
		}
	}
	out := map[uint64]int8{}
	for k, v := range votes {
		if v[0]+v[1] <= float64(m.opt.nounPairs) || v[0] > 0 && v[1] > 0 {
			continue
		}
		if v[0] > 0 {
			out[k] = 1
			it.pnp++
		} else {
			out[k] = -1
			it.nnp++
		}
	}
	return out
}

// link links templates by the majority of their events with classified nouns, and drops those with too few links.
func (n *network) link(m *model, e *events, nouns map[uint64]int8, it *iteration) {
	votes := map[uint64]float64{}
	for _, x := range e.list {
		g := nouns[pairOf(x.noun1, x.noun2)]
		if m.opt.sameNoun && x.noun1 == x.noun2 {
			g = 1
		}
		if g == 0 || x.first == x.second {
			continue
		}
		w := x.count
		if m.opt.votes == "pairs" {
			w = 1
		}
		votes[pairOf(min(x.first, x.second), max(x.first, x.second))] += w * float64(x.sign*g)
	}
	links := make([]edge, 0, len(votes))
	for k, v := range votes {
		if v != 0 {
			links = append(links, edge{uint32(k >> 32), uint32(k), math.Copysign(1, v)})
		}
	}
	slices.SortFunc(links, func(a, b edge) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	links = prune(links, len(n.templates), m.opt.minLinks, m.opt.core)
	n.links, n.votes = links, nil
	degree := make([]int, len(n.templates))
	for _, l := range links {
		n.votes = append(n.votes, votes[pairOf(l.i, l.j)])
		degree[l.i]++
		degree[l.j]++
		if l.w > 0 {
			it.same++
		} else {
			it.opposite++
		}
	}
	for _, d := range degree {
		if d > 0 {
			it.linked++
		}
	}
}

// prune drops the templates with fewer links than least, once, or until none is left.
func prune(links []edge, n, least int, core bool) []edge {
	for {
		degree := make([]int, n)
		for _, l := range links {
			degree[l.i]++
			degree[l.j]++
		}
		kept := slices.DeleteFunc(slices.Clone(links), func(l edge) bool {
			return degree[l.i] < least || degree[l.j] < least
		})
		if !core || len(kept) == len(links) {
			return kept
		}
		links = kept
	}
}

// best is the signs of the next round: the seeds, and the n others with the highest and the n with the lowest values.
func (n *network) best(k int) []int8 {
	signs := slices.Clone(n.seed)
	order := n.ranked()
	order = slices.DeleteFunc(order, func(i int) bool { return n.seed[i] != 0 })
	for r := 0; r < min(k, len(order)); r++ {
		if i := order[r]; n.value[i] > 0 {
			signs[i] = 1
		}
		if i := order[len(order)-1-r]; n.value[i] < 0 {
			signs[i] = -1
		}
	}
	return signs
}

// ranked is the templates by falling value; of equal ones the more frequent first, at the lower end last.
func (n *network) ranked() []int {
	order := make([]int, len(n.templates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		c := cmp.Compare(n.value[b], n.value[a])
		if c == 0 {
			c = cmp.Compare(n.freq[b], n.freq[a])
			if n.value[a] < 0 {
				c = -c
			}
		}
		return cmp.Or(c, cmp.Compare(a, b))
	})
	return order
}
