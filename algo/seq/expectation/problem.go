package expectation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/numeric/buffer"
	"parlance/algo/option"
)

func sortHits(list []Hit) {
	slices.SortFunc(list, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Token, b.Token),
			cmp.Compare(a.Trigger, b.Trigger))
	})
}

// Space tells which labels of a model the labels of constraints stand for.
type Space struct {
	N       int               // labels of the model
	Longest int               // of its segments
	Token   map[string][]bool // labels of the model that tokens in segments with the label, or one below it, have
	Begin   map[string][]bool // those that begin such a segment; nil for Token
	Outside string            // label of tokens in no segment, "" if there is none
	Chain   bool              // labels are those of tokens: lengths of segments cannot be told
}

// Names lists the labels.
func (s *Space) Names() []string {
	out := make([]string, 0, len(s.Token))
	for n := range s.Token {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// part is a function of segmentations, linear in the marginals of semimarkov.Expected, with a bound on its expectation:
// Σ over hits of its trigger of [label in mask] + Σ over segments of table[length, label].
type part struct {
	constraint int
	trigger    int32     // −1 for none
	unit       bool      // hits count where the segment is the token alone
	mask       []bool    // by label
	counted    []float64 // (length−1)·N + label: what is counted, nil for hits
	base       []float64 // the same: what the target is a share of, nil for what count says
	table      []float64 // counted − rate·base
	rate       float64   // target
	per        per
	lower      bool    // μ ≥ 0
	upper      bool    // μ ≤ 0
	penalty    float64 // ½·penalty·μ² is taken from D(μ)
}

// per is what a target is times, a row.
type per uint8

const (
	hits per = iota
	tokens
	rows
	segments // what base expects
)

// Row is a sequence with what triggers find in it.
type Row struct {
	Tokens int
	Hits   []Hit
}

// Problem is constraints as functions of the segmentations of a model.
type Problem struct {
	List  []Constraint
	space *Space
	parts []part
	by    [][]int32 // parts by trigger
	wide  []int32   // parts with tables
	n     int
}

// NewProblem makes functions of constraints. Unknown labels and constraints that the model cannot tell are errors.
func NewProblem(list []Constraint, t *Triggers, space *Space) (*Problem, error) {
	p := &Problem{List: list, space: space, n: space.N, by: make([][]int32, len(t.Names))}
	for i, c := range list {
		if err := p.add(i, t.of[i]); err != nil {
			return nil, fmt.Errorf("constraint in row %d: %w", c.Row, err)
		}
	}
	for i := range p.parts {
		if x := &p.parts[i]; x.trigger >= 0 {
			p.by[x.trigger] = append(p.by[x.trigger], int32(i))
		} else {
			p.wide = append(p.wide, int32(i))
		}
	}
	return p, nil
}

// mask returns the labels of the model that a label stands for.
func (p *Problem) mask(label string, begin bool) ([]bool, error) {
	from := p.space.Token
	if begin && p.space.Begin != nil {
		from = p.space.Begin
	}
	if label != "" {
		m, ok := from[label]
		if !ok {
			names := p.space.Names()
			return nil, fmt.Errorf("there is no label %q%s; labels are %s", label, option.DidYouMean(label, names),
				strings.Join(names, ", "))
		}
		return m, nil
	}
	out := make([]bool, p.n)
	for name, m := range from {
		for y, in := range m {
			out[y] = out[y] || in && name != p.space.Outside
		}
	}
	return out, nil
}

func (p *Problem) add(i int, trigger int32) error {
	c := p.List[i]
	if c.Kind == Separator && c.Label == "" {
		if c.Label = p.space.Outside; c.Label == "" {
			return fmt.Errorf("separator wants a label, as every token belongs to a segment")
		}
	}
	x := part{constraint: i, trigger: trigger, rate: c.Target}
	var err error
	if x.mask, err = p.mask(c.Label, c.Kind == Segments); err != nil {
		return err
	}
	switch c.Kind {
	case Separator:
		if x.unit = true; p.space.Chain && c.Label != p.space.Outside {
			return fmt.Errorf("a model that labels tokens cannot tell segments of one token; give the separator "+
				"the label %s, or use semicrf", p.space.Outside)
		}
	case Share:
		x.per = tokens
		x.counted = p.table(func(length, y int) float64 { return float64(length) * one(x.mask[y]) })
	case Segments:
		x.per = rows
		x.counted = p.table(func(_, y int) float64 { return one(x.mask[y]) })
	case Length:
		if p.space.Chain {
			return fmt.Errorf("a model that labels tokens cannot tell lengths of segments; use semicrf")
		}
		least, most, err := lengths(c.Value)
		if err != nil {
			return err
		}
		x.per = segments
		x.base = p.table(func(_, y int) float64 { return one(x.mask[y]) })
		x.counted = p.table(func(length, y int) float64 {
			return one(x.mask[y] && length >= least && (most == 0 || length <= most))
		})
	}
	p.bound(x, c)
	return nil
}

// bound adds the part, or two for a box.
func (p *Problem) bound(x part, c Constraint) {
	switch c.Direction {
	case AtLeast:
		x.lower = true
	case AtMost:
		x.upper = true
	case Squared:
		x.penalty = c.Width
	case Box:
		above := x
		x.lower, above.upper = true, true
		x.rate, above.rate = c.Target-c.Width, c.Target+c.Width
		p.parts = append(p.parts, x.ready(), above.ready())
		return
	}
	p.parts = append(p.parts, x.ready())
}

// ready sets the table.
func (x part) ready() part {
	if x.counted == nil {
		return x
	}
	x.table = slices.Clone(x.counted)
	for k := range x.base {
		x.table[k] -= x.rate * x.base[k]
	}
	return x
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (p *Problem) table(f func(length, label int) float64) []float64 {
	out := make([]float64, p.space.Longest*p.n)
	for d := range p.space.Longest {
		for y := range p.n {
			out[d*p.n+y] = f(d+1, y)
		}
	}
	return out
}

// Size is the number of multipliers.
func (p *Problem) Size() int { return len(p.parts) }

// count is how often a part applies in a row: what its target is times.
func (p *Problem) count(x *part, r *Row, hitCount []int32) float64 {
	switch x.per {
	case hits:
		return float64(hitCount[x.trigger])
	case tokens:
		return float64(r.Tokens)
	case rows:
		return 1
	}
	return 0
}

// countHits counts the hits of each trigger in a row.
func (p *Problem) countHits(dst []int32, r *Row) []int32 {
	dst = buffer.Zeros(dst, len(p.by))
	for _, h := range r.Hits {
		dst[h.Trigger]++
	}
	return dst
}

// Targets sums up the targets u over rows, and how often each part applies.
func (p *Problem) Targets(list []Row) (u, counts []float64) {
	u, counts = make([]float64, len(p.parts)), make([]float64, len(p.parts))
	var n []int32
	for i := range list {
		n = p.countHits(n, &list[i])
		for k := range p.parts {
			x := &p.parts[k]
			c := p.count(x, &list[i], n)
			u[k] += x.rate * c
			counts[k] += c
		}
	}
	return u, counts
}

// Add sets the scores that the multipliers give to a row.
func (p *Problem) Add(dst *semimarkov.Extra, r *Row, mu []float64) {
	dst.Token, dst.Unit = buffer.Zeros(dst.Token, r.Tokens*p.n), buffer.Zeros(dst.Unit, r.Tokens*p.n)
	dst.Length = buffer.Zeros(dst.Length, p.space.Longest*p.n)
	for _, k := range p.wide {
		if m := mu[k]; m != 0 {
			for i, v := range p.parts[k].table {
				dst.Length[i] += m * v
			}
		}
	}
	for _, h := range r.Hits {
		for _, k := range p.by[h.Trigger] {
			x, m := &p.parts[k], mu[k]
			if m == 0 {
				continue
			}
			row := dst.Token[int(h.Token)*p.n:][:p.n]
			if x.unit {
				row = dst.Unit[int(h.Token)*p.n:][:p.n]
			}
			for y, in := range x.mask {
				if in {
					row[y] += m
				}
			}
		}
	}
}

// Expect adds the expectations of all parts in a row to dst.
func (p *Problem) Expect(dst []float64, r *Row, e *semimarkov.Expected) {
	for _, k := range p.wide {
		dst[k] += product(p.parts[k].table, e.Length)
	}
	p.expectHits(dst, r, e)
}

func (p *Problem) expectHits(dst []float64, r *Row, e *semimarkov.Expected) {
	for _, h := range r.Hits {
		for _, k := range p.by[h.Trigger] {
			x := &p.parts[k]
			row := e.Token[int(h.Token)*p.n:][:p.n]
			if x.unit {
				row = e.Unit[int(h.Token)*p.n:][:p.n]
			}
			for y, in := range x.mask {
				if in {
					dst[k] += row[y]
				}
			}
		}
	}
}

// Rates adds, for each part, what was counted in a row and what it is a share of.
func (p *Problem) Rates(counted, base []float64, r *Row, e *semimarkov.Expected) {
	n := p.countHits(nil, r)
	for k := range p.parts {
		x := &p.parts[k]
		if x.counted != nil {
			counted[k] += product(x.counted, e.Length)
		}
		if x.base != nil {
			base[k] += product(x.base, e.Length)
		} else {
			base[k] += p.count(x, r, n)
		}
	}
	p.expectHits(counted, r, e)
}

func product(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
