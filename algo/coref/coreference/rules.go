package coreference

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/engine/partition"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// rule is a constraint by name: which pairs of mentions it holds for, and whether they must or may not corefer.
type rule struct {
	name string
	doc  string
	must bool
	of   func(d *document, j, i int) bool
}

// longSpan is how many words a mention has more than that says the same as another one by its words.
const longSpan = 5

// rules are the constraints of Chang, Samdani and Roth (2013), section 4, as far as tables and descriptions go; nested
// and speaker stand besides.
var rules = []rule{
	{"same_span", "must: the same words, more than 5", true, func(d *document, j, i int) bool {
		return d.mentions[i].Len() > longSpan && d.key(i) == d.key(j)
	}},
	{"same_name", "must: names with the same words, or one is the last word of the other and they agree", true, sameName},
	{"same_definite", "must: both begin with the, this or that, with the same head and no modifiers that only the " +
		"later one has", true, sameDefinite},
	{"modifier_mismatch", "may not: the same head with different numbers or ordinals before it", false, otherModifiers},
	{"property_mismatch", "may not: another gender, number or animacy, each known", false,
		func(d *document, j, i int) bool {
			a, b := &d.mentions[j], &d.mentions[i]
			return a.Gender != mention.UnknownGender && b.Gender != mention.UnknownGender && a.Gender != b.Gender ||
				a.Number != mention.UnknownNumber && b.Number != mention.UnknownNumber && a.Number != b.Number ||
				a.Animacy != mention.UnknownAnimacy && b.Animacy != mention.UnknownAnimacy && a.Animacy != b.Animacy
		}},
	{"nested", "may not: one inside the other", false, func(d *document, j, i int) bool {
		return d.mentions[j].Covers(d.mentions[i].Span)
	}},
	{"speaker", "may not: I or you of the same speaker, or I of different known speakers", false, speakers},
}

// rulesDoc lists the rules.
func rulesDoc() string {
	var parts []string
	for _, r := range rules {
		parts = append(parts, r.name+" ("+r.doc+")")
	}
	return strings.Join(parts, "; ")
}

// key is the words of a mention in small letters.
func (d *document) key(i int) string {
	if d.keys == nil {
		d.keys = make([]string, len(d.mentions))
	}
	if d.keys[i] == "" {
		m := d.mentions[i]
		d.keys[i] = strings.Join(d.read.Lower[m.Start:m.End], " ")
	}
	return d.keys[i]
}

func sameName(d *document, j, i int) bool {
	a, b := &d.mentions[j], &d.mentions[i]
	if a.Type != mention.Name || b.Type != mention.Name {
		return false
	}
	x, y := d.read.Bare(a), d.read.Bare(b)
	if x == y {
		return true
	}
	last := func(long, short string) bool { return strings.HasSuffix(long, " "+short) }
	return a.Animacy == mention.Animate && b.Animacy == mention.Animate && (last(x, y) || last(y, x))
}

func sameDefinite(d *document, j, i int) bool {
	a, b := &d.mentions[j], &d.mentions[i]
	definite := func(m *mention.Mention) bool {
		return m.Type == mention.Nominal && (m.Definiteness == mention.Definite || m.Definiteness == mention.Demonstrative)
	}
	if !definite(a) || !definite(b) || d.read.Lower[a.Head] != d.read.Lower[b.Head] || a.Number != b.Number {
		return false
	}
	of := d.read.Modifiers(a)
	return !slices.ContainsFunc(d.read.Modifiers(b), func(w string) bool { return !slices.Contains(of, w) })
}

// otherModifiers tells of two mentions with one head whether numbers or ordinals say that they are different.
func otherModifiers(d *document, j, i int) bool {
	a, b := &d.mentions[j], &d.mentions[i]
	if d.read.Lower[a.Head] != d.read.Lower[b.Head] || a.Type == mention.Pronoun || b.Type == mention.Pronoun {
		return false
	}
	numbers := func(m *mention.Mention) (out []string) {
		for t := m.Start; t < m.Head; t++ {
			if d.read.Upos[t] == "NUM" || strings.Contains(d.read.Feats[t], "NumType=Ord") {
				out = append(out, d.read.Lower[t])
			}
		}
		return out
	}
	x, y := numbers(a), numbers(b)
	return len(x) > 0 && len(y) > 0 && !slices.Equal(x, y)
}

func speakers(d *document, j, i int) bool {
	a, b := &d.mentions[j], &d.mentions[i]
	if a.Type != mention.Pronoun || b.Type != mention.Pronoun || a.Speaker == "" || b.Speaker == "" {
		return false
	}
	if a.Speaker == b.Speaker {
		return a.Person == 1 && b.Person == 2 || a.Person == 2 && b.Person == 1
	}
	return a.Pronoun == "i" && b.Pronoun == "i"
}

// constraint is a rule with its weight.
type constraint struct {
	rule
	weight float64
}

// parseConstraints reads names of rules, each with its weight behind a colon or with that of all.
func parseConstraints(names []string, weight float64) (out []constraint, err error) {
	var known []string
	for _, r := range rules {
		known = append(known, r.name)
	}
	for _, n := range names {
		name, number, given := strings.Cut(n, ":")
		k := slices.Index(known, name)
		if k < 0 {
			return nil, &kind.Unknown{What: "constraint", Name: name, Known: known}
		}
		c := constraint{rules[k], weight}
		if given {
			if c.weight, err = strconv.ParseFloat(number, 64); err != nil || !(c.weight > 0) {
				return nil, fmt.Errorf("option constraints: %s wants a weight above 0 behind the colon, not %q", name, number)
			}
		}
		if !c.must {
			c.weight = -c.weight
		}
		out = append(out, c)
	}
	return out, nil
}

