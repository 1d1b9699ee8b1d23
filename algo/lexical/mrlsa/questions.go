package mrlsa

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
)

// question is a target with candidates, of which one or more are right.
type question struct {
	target     string
	candidates []string
	right      []bool
}

// readQuestions groups rows by question, or by target.
func readQuestions(ctx context.Context, t kind.Table) ([]question, error) {
	var list []question
	at := map[string]int{}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if row[0].IsNull() || row[1].IsNull() {
			return nil, fmt.Errorf("row %d of the questions lacks target or candidate", n)
		}
		key := "t" + row[0].S
		if !row[3].IsNull() {
			key = "q" + row[3].S
		}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[strings.Clone(key)] = i
			list = append(list, question{target: strings.Clone(row[0].S)})
		}
		if q := &list[i]; q.target != row[0].S {
			return nil, fmt.Errorf("row %d: question %s is about %s before and about %s here", n, row[3].S, q.target, row[0].S)
		}
		list[i].candidates = append(list[i].candidates, strings.Clone(row[1].S))
		list[i].right = append(list[i].right, !row[2].IsNull() && row[2].Bool())
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: there is no question", kind.ErrNoData)
	}
	return list, nil
}

// pair is two words with a score or label.
type pair struct {
	word1, word2 string
	score        float64
}

// eachPair reads labelled pairs.
func eachPair(ctx context.Context, t kind.Table, use func(pair)) error {
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		n++
		if row[0].IsNull() || row[1].IsNull() {
			return fmt.Errorf("row %d of the pairs lacks a word", n)
		}
		if row[2].IsNull() || row[2].Int() != 0 && row[2].Int() != 1 {
			return fmt.Errorf("row %d of the pairs, %s and %s, has label %s; 1 or 0 is wanted", n, row[0].S, row[1].S, row[2])
		}
		use(pair{strings.Clone(row[0].S), strings.Clone(row[1].S), float64(row[2].Int())})
	}
	return nil
}

// drawOpposites makes a question of each pair with label 1: the first word against the second, among
// words that mean the same as the first by the pairs with label 0, filled up with other words of
// the table. The same table, number and seed give the same questions.
func drawOpposites(ctx context.Context, t kind.Table, candidates int, seed uint64) ([]question, error) {
	var list []pair
	same, opposite := map[string][]string{}, map[[2]string]bool{}
	words := newAlphabet()
	err := eachPair(ctx, t, func(p pair) {
		list = append(list, p)
		words.id(p.word1)
		words.id(p.word2)
		if p.score == 1 {
			opposite[[2]string{p.word1, p.word2}], opposite[[2]string{p.word2, p.word1}] = true, true
			return
		}
		same[p.word1], same[p.word2] = append(same[p.word1], p.word2), append(same[p.word2], p.word1)
	})
	if err != nil {
		return nil, err
	}
	var out []question
	for n, p := range list {
		if p.score != 1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		q := question{target: p.word1, candidates: []string{p.word2}}
		take := func(w string) {
			if len(q.candidates) < candidates && w != p.word1 && !opposite[[2]string{p.word1, w}] &&
				!slices.Contains(q.candidates, w) {
				q.candidates = append(q.candidates, w)
			}
		}
		for _, w := range same[p.word1] {
			take(w)
		}
		for tries := 0; len(q.candidates) < candidates && tries < 20*candidates; tries++ {
			take(words.names[rng.IntN(len(words.names))])
		}
		rng.Shuffle(len(q.candidates), func(i, j int) { q.candidates[i], q.candidates[j] = q.candidates[j], q.candidates[i] })
		for _, w := range q.candidates {
			q.right = append(q.right, w == p.word2)
		}
		out = append(out, q)
	}
	return out, nil
}

// rated is pairs of which the best and the worst are asked for.
type rated struct {
	category    string
	pairs       []pair
	best, worst int
}

// perQuestion pairs make a drawn question, as in the MaxDiff questions of SemEval 2012, task 2.
const perQuestion = 4

// readRatings groups rows by question, or draws questions from each category.
func readRatings(ctx context.Context, t kind.Table, questions int, seed uint64) ([]rated, error) {
	type group struct {
		rated
		asked bool
	}
	var groups []group
	at := map[[2]string]int{}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			return nil, fmt.Errorf("row %d of the ratings lacks a word or the score", n)
		}
		key := [2]string{strings.Clone(row[3].S), ""}
		if !row[4].IsNull() {
			key[1] = "q" + row[4].S
		}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, group{rated{category: key[0]}, key[1] != ""})
		}
		groups[i].pairs = append(groups[i].pairs, pair{strings.Clone(row[0].S), strings.Clone(row[1].S), row[2].Float()})
	}
	var out []rated
	for i, g := range groups {
		if g.asked {
			if q := g.rated; q.ends() {
				out = append(out, q)
			}
			continue
		}
		more, err := draw(ctx, g.rated, questions, rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf(
			"the ratings make no question: one has pairs of different scores, and %s of a category where they are drawn",
			strconv.Itoa(perQuestion))
	}
	return out, nil
}

// ends finds the best and the worst, false if either is not the only one.
func (q *rated) ends() bool {
	for i, p := range q.pairs {
		if p.score > q.pairs[q.best].score {
			q.best = i
		}
		if p.score < q.pairs[q.worst].score {
			q.worst = i
		}
	}
	alone := 0
	for _, p := range q.pairs {
		if p.score == q.pairs[q.best].score || p.score == q.pairs[q.worst].score {
			alone++
		}
	}
	return q.best != q.worst && alone == 2
}

// draw makes questions of different pairs; those without one best and one worst are drawn anew.
func draw(ctx context.Context, all rated, questions int, rng *rand.Rand) ([]rated, error) {
	var out []rated
	if len(all.pairs) < perQuestion {
		return nil, nil
	}
	for tries := 0; len(out) < questions && tries < 20*questions; tries++ {
		if tries&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		q := rated{category: all.category}
		for _, i := range rng.Perm(len(all.pairs))[:perQuestion] {
			q.pairs = append(q.pairs, all.pairs[i])
		}
		if q.ends() {
			out = append(out, q)
		}
	}
	return out, nil
}
