package external

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/engine/chain"
	"parlance/algo/numeric/buffer"
)

// pairTable is the weights of pairs of labels, from·labels + to, that hold at every token, −Inf for those that the
// rules forbid.
type pairTable struct {
	m     *Model
	rules *chain.Constraints // may be nil
	base  []float64
}

func newPairTable(m *Model, rules *chain.Constraints) *pairTable {
	l := len(m.Labels)
	p := &pairTable{m: m, rules: rules, base: make([]float64, l*l)}
	for w := range m.Chain.Transitions() {
		p.base[int(w.From)*l+int(w.To)] = w.Weight
	}
	for i := range p.base {
		if rules != nil && !rules.Allowed(i/l, i%l) {
			p.base[i] = math.Inf(-1)
		}
	}
	return p
}

// pairSearch searches in a chain whose pairs of labels have scores of their own at each token, or whose scores are
// normalised label by label. It is for one goroutine.
type pairSearch struct {
	*pairTable
	ctx    context.Context
	n      int
	scores []float64 // of labels, by token
	starts []uint32  // of the features of pairs of a token in pairs
	pairs  []uint32

	step   []float64 // of the token that was asked for last: from·labels + to, with the score of to
	best   []float64 // of prefixes that end in a label, by token
	back   []uint16
	filled bool
	path   []uint16
	nbest  chain.NBest

	summed          bool
	forward, behind []float64 // logarithms of sums
	logZ            float64
	terms           []float64
}

// Within has the search end with the context.
func (s *pairSearch) Within(ctx context.Context) { s.ctx = ctx }

func (s *pairSearch) ended(t int) error {
	if s.ctx == nil || t%checkEvery != 0 {
		return nil
	}
	return s.ctx.Err()
}

// LoadAnd scores a sentence.
func (s *pairSearch) LoadAnd(seq chain.Sequence, add func(scores []float64)) {
	l := len(s.m.Labels)
	s.n, s.filled, s.summed = seq.Len(), false, false
	s.scores = buffer.Zeros(s.scores, s.n*l)
	s.m.Chain.AddScores(seq, s.scores)
	if add != nil {
		add(s.scores)
	}
	s.starts, s.pairs = append(s.starts[:0], 0), s.pairs[:0]
	for t := range s.n {
		s.pairs = pairsAt(seq, t, uint32(s.m.Chain.Attributes()), s.pairs)
		s.starts = append(s.starts, uint32(len(s.pairs)))
	}
	if s.rules == nil || s.n == 0 {
		return
	}
	for j := range l {
		if !s.rules.AllowedStart(j) {
			s.scores[j] = math.Inf(-1)
		}
		if !s.rules.AllowedEnd(j) {
			s.scores[(s.n-1)*l+j] = math.Inf(-1)
		}
	}
}

// at returns the scores of token t: with first, of its labels; else from·labels + to. They hold until the next call.
//
//	s_t[j] + T[i, j] + Σ_{b at t} p[b, i, j], in a local model less the logarithm of its sum over j of exp
func (s *pairSearch) at(t int) []float64 {
	l := len(s.m.Labels)
	row := s.scores[t*l:][:l]
	if t == 0 {
		s.step = append(s.step[:0], row...)
	} else {
		s.step = append(s.step[:0], s.base...)
		for _, k := range s.pairs[s.starts[t]:s.starts[t+1]] {
			p := &s.m.pairs
			for i := p.start[k]; i < p.start[k+1]; i++ {
				s.step[p.pair[i]] += p.weight[i]
			}
		}
		for i := 0; i < len(s.step); i += l {
			for j, v := range row {
				s.step[i+j] += v
			}
		}
	}
	for i := 0; s.m.Local && i < len(s.step); i += l {
		z := logSum(s.step[i : i+l])
		for j := range l {
			s.step[i+j] -= z
		}
	}
	return s.step
}

// Viterbi returns the best labelling and its score; of equally good ones, from the end backwards, that of lower labels.
func (s *pairSearch) Viterbi() ([]uint16, float64, error) {
	if err := s.fill(); err != nil {
		return nil, 0, err
	}
	s.path = buffer.Resize(s.path, s.n)
	if s.n == 0 {
		return s.path, 0, nil
	}
	l := len(s.m.Labels)
	last := s.best[(s.n-1)*l:][:l]
	y := chain.Argmax(last)
	score := last[y]
	if math.IsInf(score, -1) {
		return nil, score, chain.ErrNoPath
	}
	for t := s.n - 1; t >= 0; t-- {
		s.path[t] = uint16(y)
		y = int(s.back[t*l+y])
	}
	return s.path, score, nil
}

