package lda

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	docs := kindtest.Sample(30)
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: docs[:20], Resumes: true,
		Options: []option.Arg{kindtest.Arg("topics", 4), kindtest.Arg("iterations", 12), kindtest.Arg("average", 3),
			kindtest.Arg("max_share", 1.0)}})
}

// small makes a sampler of random documents.
func small(topics int) *sampler {
	r := rand.New(rand.NewPCG(1, 1))
	s := &sampler{topics: topics, alpha: 0.3, beta: 0.2, vocabulary: 5, first: []int32{0}}
	for range 3 {
		for range 4 {
			s.word = append(s.word, uint32(r.IntN(5)))
		}
		s.first = append(s.first, int32(len(s.word)))
	}
	s.draw(r)
	s.count()
	return s
}

// TestConditional compares the conditional of each token with the joint probability of all topics it may have.
func TestConditional(t *testing.T) {
	s := small(3)
	for d := range 3 {
		for i := int(s.first[d]); i < int(s.first[d+1]); i++ {
			old := s.topic[i]
			joint := make([]float64, s.topics)
			for k := range s.topics {
				s.add(d, i, -1)
				s.topic[i] = uint16(k)
				s.add(d, i, 1)
				joint[k] = s.logJoint()
			}
			s.add(d, i, -1)
			sums := slices.Clone(s.conditional(d, i))
			s.topic[i] = old
			s.add(d, i, 1)
			for k := 1; k < s.topics; k++ {
				first := sums[0]
				if got, want := math.Log((sums[k]-sums[k-1])/first), joint[k]-joint[0]; math.Abs(got-want) > 1e-9 {
					t.Fatalf("token %d, topic %d: log odds %g, want %g", i, k, got, want)
				}
			}
		}
	}
}

// TestCounts: after each sweep the counts are those of the topics.
func TestCounts(t *testing.T) {
	s, r := small(4), rand.New(rand.NewPCG(2, 2))
	for range 5 {
		if err := s.sweep(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		got := [][]int32{slices.Clone(s.byDoc), slices.Clone(s.byWord), slices.Clone(s.total)}
		s.count()
		for i, want := range [][]int32{s.byDoc, s.byWord, s.total} {
			if !slices.Equal(got[i], want) {
				t.Fatalf("counts %v, want %v", got[i], want)
			}
		}
	}
}

// TestPlanted: documents over three vocabularies without a common word give three topics.
func TestPlanted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	m := &model{}
	m.opt.topics, m.opt.iterations, m.opt.average, m.opt.minCount, m.opt.maxShare, m.opt.alpha, m.opt.beta = 3, 100,
		10, 1, 1, 0.1, 0.01
	c := &corpus{first: []int32{0}}
	for w := range 30 {
		c.words, c.counts, c.docs = append(c.words, fmt.Sprint(w)), append(c.counts, 1), append(c.docs, 1)
	}
	for d := range 60 {
		for range 20 {
			c.stream = append(c.stream, uint32(10*(d%3)+r.IntN(10)))
		}
		c.first, c.names = append(c.first, int32(len(c.stream))), append(c.names, fmt.Sprint(d))
	}
	s := m.choose(c)
	s.draw(r)
	s.count()
	before := s.logJoint()
	for range 100 {
		if err := s.sweep(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	if s.logJoint() <= before {
		t.Errorf("log joint %g after sampling, %g before", s.logJoint(), before)
	}
	words, docs := make([]float64, len(s.byWord)), make([]float64, len(s.byDoc))
	for i, n := range s.byWord {
		words[i] = float64(n)
	}
	for i, n := range s.byDoc {
		docs[i] = float64(n)
	}
	m.opt.average = 1
	m.adopt(3, words, docs, c.names)
	seen := map[int]uint32{}
	for i, w := range m.Words {
		var group int
		fmt.Sscan(w, &group)
		k, p := m.best(i)
		if old, ok := seen[group/10]; ok && old != k || p < 0.99 {
			t.Errorf("word %s has topic %d with %g, others of its documents %d", w, k, p, old)
		}
		seen[group/10] = k
	}
	if len(seen) != 3 || seen[0] == seen[1] || seen[1] == seen[2] || seen[0] == seen[2] {
		t.Errorf("topics %v", seen)
	}
}
