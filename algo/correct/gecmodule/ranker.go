package gecmodule

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
)

// ranker adds to the log-odds of the regression what its inputs do not add up to: trees over what speaks for an edit
// and lifts of the words and tags around the slot.
type ranker struct {
	Trees *evidence.Trees
	Lifts []liftRow
	lifts map[string]float32
}

// liftRow is the lift of a property of the place: the log of how much oftener edits there are right than the
// regression expects.
type liftRow struct {
	Of   string
	Lift float32
}

// floor is the log-odds below which the regression alone counts.
const floor = -5.5

// The inputs of trees: numbers first, then lifts.
const (
	numbers    = 17
	properties = 18
)

// growth is how trees of prob grow, but for their number.
var growth = evidence.Growth{Depth: 4, Rate: 0.1, L2: 5, Least: 5}

func (r *ranker) ready() {
	r.lifts = make(map[string]float32, len(r.Lifts))
	for _, l := range r.Lifts {
		r.lifts[l.Of] = l.Lift
	}
}

// properties are those of a place whose lifts count.
func (x *worker) properties(s *confusion.Sentence, c *confusion.Candidate, p *evidence.Proposal) (
	out [properties]string) {
	pair, before, after := p.Source+">"+p.Label, s.Word(c.Slot-1), s.Word(c.SlotEnd)
	tagBefore, tag, tagAfter := s.Tag(c.Slot-1), s.Tag(c.Slot), s.Tag(c.SlotEnd)
	for i, v := range [properties]string{pair, s.Tag(c.Slot - 2), tagBefore, tag, tagAfter, s.Tag(c.SlotEnd + 1),
		before, after, p.Written, p.Fill, p.Written + ">" + p.Fill, pair + " " + tagBefore, pair + " " + tagAfter,
		pair + " " + before, pair + " " + after, before + " " + p.Fill, p.Fill + " " + after,
		tagBefore + " " + tag + " " + tagAfter} {
		out[i] = string(rune('a'+i)) + v
	}
	return out
}

// numbers appends the inputs of trees that are no lifts, for option k of a candidate. Its log-odds by the regression
// are given.
func (x *worker) numbers(out []float32, s *confusion.Sentence, c *confusion.Candidate, k int, p *evidence.Proposal,
	margins []float64, logit float64) []float32 {
	lead, rank := 99.0, 0.0
	for i, v := range margins {
		if i != k {
			lead = min(lead, margins[k]-v)
			if v > margins[k] {
				rank++
			}
		}
	}
	pattern := 0.0
	if p.Certain {
		pattern = 1
	}
	n := len(s.Forms)
	put := func(list ...float64) {
		for _, v := range list {
			out = append(out, float32(v))
		}
	}
	put(logit, p.Margin/x.m.scale, p.LM, p.Rarity, pattern, float64(len(c.Options)), rank, lead/x.m.scale,
		float64(c.Slot)/float64(n), float64(n), float64(c.Slot))
	if x.windows == nil {
		return append(out, make([]float32, numbers-11)...)
	}
	w := x.windows
	put(math.Log10(1+w.Count(p.Fill)), math.Log10(1+w.Count(p.Written)), w.Mean(c.Slot-1, c.SlotEnd+2),
		w.Mean(c.Slot, c.SlotEnd), w.Mean(c.SlotEnd, c.SlotEnd+1), w.Mean(0, n))
	return out
}

// rank is what trees add to the log-odds of an option.
func (x *worker) rank(s *confusion.Sentence, c *confusion.Candidate, k int, p *evidence.Proposal, margins []float64,
	logit float64) float64 {
	r := x.m.ranker
	if r == nil || logit < floor {
		return 0
	}
	x.inputs = x.numbers(x.inputs[:0], s, c, k, p, margins, logit)
	for _, of := range x.properties(s, c, p) {
		x.inputs = append(x.inputs, r.lifts[of])
	}
	return r.Trees.Score(x.inputs)
}

// lifting counts edits that are right, and what the regression expects, by property and fold. Behind the folds is their
// sum.
type lifting struct {
	folds  int
	counts map[string][][2]float64
}