// fill computes best_t[j] = max_i(best_{t−1}[i] + score_t[i, j]).
func (s *pairSearch) fill() error {
	if s.filled {
		return nil
	}
	l := len(s.m.Labels)
	s.best, s.back = buffer.Resize(s.best, s.n*l), buffer.Resize(s.back, s.n*l)
	for t := range s.n {
		if err := s.ended(t); err != nil {
			return err
		}
		step, row, back := s.at(t), s.best[t*l:][:l], s.back[t*l:][:l]
		if t == 0 {
			copy(row, step)
			clear(back)
			continue
		}
		for j := range row {
			row[j], back[j] = math.Inf(-1), 0
		}
		for i, v := range s.best[(t-1)*l : t*l] {
			for j, w := range step[i*l:][:l] {
				if w += v; w > row[j] {
					row[j], back[j] = w, uint16(i)
				}
			}
		}
	}
	s.filled = true
	return nil
}

// score is that of a labelling.
func (s *pairSearch) score(labels []uint16) (sum float64) {
	l := len(s.m.Labels)
	for t, y := range labels[:s.n] {
		if step := s.at(t); t == 0 {
			sum += step[y]
		} else {
			sum += step[int(labels[t-1])*l+int(y)]
		}
	}
	return sum
}

// NBest returns the n best labellings by falling score.
func (s *pairSearch) NBest(n int) ([]chain.Path, error) {
	if n < 1 || s.n == 0 {
		return make([]chain.Path, min(max(n, 0), 1)), nil
	}
	if err := s.fill(); err != nil {
		return nil, err
	}
	ctx := s.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	found := s.nbest.Find(ctx, (*backwards)(s), n)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if found == 0 {
		return nil, chain.ErrNoPath
	}
	var out []chain.Path
	for i := range s.nbest.Len() {
		y := s.nbest.Labels(i, nil)
		slices.Reverse(y)
		out = append(out, chain.Path{Labels: y, Score: s.nbest.Score(i)})
	}
	return out, nil
}

// backwards is the trellis of a sentence walked from the end, where the scores of the best prefixes are the bounds:
// step k is token n−1−k. The score of its first labels is that of the suffix without what leads into it.
type backwards pairSearch

func (b *backwards) Size() (steps, labels int) { return b.n, len(b.m.Labels) }

func (b *backwards) Prefix(labels []uint16) (suffix float64) {
	s, l := (*pairSearch)(b), len(b.m.Labels)
	for k := 1; k < len(labels); k++ {
		suffix += s.at(s.n - k)[int(labels[k])*l+int(labels[k-1])]
	}
	return suffix
}

func (b *backwards) First(out []float64) { copy(out, b.best[(b.n-1)*len(b.m.Labels):]) }

func (b *backwards) Step(step int, last, label uint16, suffix float64, out []float64) float64 {
	s, l, t := (*pairSearch)(b), len(b.m.Labels), b.n-step
	at := s.at(t)
	for i, v := range s.best[(t-1)*l : t*l] {
		out[i] = v + (suffix + at[i*l+int(last)])
	}
	return suffix + at[int(label)*l+int(last)]
}

func (b *backwards) Next(step int, last uint16) uint16 {
	return b.back[(b.n-step)*len(b.m.Labels)+int(last)]
}

// sum computes the logarithms of the sums over all beginnings and all ends.
//
//	forward_t[j] = log Σ_i exp(forward_{t−1}[i] + score_t[i, j])
//	behind_t[i]  = log Σ_j exp(score_{t+1}[i, j] + behind_{t+1}[j])
func (s *pairSearch) sum() {
	if s.summed {
		return
	}
	s.summed = true
	l := len(s.m.Labels)
	s.forward, s.behind = buffer.Resize(s.forward, s.n*l), buffer.Zeros(s.behind, s.n*l)
	s.terms = buffer.Resize(s.terms, l)
	for t := range s.n {
		step, row := s.at(t), s.forward[t*l:][:l]
		if t == 0 {
			copy(row, step)
			continue
		}
		for j := range row {
			for i, v := range s.forward[(t-1)*l : t*l] {
				s.terms[i] = v + step[i*l+j]
			}
			row[j] = logSum(s.terms)
		}
		if s.ended(t) != nil {
			break
		}
	}
	for t := s.n - 1; t > 0 && s.ended(t) == nil; t-- {
		step, next := s.at(t), s.behind[t*l:][:l]
		for i := range l {
			for j, v := range next {
				s.terms[j] = v + step[i*l+j]
			}
			s.behind[(t-1)*l+i] = logSum(s.terms)
		}
	}
	s.logZ = 0
	if s.n > 0 {
		s.logZ = logSum(s.forward[(s.n-1)*l:][:l])
	}
}

