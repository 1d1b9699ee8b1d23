package lda

import (
	"context"
	"math"
	"math/rand/v2"
)

// sampler is the tokens of all documents with their topics. It depends on no number of workers: tokens take their turn.
type sampler struct {
	topics      int
	alpha, beta float64
	vocabulary  int
	first       []int32  // tokens of document d are first[d] to first[d+1]
	word        []uint32 // of each token
	topic       []uint16 // of each token

	byDoc  []int32 // d·topics + k
	byWord []int32 // w·topics + k
	total  []int32 // k
	sums   []float64
}

// draw gives each token a topic at random.
func (s *sampler) draw(r *rand.Rand) {
	s.topic = make([]uint16, len(s.word))
	for i := range s.topic {
		s.topic[i] = uint16(r.IntN(s.topics))
	}
}

// count sets the counts of the topics that tokens have.
func (s *sampler) count() {
	s.byDoc, s.byWord = make([]int32, (len(s.first)-1)*s.topics), make([]int32, s.vocabulary*s.topics)
	s.total, s.sums = make([]int32, s.topics), make([]float64, s.topics)
	for d := range len(s.first) - 1 {
		for i := s.first[d]; i < s.first[d+1]; i++ {
			s.add(d, int(i), 1)
		}
	}
}

func (s *sampler) add(d, i int, by int32) {
	k := int(s.topic[i])
	s.byDoc[d*s.topics+k] += by
	s.byWord[int(s.word[i])*s.topics+k] += by
	s.total[k] += by
}

// conditional returns the running sums of p(z = k | all others), up to a factor, for a token that counts for no topic.
func (s *sampler) conditional(d, i int) []float64 {
	doc, word := s.byDoc[d*s.topics:][:s.topics], s.byWord[int(s.word[i])*s.topics:][:s.topics]
	all, sum := float64(s.vocabulary)*s.beta, 0.0
	for k, n := range s.total {
		sum += (float64(doc[k]) + s.alpha) * (float64(word[k]) + s.beta) / (float64(n) + all)
		s.sums[k] = sum
	}
	return s.sums
}

// sweep draws every token once.
func (s *sampler) sweep(ctx context.Context, r *rand.Rand) error {
	for d := range len(s.first) - 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := int(s.first[d]); i < int(s.first[d+1]); i++ {
			if i&1023 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s.add(d, i, -1)
			sums := s.conditional(d, i)
			at, k := r.Float64()*sums[s.topics-1], 0
			for k < s.topics-1 && sums[k] <= at {
				k++
			}
			s.topic[i] = uint16(k)
			s.add(d, i, 1)
		}
	}
	return nil
}

// logJoint returns log p(words, topics) of the counts.
func (s *sampler) logJoint() float64 {
	gamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	sum, v, t := 0.0, float64(s.vocabulary), float64(s.topics)
	for _, n := range s.total {
		sum += gamma(v*s.beta) - gamma(float64(n)+v*s.beta)
	}
	for _, n := range s.byWord {
		if n > 0 {
			sum += gamma(float64(n)+s.beta) - gamma(s.beta)
		}
	}
	for d := range len(s.first) - 1 {
		sum += gamma(t*s.alpha) - gamma(float64(s.first[d+1]-s.first[d])+t*s.alpha)
	}
	for _, n := range s.byDoc {
		if n > 0 {
			sum += gamma(float64(n)+s.alpha) - gamma(s.alpha)
		}
	}
	return sum
}