func (l *lifting) add(of string, fold int, right bool, p float64) {
	n := l.counts[of]
	if n == nil {
		n = make([][2]float64, l.folds+1)
		l.counts[of] = n
	}
	for _, f := range []int{fold, l.folds} {
		n[f][1] += p
		if right {
			n[f][0]++
		}
	}
}

// without is the lift of a property by all folds but one, by all for −1:
//
//	log (right + 1) / (expected + 1)
func (l *lifting) without(of string, fold int) float32 {
	n := l.counts[of]
	if n == nil {
		return 0
	}
	right, expected := n[l.folds][0], n[l.folds][1]
	if fold >= 0 {
		right, expected = right-n[fold][0], expected-n[fold][1]
	}
	return float32(math.Log((right + 1) / (max(expected, 0) + 1)))
}

// rows lists the lifts of all folds that are not near 0.
func (l *lifting) rows() (out []liftRow) {
	for of := range l.counts {
		if v := l.without(of, -1); math.Abs(float64(v)) > 0.05 {
			out = append(out, liftRow{of, v})
		}
	}
	slices.SortFunc(out, func(a, b liftRow) int { return strings.Compare(a.Of, b.Of) })
	return out
}

// ranked is an option that trees learn from.
type ranked struct {
	of, option int // example and its option
	properties [properties]string
}

// rank learns the trees from all options above the floor.
func (l *learner) rank(ctx context.Context, all [][]evidence.Proposal) error {
	m := l.m
	if m.trees == 0 || m.evidence != byAll || m.method() == "" {
		return nil
	}
	t, list := &evidence.Table{Columns: make([][]float32, numbers+properties)}, []ranked{}
	lift := lifting{m.folds, map[string][][2]float64{}}
	for i := range l.x {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := &l.x[i]
		r := &l.list[x.of]
		l.w.bind(r.s)
		for k := range all[i] {
			p := &all[i][k]
			logit := m.logit(&x.c, &x.c.Options[k], p)
			if logit < floor {
				continue
			}
			l.w.inputs = l.w.numbers(l.w.inputs[:0], r.s, &x.c, k, p, x.margins, logit)
			for f, v := range l.w.inputs {
				t.Columns[f] = append(t.Columns[f], v)
			}
			t.Gold, t.Base = append(t.Gold, x.right[k]), append(t.Base, logit)
			row := ranked{i, k, l.w.properties(r.s, &x.c, p)}
			for _, of := range row.properties {
				lift.add(of, r.fold, x.right[k], evidence.Sigmoid(logit))
			}
			list = append(list, row)
		}
	}
	if len(list) == 0 {
		return nil
	}
	fold := func(i int) int { return l.list[l.x[list[i].of].of].fold }
	for i, row := range list {
		for k, of := range row.properties {
			t.Columns[numbers+k] = append(t.Columns[numbers+k], lift.without(of, fold(i)))
		}
	}
	return l.growTrees(ctx, all, t, list, fold, &lift)
}

// growTrees grows trees of all options, and sets what trees of one half of the folds add to options of the other.
func (l *learner) growTrees(ctx context.Context, all [][]evidence.Proposal, t *evidence.Table, list []ranked,
	fold func(int) int, lift *lifting) error {
	how := growth
	how.Trees = l.m.trees
	l.ranked = map[[2]int]float64{}
	var x []float32
	for half := range 2 {
		within := func(i int) bool { return fold(i)%2 == half }
		trees, err := t.Grow(ctx, how, func(i int) bool { return !within(i) })
		if err != nil {
			return err
		}
		for i, row := range list {
			if within(i) {
				x = x[:0]
				for _, c := range t.Columns {
					x = append(x, c[i])
				}
				l.ranked[[2]int{row.of, row.option}] = trees.Score(x)
			}
		}
	}
	trees, err := t.Grow(ctx, how, nil)
	if err != nil {
		return err
	}
	l.m.ranker = &ranker{Trees: trees, Lifts: lift.rows()}
	l.m.ranker.ready()
	l.report("trees")
	return nil
}

// sortedLifts tells whether lifts are in order, each once.
func sortedLifts(list []liftRow) bool {
	return slices.IsSortedFunc(list, func(a, b liftRow) int { return cmp.Or(strings.Compare(a.Of, b.Of), -1) })
}
