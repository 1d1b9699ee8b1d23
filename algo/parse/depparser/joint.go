package depparser

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// joint scores relations together with heads: the score of an arc has that of its best relation, or,
// where trees are summed, the logarithm of the sum over its relations. Templates see the arc alone.
type joint struct {
	l      *labeler
	table  *table
	sum    bool
	v      halves
	keys   []uint64
	scores []float64
	extra  []float64 // what the relations add to the score of an arc, by arc
	best   []uint16  // best relations, by arc
}

// labelled is a feature of an arc with a relation in a gradient.
type labelled struct {
	h, m  int32
	label uint16
	coef  float64
}

// load adds the relations to the scores of arcs.
func (j *joint) load(s *sentence, p *tree.Parts, score []float64) {
	j.v.load(j.l.group, s)
	j.extra, j.best = buffer.Resize(j.extra, p.Arcs.Len()), buffer.Resize(j.best, p.Arcs.Len())
	for a, h := range p.Head {
		if p.Ended() {
			return
		}
		choices := j.arc(s, h, p.Mod[a])
		j.extra[a], j.best[a] = j.pool(choices)
		score[a] += j.extra[a]
	}
}

// pool returns what the scores of the choices come to, and the best one.
func (j *joint) pool(choices []uint16) (float64, uint16) {
	best := 0
	for i, x := range j.scores {
		if x > j.scores[best] {
			best = i
		}
	}
	if !j.sum {
		return j.scores[best], choices[best]
	}
	z := 0.0
	for _, x := range j.scores {
		z += math.Exp(x - j.scores[best])
	}
	return j.scores[best] + math.Log(z), choices[best]
}

// arc sets the scores of the choices of an arc.
func (j *joint) arc(s *sentence, h, m int32) []uint16 {
	j.key(h, m)
	choices := j.l.choices(s, int(h), int(m))
	j.scores = buffer.Resize(j.scores, len(choices))
	j.choose(choices)
	return choices
}

// key sets the keys of an arc, with direction and with distance.
func (j *joint) key(h, m int32) {
	T := len(j.l.group.templates)
	j.keys = buffer.Resize(j.keys, 2*T)
	join(j.keys, j.v.row(roleH, T, h), j.v.row(roleM, T, m), shapes[direction(h, m)])
	far := salts[span(int(h), int(m))]
	for t, k := range j.keys[:T] {
		j.keys[T+t] = k ^ far
	}
}

// choose sets the scores of relations under the keys.
func (j *joint) choose(choices []uint16) {
	if t := j.table; t.q != nil {
		scoreLabels(j.scores, t.small(), j.keys, choices)
	} else {
		scoreLabels(j.scores, t.exact(), j.keys, choices)
	}
}

// of is the score of an arc's relation.
func (j *joint) of(h, m int32, label uint16) float64 {
	j.key(h, m)
	j.scores = buffer.Resize(j.scores, 1)
	j.choose([]uint16{label})
	return j.scores[0]
}

// each calls f with the places of the features of an arc's relation.
func (j *joint) each(x labelled, f func(place uint32)) {
	j.key(x.h, x.m)
	for _, k := range j.keys {
		f(uint32(k>>j.table.drop ^ uint64(x.label)))
	}
}

// augment adds cost to the relations of gold arcs that are wrong.
func (j *joint) augment(it *item, p *tree.Parts, score []float64, cost float64) {
	for m := 1; m <= p.N; m++ {
		a := p.Find(int(it.heads[m]), m)
		if a < 0 {
			continue
		}
		choices := j.arc(&it.sentence, it.heads[m], int32(m))
		for i, c := range choices {
			if c != it.labels[m] {
				j.scores[i] += cost
			}
		}
		score[a] -= j.extra[a]
		j.extra[a], j.best[a] = j.pool(choices)
		score[a] += j.extra[a]
	}
}

// gold is what must be added to the score of the gold tree, whose arcs have their best relations, so
// that it has its own.
func (j *joint) gold(it *item, p *tree.Parts) float64 {
	sum := 0.0
	for m := 1; m <= it.n; m++ {
		sum += j.of(it.heads[m], int32(m), it.labels[m])
		if a := p.Find(int(it.heads[m]), m); a >= 0 {
			sum -= j.extra[a]
		}
	}
	return sum
}

// differ adds the relations in which the tree that was found differs from gold and returns how many
// heads are right with a wrong relation.
func (j *joint) differ(it *item, p *tree.Parts, heads []int32, g *gradient) (wrong int) {
	for m := 1; m <= p.N; m++ {
		label := j.best[p.Find(int(heads[m]), m)]
		if heads[m] == it.heads[m] && label == it.labels[m] {
			continue
		}
		if heads[m] == it.heads[m] {
			wrong++
		}
		g.labels = append(g.labels, labelled{it.heads[m], int32(m), it.labels[m], 1}, labelled{heads[m], int32(m), label, -1})
	}
	return wrong
}

// expect adds the gradient of the log-likelihood: gold relations less the expected ones, under the
// probabilities mu of arcs.
func (j *joint) expect(it *item, p *tree.Parts, mu []float64, least float64, g *gradient) {
	for m := 1; m <= p.N; m++ {
		g.labels = append(g.labels, labelled{it.heads[m], int32(m), it.labels[m], 1})
	}
	for a, h := range p.Head {
		if mu[a] <= least {
			continue
		}
		m := p.Mod[a]
		for i, c := range j.arc(&it.sentence, h, m) {
			if x := mu[a] * math.Exp(j.scores[i]-j.extra[a]); x > least {
				g.labels = append(g.labels, labelled{h, m, c, -x})
			}
		}
	}
}