// phrasePair is a row of the table of constraints: two phrases and their weight.
type phrasePair struct {
	A, B   string // A ≤ B, in small letters
	Head   bool   // they are heads, not whole mentions
	Weight float64
}

var constraintTable = kind.TableUse{Name: "constraints", Doc: "pairs of phrases that must corefer or may not",
	Columns: []kind.Column{
		{Name: "first", Type: value.Text, Doc: "words of a mention, or its head; case does not matter"},
		{Name: "second", Type: value.Text, Doc: "the same of another mention"},
		{Name: "weight", Type: value.Float, Doc: "what it adds to the score of the pair; NULL forbids. Above 99 it forces, " +
			"below -99 it forbids", Optional: true},
		{Name: "part", Type: value.Text, Doc: "text, which stands for NULL, or head: what of the mention is compared",
			Optional: true}}}

// hardWeight is the weight from which on a constraint is obeyed whatever the scores are.
const hardWeight = 99

// readConstraints reads the table, sorted. Phrases that must and may not corefer are an error that names the chain.
func readConstraints(ctx context.Context, in kind.Input) ([]phrasePair, error) {
	if in == nil {
		return nil, nil
	}
	table, ok := in.Table(constraintTable.Name)
	if !ok {
		return nil, nil
	}
	var out []phrasePair
	n := 0
	for r, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		p := phrasePair{A: strings.ToLower(r[0].S), B: strings.ToLower(r[1].S), Weight: -hardWeight - 1,
			Head: r[3].S == "head"}
		if r[3].S != "" && r[3].S != "head" && r[3].S != "text" {
			return nil, fmt.Errorf("row %d of constraints: part is text or head, not %q", n, r[3].S)
		}
		if p.A == "" || p.B == "" {
			return nil, fmt.Errorf("row %d of constraints: first and second are phrases, and one is missing", n)
		}
		if p.A > p.B {
			p.A, p.B = p.B, p.A
		}
		if !r[2].IsNull() {
			if p.Weight = r[2].Float(); math.IsNaN(p.Weight) || math.IsInf(p.Weight, 0) {
				return nil, fmt.Errorf("row %d of constraints: weight is not finite", n)
			}
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b phrasePair) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Weight, b.Weight))
	})
	return out, consistent(ctx, out)
}

// consistent looks whether the hard constraints can all be obeyed.
func consistent(ctx context.Context, list []phrasePair) error {
	number := map[string]int32{}
	var names []string
	id := func(p phrasePair, s string) int32 {
		if p.Head {
			s = "head " + s
		}
		if _, ok := number[s]; !ok {
			number[s] = int32(len(names))
			names = append(names, s)
		}
		return number[s]
	}
	var must, cannot [][2]int32
	for _, p := range list {
		pair := [2]int32{id(p, p.A), id(p, p.B)}
		switch {
		case p.A == p.B: // mentions of one phrase are not one mention
		case p.Weight > hardWeight:
			must = append(must, pair)
		case p.Weight < -hardWeight:
			cannot = append(cannot, pair)
		}
	}
	_, err := partition.Closure(ctx, len(names), must, cannot)
	var c *partition.Contradiction
	if !errors.As(err, &c) {
		return err
	}
	x := c.Conflicts[0]
	chain := []string{names[x.Chain[0][0]]}
	for _, p := range x.Chain {
		chain = append(chain, names[p[1]])
	}
	return fmt.Errorf("the constraints contradict each other: %s must corefer, and %s may not with %s",
		strings.Join(chain, " = "), names[x.Cannot[0]], names[x.Cannot[1]])
}

// constraintsOf are the rules between the mentions of a document.
func (m *model) constraintsOf(ctx context.Context, d *document) (*linking.Rules, error) {
	list, err := parseConstraints(m.opt.constraints, m.opt.constraintWeight)
	if err != nil || len(list) == 0 && len(m.trained.phrases) == 0 {
		return nil, err
	}
	weight := func(w float64) float64 {
		if math.Abs(w) > hardWeight {
			return math.Copysign(1e6, w)
		}
		return w
	}
	table := m.phraseTable()
	var out []linking.Rule
	for i := range d.mentions {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j := d.table.First(i); j < i; j++ {
			sum := 0.0
			for _, c := range list {
				if c.of(d, j, i) {
					sum += weight(c.weight)
				}
			}
			if table != nil {
				sum += weight(table[phraseKey(d.key(j), d.key(i), false)])
				a, b := d.read.Lower[d.mentions[j].Head], d.read.Lower[d.mentions[i].Head]
				sum += weight(table[phraseKey(a, b, true)])
			}
			if sum != 0 {
				out = append(out, linking.Rule{A: int32(j), B: int32(i), Weight: sum})
			}
		}
	}
	return linking.NewRules(out), nil
}

func phraseKey(a, b string, head bool) phrasePair {
	if a > b {
		a, b = b, a
	}
	return phrasePair{A: a, B: b, Head: head}
}

// phraseTable is the weights of the table by pair, nil without one.
func (m *model) phraseTable() map[phrasePair]float64 {
	if len(m.trained.phrases) == 0 {
		return nil
	}
	out := map[phrasePair]float64{}
	for _, p := range m.trained.phrases {
		out[phraseKey(p.A, p.B, p.Head)] += p.Weight
	}
	return out
}