// logSum is the logarithm of the sum of exp over the values, −Inf where all are.
func logSum(v []float64) float64 {
	hi := slices.Max(v)
	if math.IsInf(hi, -1) {
		return hi
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(x - hi)
	}
	return hi + math.Log(sum)
}

// Prob is the probability of a labelling.
func (s *pairSearch) Prob(labels []uint16) float64 {
	s.sum()
	return s.share(s.score(labels))
}

// share is the share of labellings in the sum of all.
func (s *pairSearch) share(log float64) float64 {
	if math.IsInf(s.logZ, -1) {
		return 0
	}
	return min(1, math.Exp(log-s.logZ))
}

// Marginal is the probability of a label at a token, both from 0.
func (s *pairSearch) Marginal(t, label int) float64 {
	s.sum()
	i := t*len(s.m.Labels) + label
	return s.share(s.forward[i] + s.behind[i])
}

// SpanProb is the probability that the tokens from start on have these labels, and that what follows is none of
// continued.
func (s *pairSearch) SpanProb(start int, labels, continued []uint16) float64 {
	s.sum()
	l := len(s.m.Labels)
	if len(labels) == 0 {
		return 0
	}
	log := s.forward[start*l+int(labels[0])]
	for k := 1; k < len(labels); k++ {
		log += s.at(start + k)[int(labels[k-1])*l+int(labels[k])]
	}
	end, last := start+len(labels), int(labels[len(labels)-1])
	if end < s.n {
		copy(s.terms, s.at(end)[last*l:][:l])
		for j := range s.terms {
			s.terms[j] += s.behind[end*l+j]
		}
		for _, j := range continued {
			s.terms[j] = math.Inf(-1)
		}
		log += logSum(s.terms)
	}
	return s.share(log)
}

// Around adds the weights into and out of token t, those of all tokens and those of its features.
func (s *pairSearch) Around(labels []uint16, t, own, other int, add func(string, []uint16, float64)) {
	l := len(s.m.Labels)
	diff := func(at, a, b int, name string, around []uint16) {
		add(name, around, s.base[a]-s.base[b])
		for _, k := range s.pairs[s.starts[at]:s.starts[at+1]] {
			w := s.m.pairs.of(k, uint32(a)) - s.m.pairs.of(k, uint32(b))
			add(strings.ReplaceAll(s.m.pairs.features.at(int(k)), "%", "%%")+" "+name, around, w)
		}
	}
	if t > 0 {
		before := int(labels[t-1]) * l
		diff(t, before+own, before+other, "label[-1]=%s", labels[t-1:t])
	}
	if t+1 < len(labels) {
		after := int(labels[t+1])
		diff(t+1, own*l+after, other*l+after, "label[1]=%s", labels[t+1:t+2])
	}
	if s.m.Local {
		add(fmt.Sprintf("normalisation of token %d", t+1), nil, s.local(labels, t, own, other))
	}
}

// local is what the normalisation of a local model adds to the difference of two labels of token t: the sum of the
// token after it is that of another label before.
func (s *pairSearch) local(labels []uint16, t, own, other int) float64 {
	l := len(s.m.Labels)
	if t+1 >= len(labels) {
		return 0
	}
	step, after := s.at(t+1), int(labels[t+1])
	all := step[own*l+after] - step[other*l+after]
	plain := s.base[own*l+after] - s.base[other*l+after]
	for _, k := range s.pairs[s.starts[t+1]:s.starts[t+2]] {
		plain += s.m.pairs.of(k, uint32(own*l+after)) - s.m.pairs.of(k, uint32(other*l+after))
	}
	return all - plain
}

// of is the weight of feature k for a pair.
func (p *pairWeights) of(k, pair uint32) float64 {
	i, ok := slices.BinarySearch(p.pair[p.start[k]:p.start[k+1]], pair)
	if !ok {
		return 0
	}
	return p.weight[int(p.start[k])+i]
}
