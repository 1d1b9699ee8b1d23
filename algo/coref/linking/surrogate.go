package linking

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/engine/partition"
)

// Step names how structured local training chooses the labels of pairs that the next model learns (Choi and Cardie
// 2007). h is the pairs that the model takes for coreferent, h' what closure makes of them, y* the gold clusters.
//
//	tree    where h' is right, h; else 1 for the pairs of a spanning forest of gold pairs in which those that h' has
//	        cost nothing and others more the less probable they are, 0 for the others (algorithm 1)
//	gold    where h' is right, h; else y* (algorithm 2)
//	strict  the most probable labels whose closure is y*
//	drop    as gold, but pairs that h' gets right and h does not are left out
type Step string

// The steps.
const (
	StepTree   Step = "tree"
	StepGold   Step = "gold"
	StepStrict Step = "strict"
	StepDrop   Step = "drop"
)

// Labels of pairs.
const (
	No   = 0
	Yes  = 1
	Left = 2 // out of what is learned
)

// Surrogate writes labels of the pairs of a table of probabilities to out, by the gold cluster of each mention. Pairs
// at or below the threshold are not taken for coreferent.
func Surrogate(ctx context.Context, t *Table, gold []int32, step Step, threshold float64, out []uint8) error {
	t.check(gold)
	if !slices.Contains([]Step{StepTree, StepGold, StepStrict, StepDrop}, step) {
		return fmt.Errorf("there is no step %s", step)
	}
	if step == StepStrict {
		return strict(ctx, t, gold, threshold, out)
	}
	closed, err := Closed(ctx, t, threshold)
	if err != nil {
		return err
	}
	var wrong []partition.Edge // gold pairs for the forest
	var places []int
	at := 0
	for i := range t.Len() {
		if i&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for k, p := range t.Row(i) {
			j := t.First(i) + k
			local, joined, want := p > threshold, closed[i] == closed[j], gold[i] == gold[j]
			switch {
			case joined == want && step == StepDrop && local != want:
				out[at] = Left
			case joined == want:
				out[at] = label(local)
			case step == StepTree:
				out[at] = No
			default:
				out[at] = label(want)
			}
			if want && step == StepTree {
				cost := 0.0
				if !joined {
					cost = 1 - p
				}
				wrong, places = append(wrong, partition.Edge{A: int32(j), B: int32(i), Weight: -cost}), append(places, at)
			}
			at++
		}
	}
	if step != StepTree {
		return nil
	}
	f, err := partition.SpanningForest(ctx, t.Len(), wrong, -2)
	for _, e := range f.Edges {
		if a := wrong[e]; closed[a.A] != closed[a.B] {
			out[places[e]] = Yes
		}
	}
	return err
}

// strict: pairs across clusters are 0, gold pairs that the model has are 1, and so are the others of the forest with
// the least Σ log((1−p)/p).
func strict(ctx context.Context, t *Table, gold []int32, threshold float64, out []uint8) error {
	var edges []partition.Edge
	var places []int
	at := 0
	for i := range t.Len() {
		if i&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for k, p := range t.Row(i) {
			j := t.First(i) + k
			out[at] = No
			if gold[i] == gold[j] {
				w := logit(p)
				if p > threshold {
					out[at], w = Yes, hard
				}
				edges, places = append(edges, partition.Edge{A: int32(j), B: int32(i), Weight: w}), append(places, at)
			}
			at++
		}
	}
	f, err := partition.SpanningForest(ctx, t.Len(), edges, -2*hard)
	for _, e := range f.Edges {
		out[places[e]] = Yes
	}
	return err
}

func logit(p float64) float64 {
	const least = 1e-300
	return math.Log(max(p, least)) - math.Log(max(1-p, least))
}

func label(yes bool) uint8 {
	if yes {
		return Yes
	}
	return No
}

// Closed are the clusters that pairs above a threshold join, numbered from 0 by their first mentions. It fails only
// when the context has ended.
func Closed(ctx context.Context, t *Table, threshold float64) ([]int32, error) {
	u := partition.NewUnionFind(t.Len())
	for i := range t.Len() {
		if i&15 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, p := range t.Row(i) {
			if p > threshold {
				u.Union(int32(t.First(i)+k), int32(i))
			}
		}
	}
	return u.Labels(nil), nil
}

// Form is what a bias β does to the potentials of some pairs (Choi and Cardie 2007).
//
//	weight   the log-likelihood of the pair counts β times
//	margin   β multiplies the potential of the wrong label, in training
//	literal  β multiplies the potentials of both labels, as the paper prints: it cancels
type Form string

// The forms.
const (
	FormWeight  Form = "weight"
	FormMargin  Form = "margin"
	FormLiteral Form = "literal"
)

// PairLoss is −log p(y|x) of a pair with score z, p(1|x) = 1/(1+exp(−z)), under a bias, and its derivative by z.
func PairLoss(z float64, yes bool, form Form, beta float64) (loss, derivative float64) {
	factor := 1.0
	switch form {
	case FormWeight:
		factor = beta
	case FormMargin:
		if yes {
			z -= math.Log(beta)
		} else {
			z += math.Log(beta)
		}
	}
	y := 0.0
	if yes {
		y, z = 1, -z
	}
	// log(1 + exp(z)) with the sign of the wrong label
	loss = max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
	p := 1 / (1 + math.Exp(-z))
	if yes {
		p = 1 - p
	}
	return factor * loss, factor * (p - y)
}
