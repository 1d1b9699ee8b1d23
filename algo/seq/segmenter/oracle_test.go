package segmenter

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/engine/online"
)

var allGroups = groups{C: true, CT: true, W: true, A: true, T: true, B: true, TB: true}

// chars is a sentence of a text.
func chars(text string) *characters {
	c := &characters{}
	c.reset()
	c.add(text, 0, len(text), false)
	c.close()
	return c
}

// toyDictionary has words with tags, by number.
func toyDictionary(entries ...entryOf) *dictionary {
	var words [][]rune
	var list []entry
	for _, e := range entries {
		if len(words) == 0 || string(words[len(words)-1]) != e.word {
			words = append(words, []rune(e.word))
		}
		list = append(list, entry{int32(len(words) - 1), e.tag, 5, known})
	}
	return newDictionary(words, list)
}

type entryOf struct {
	word string
	tag  uint16
}

// draw sets all weights that a sentence can touch to random numbers of a size.
func draw(w *weights, c *characters, rng *rand.Rand, size float64) {
	var l lattice
	l.load(w, c, hybridLattice)
	row := func(key uint64, columns int) {
		for k := range columns {
			r := w.row(key)
			if k == 0 && key>>56 >= ctxPrevTag && key>>56 < ctxNextWord && !w.afterAny(key) {
				continue // a feature that there is not
			}
			if w.rows.At(r, uint16(k)) == 0 {
				w.rows.Move(r, uint16(k), size*rng.NormFloat64(), 0)
			}
		}
	}
	for i := range c.len() {
		for _, k := range w.charKeys(nil, c, i) {
			row(k, positions*w.plain)
		}
	}
	for i := range l.nodes {
		n := &l.nodes[i]
		if int(n.word) < len(w.dict.words) {
			w.unigram(n, func(key uint64, column uint16) { row(key, int(column)+1) })
		}
		for _, k := range append(w.afterKeys(nil, n), w.beforeKeys(nil, n)...) {
			row(k, 1+w.all)
		}
		for j := range l.nodes {
			row(key(ctxTwoWords, uint64(l.nodes[j].word), uint64(n.word)), w.pairColumn(w.all, 0))
		}
	}
	for i := range w.dense.W {
		w.dense.W[i] = size * rng.NormFloat64()
	}
	for c := range w.codes {
		w.bound(c)
	}
}

// allPaths enumerates the legal paths of a lattice by the rules of the paper alone.
func allPaths(l *lattice) (out [][]nodeID) {
	plain, width, end := l.w.plain, l.width(), nodeID(^(len(l.nodes) - 1))
	var extend func(path []nodeID)
	extend = func(path []nodeID) {
		last := path[len(path)-1]
		at := 0
		if len(path) > 1 {
			at = l.finish(last)
		}
		open := last >= 0 && (int(last)%width/plain == posB || int(last)%width/plain == posI)
		if at == l.n {
			if !open {
				out = append(out, append(slices.Clone(path), end))
			}
			return
		}
		for c := range width {
			pos, tag, id := c/plain, c%plain, nodeID(at*width+c)
			if math.IsInf(l.char[id], -1) {
				continue
			}
			inner := pos == posI || pos == posE
			if inner == open && (!open || tag == int(last)%width%plain) && (at < l.n-1 || pos == posS || pos == posE) {
				extend(append(slices.Clone(path), id))
			}
		}
		if open {
			return
		}
		for k := 1; k < len(l.nodes)-1; k++ {
			if int(l.nodes[k].start) == at {
				extend(append(slices.Clone(path), nodeID(^k)))
			}
		}
	}
	extend([]nodeID{^0})
	return out
}

// TestPaths counts paths: P(1+P)^(n−1) without words, and with words as many as analyses with their spellings.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		text  string
		tags  int
		words []entryOf
		want  int
	}{
		{"a", 2, nil, 2}, {"ab", 2, nil, 6}, {"abc", 2, nil, 18}, {"abcd", 3, nil, 192},
		{"abc", 2, []entryOf{{"ab", 0}}, 20},
		{"abc", 2, []entryOf{{"ab", 0}, {"abc", 1}, {"c", 0}, {"c", 1}}, 35},
	} {
		w := newWeights(toyDictionary(append(c.words, entryOf{"z", 0})...), make([]string, c.tags), allGroups)
		var l lattice
		l.load(w, chars(c.text), hybridLattice)
		if got := len(allPaths(&l)); got != c.want {
			t.Errorf("%s with %d tags: %d paths, want %d", c.text, c.tags, got, c.want)
		}
	}
}

// toy is a lattice with random weights.
func toy(text string, seed uint64, size float64, shape string) (*lattice, *weights) {
	d := toyDictionary(entryOf{"a", 0}, entryOf{"ab", 0}, entryOf{"ab", 1}, entryOf{"abc", 1}, entryOf{"b", 0},
		entryOf{"bc", 1}, entryOf{"c", 0}, entryOf{"c", 1})
	w := newWeights(d, []string{"x", "y"}, allGroups)
	c := chars(text)
	draw(w, c, rand.New(rand.NewPCG(seed, 1)), size)
	l := &lattice{}
	l.load(w, c, shape)
	return l, w
}

// TestSearch compares the best paths with all of them: the best, the k best, fewer where there are fewer.
func TestSearch(t *testing.T) {
	for seed := range uint64(30) {
		for _, shape := range []string{hybridLattice, characterLattice, wordLattice} {
			size := []float64{1, 0.01, 800}[seed%3]
			l, _ := toy([]string{"abca", "c", "abdc", "bcabc"}[seed%4], seed, size, shape)
			paths := allPaths(l)
			slices.SortStableFunc(paths, func(a, b []nodeID) int {
				if x, y := l.score(a), l.score(b); x > y {
					return -1
				} else if x < y {
					return 1
				}
				return 0
			})
			var s search
			best, score := s.best(l)
			if !slices.Equal(best, paths[0]) || math.Abs(score-l.score(paths[0])) > 1e-9*(1+math.Abs(score)) {
				t.Fatalf("seed %d, %s: best %v %g, want %v %g", seed, shape, best, score, paths[0], l.score(paths[0]))
			}
			for _, k := range []int{1, 7, len(paths) + 3} {
				got, scores := s.kBest(k)
				if len(got) != min(k, len(paths)) {
					t.Fatalf("seed %d, %s: %d of %d paths for k = %d", seed, shape, len(got), len(paths), k)
				}
				for i := range got {
					if want := l.score(paths[i]); math.Abs(scores[i]-want) > 1e-9*(1+math.Abs(want)) ||
						math.Abs(l.score(got[i])-want) > 1e-9*(1+math.Abs(want)) {
						t.Fatalf("seed %d, %s: path %d of %d has score %g, want %g", seed, shape, i, k, scores[i], want)
					}
				}
			}
		}
	}
}

// TestMarginals compares probabilities of words with sums over all paths.
func TestMarginals(t *testing.T) {
	for seed := range uint64(20) {
		size := []float64{0.3, 1, 5, 300}[seed%4]
		l, w := toy([]string{"abca", "c", "abdc", "bcab"}[seed%4], seed, size, hybridLattice)
		m, err := newMarginals(w, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.load(l); err != nil {
			t.Fatal(err)
		}
		paths := allPaths(l)
		top, z := math.Inf(-1), 0.0
		for _, p := range paths {
			top = max(top, l.score(p))
		}
		want := map[span]float64{}
		for _, p := range paths {
			e := math.Exp(l.score(p) - top)
			z += e
			for _, x := range l.read(nil, p) {
				want[x] += e
			}
		}
		if got := m.sums.LogZ(); math.Abs(got-top-math.Log(z)) > 1e-9*(1+math.Abs(top)) {
			t.Fatalf("seed %d: log Z %g, want %g", seed, got, top+math.Log(z))
		}
		for x, e := range want {
			if got := m.prob(x); math.Abs(got-e/z) > 1e-9 {
				t.Fatalf("seed %d: word %v has probability %g, want %g", seed, x, got, e/z)
			}
		}
	}
}

// TestDelta: the features of two paths, times the weights, are the difference of their scores; the loss counts nodes.
func TestDelta(t *testing.T) {
	for seed := range uint64(20) {
		l, w := toy("abcab", seed, 1, hybridLattice)
		learner := newLearner(w, settings{fp: 1, fn: 1}, nil, nil)
		learner.lattice = *l
		paths := allPaths(l)
		rng := rand.New(rand.NewPCG(seed, 2))
		for range 20 {
			a, b := paths[rng.IntN(len(paths))], paths[rng.IntN(len(paths))]
			learner.gold = a
			sum := 0.0
			for _, x := range learner.delta(b) {
				if x.At >= denseTerm {
					sum += w.dense.W[x.At-denseTerm] * x.Value
				} else {
					sum += w.rows.At(uint32(x.At>>16), uint16(x.At)) * x.Value
				}
			}
			if want := l.score(a) - l.score(b); math.Abs(sum-want) > 1e-5 {
				t.Fatalf("seed %d: features give %g, scores %g, of %v and %v", seed, sum, want, a, b)
			}
			shared := 0
			for _, id := range b {
				if slices.Contains(a, id) {
					shared++
				}
			}
			if got, want := learner.loss(b), float64(len(a)+len(b)-2*shared); got != want {
				t.Fatalf("loss %g, want %g", got, want)
			}
		}
	}
}

// TestScores: the frozen means score as the weights that they are the means of.
func TestScores(t *testing.T) {
	l, w := toy("abcab", 3, 1, hybridLattice)
	w.dense.Steps = 1
	w.dense.U = make([]float64, len(w.dense.W))
	f := w.mean()
	var g lattice
	g.load(f, l.characters, hybridLattice)
	for _, p := range allPaths(l) {
		if x, y := l.score(p), g.score(p); math.Abs(x-y) > 1e-4 {
			t.Fatalf("score %g, frozen %g of %v", x, y, p)
		}
	}
}

// sentence is an example of words with tags.
type taggedWord struct{ word, tag string }

func toyCorpus(t *testing.T, sentences ...[]taggedWord) *corpus {
	t.Helper()
	in := documents(sentences...)
	data, err := read(context.Background(), in, "xpos", false)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestMean: the lazy means are those of the weights after each step.
func TestMean(t *testing.T) {
	for _, name := range []string{miraLearner, perceptronLearner} {
		data := toyCorpus(t, samples()...)
		d, of := data.dictionary(data.all())
		rareIn(d, 1)
		l := newLearner(newWeights(d, data.tags, allGroups),
			settings{learner: name, shape: hybridLattice, k: 3, clip: math.Inf(1), fp: 1, fn: 1}, data, of)
		dense, sums, steps := make([]float64, len(l.dense.W)), map[[2]uint64]float64{}, 0.0
		for pass := range 3 {
			for i := range data.examples {
				if _, err := l.learn(&data.examples[i]); err != nil {
					t.Fatal(pass, err)
				}
				steps++
				for k, x := range l.dense.W {
					dense[k] += x
				}
				for row, key := range l.contexts.keys() {
					for _, c := range l.rows.Row(uint32(row)) {
						sums[[2]uint64{key, uint64(c.Column)}] += float64(c.W)
					}
				}
			}
		}
		mean := l.weights.mean()
		for k, x := range mean.dense.W {
			if math.Abs(x-dense[k]/steps) > 1e-6 {
				t.Fatalf("%s: dense weight %d is %g, want %g", name, k, x, dense[k]/steps)
			}
		}
		for row, key := range mean.contexts.keys() {
			for _, c := range mean.rows.Row(uint32(row)) {
				k := [2]uint64{key, uint64(c.Column)}
				if want := sums[k] / steps; math.Abs(float64(c.W)-want) > 1e-5 {
					t.Fatalf("%s: weight %g, want %g", name, c.W, want)
				}
				delete(sums, k)
			}
		}
		for k, x := range sums {
			if math.Abs(x/steps) > 1e-6 {
				t.Fatalf("%s: weight %x is lost, mean %g", name, k, x/steps)
			}
		}
	}
}

// TestMira: after an update the reference is ahead of each path by its loss, as far as they were looked at.
func TestMira(t *testing.T) {
	data := toyCorpus(t, samples()...)
	d, of := data.dictionary(data.all())
	rareIn(d, 1)
	l := newLearner(newWeights(d, data.tags, allGroups),
		settings{learner: miraLearner, shape: hybridLattice, k: 5, clip: math.Inf(1), fp: 1, fn: 1}, data, of)
	for i := range data.examples {
		x := &data.examples[i]
		l.lattice.load(l.weights, &x.characters, hybridLattice)
		l.reference(x)
		l.search.best(&l.lattice)
		paths, _ := l.search.kBest(5)
		if _, err := l.learn(x); err != nil {
			t.Fatal(err)
		}
		l.lattice.load(l.weights, &x.characters, hybridLattice)
		gold := l.lattice.score(l.gold)
		for _, p := range paths {
			if ahead, loss := gold-l.lattice.score(p), l.loss(p); ahead < loss-1e-4 {
				t.Fatalf("sentence %d: the reference is ahead by %g, want %g", i, ahead, loss)
			}
		}
	}
}

// TestHildrethOfPaths is the worked example of two constraints: α = (1/3, 4/3).
func TestHildrethOfPaths(t *testing.T) {
	a := online.Hildreth([]online.Vector{{{At: 0, Value: 1}, {At: 1, Value: -1}}, {{At: 0, Value: 1}, {At: 2, Value: -1}}},
		[]float64{2, 3}, math.Inf(1))
	if math.Abs(a[0]-1.0/3) > 1e-6 || math.Abs(a[1]-4.0/3) > 1e-6 {
		t.Errorf("multipliers %v", a)
	}
}

// origins are the marks that a policy makes, by word and tag.
func origins(t *testing.T, data *corpus, p policy) map[missedEntry]origin {
	t.Helper()
	d, of := data.dictionary(data.all())
	mk := func(d *dictionary) *weights { return newWeights(d, data.tags, allGroups) }
	read := 0 // no lock: calls come one after the other
	done := func(folds int) {
		if read++; folds != read {
			t.Errorf("%d folds are told to be read, want %d", folds, read)
		}
	}
	set := settings{shape: hybridLattice, fp: 1, fn: 1}
	if err := p.mark(context.Background(), d, of, data, mk, set, 1, 2, done); err != nil {
		t.Fatal(err)
	}
	out := map[missedEntry]origin{}
	for w, k := range of {
		for e := d.first[k]; e < d.first[k+1]; e++ {
			out[missedEntry{int32(w), d.entries[e].tag}] = d.entries[e].kind
		}
	}
	return out
}

// inOneFold tells whether all places of an entry are in one fold.
func inOneFold(data *corpus, e missedEntry) bool {
	folds := 0
	for _, list := range data.folds(4, 1) {
		if slices.ContainsFunc(list, func(i int) bool {
			x := &data.examples[i]
			for k, w := range x.word {
				if w == e.word && x.tag[k] == e.tag {
					return true
				}
			}
			return false
		}) {
			folds++
		}
	}
	return folds == 1
}

// TestPolicy: rare entries grow with the threshold, missed ones come on top; folds know only the words of the others.
func TestPolicy(t *testing.T) {
	data := toyCorpus(t, samples()...)
	marked := func(name string, r uint32) map[origin]int {
		n := map[origin]int{}
		for _, o := range origins(t, data, policy{name: name, r: r, folds: 4, passes: 1, tagged: true}) {
			n[o]++
		}
		return n
	}
	if n := marked(noPolicy, 3); n[rare]+n[missed] > 0 {
		t.Errorf("none marks %v", n)
	}
	for e, o := range origins(t, data, policy{name: errorPolicy, folds: 4, passes: 1, tagged: true}) {
		if o == missed && !inOneFold(data, e) {
			t.Errorf("%v counts as missed, and each model has seen it", e)
		}
	}
	last := 0
	for r := range uint32(5) {
		plain, more := marked(thresholdPolicy, r), marked(errorPolicy, r)
		if plain[rare] < last || more[rare] != plain[rare] || plain[missed] > 0 {
			t.Errorf("r = %d: threshold %v, error %v", r, plain, more)
		}
		if r == 0 && (plain[rare] > 0 || more[missed] == 0) {
			t.Errorf("r = 0: threshold %v, error %v", plain, more)
		}
		last = plain[rare]
	}
	seen := map[int]bool{}
	for _, fold := range data.folds(4, 1) {
		for _, i := range fold {
			if seen[i] {
				t.Fatalf("sentence %d is in two folds", i)
			}
			seen[i] = true
		}
	}
	if len(seen) != len(data.examples) {
		t.Errorf("%d sentences in folds, want %d", len(seen), len(data.examples))
	}
}

// TestGradient compares the gradient of the log-likelihood with finite differences.
func TestGradient(t *testing.T) {
	for seed := range uint64(5) {
		l, w := toy("abcab", seed, 0.5, hybridLattice)
		learner := newLearner(w, settings{}, nil, nil)
		learner.lattice = *l
		paths := allPaths(l)
		learner.gold = paths[int(seed)*7%len(paths)]
		var err error
		if learner.sums, err = newMarginals(w, 1); err != nil {
			t.Fatal(err)
		}
		if err := learner.sums.load(&learner.lattice); err != nil {
			t.Fatal(err)
		}
		sum := map[uint64]float64{}
		for _, x := range learner.gradient() {
			sum[x.At] += x.Value
		}
		likelihood := func() float64 {
			var g lattice
			g.load(w, l.characters, hybridLattice)
			m, err := newMarginals(w, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.load(&g); err != nil {
				t.Fatal(err)
			}
			return g.score(learner.gold) - m.sums.LogZ()
		}
		places := slices.Sorted(maps.Keys(sum))
		for i := int(seed); i < len(places); i += 17 {
			at, want := places[i], sum[places[i]]
			const h = 1.0 / 256 // exact in the weights
			step := online.Vector{{At: at, Value: 1}}
			w.move(step, h)
			up := likelihood()
			w.move(step, -2*h)
			down := likelihood()
			w.move(step, h)
			if got := (up - down) / (2 * h); math.Abs(got-want) > 1e-3 {
				t.Fatalf("seed %d: gradient %g by differences, %g computed, of weight %x", seed, got, want, at)
			}
		}
	}
}

// TestTemper: the probabilities at a temperature are those of weights that are divided by it.
func TestTemper(t *testing.T) {
	l, w := toy("abca", 3, 1, hybridLattice)
	m, err := newMarginals(w, 1/2.5)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.load(l); err != nil {
		t.Fatal(err)
	}
	z, of := 0.0, map[span]float64{}
	for _, p := range allPaths(l) {
		e := math.Exp(l.score(p) / 2.5)
		z += e
		for _, x := range l.read(nil, p) {
			of[x] += e
		}
	}
	for x, e := range of {
		if got := m.prob(x); math.Abs(got-e/z) > 1e-9 {
			t.Fatalf("word %v has probability %g, want %g", x, got, e/z)
		}
	}
}

// TestWithout: the runner-up of EXPLAIN is the best of all paths that do not spell a word.
func TestWithout(t *testing.T) {
	for seed := range uint64(12) {
		l, _ := toy([]string{"abca", "abcb", "aab"}[seed%3], seed, 1, hybridLattice)
		x := explainer{w: &worker{lat: *l}}
		for from := range int32(l.n) {
			for to := from + 1; to <= int32(l.n); to++ {
				y, top := span{from, to, uint16(seed % 2)}, math.Inf(-1)
				for _, p := range allPaths(l) {
					if !slices.Contains(l.read(nil, p), y) {
						top = max(top, l.score(p))
					}
				}
				path := x.without(y)
				if got := l.score(path); slices.Contains(l.read(nil, path), y) || math.Abs(got-top) > 1e-9 {
					t.Fatalf("seed %d: without %v the best path has %g, want %g", seed, y, got, top)
				}
			}
		}
	}
}

// TestTies: with equal scores everywhere the k best paths of a long sentence come at once.
func TestTies(t *testing.T) {
	d := toyDictionary(entryOf{"a", 0}, entryOf{"aa", 0}, entryOf{"aa", 1}, entryOf{"aaa", 1})
	w := newWeights(d, []string{"x", "y"}, allGroups)
	for i := range w.dense.W {
		w.dense.W[i] = 0.1
	}
	for c := range w.codes {
		w.bound(c)
	}
	var l lattice
	l.load(w, chars(strings.Repeat("a", 400)), characterLattice)
	var s search
	s.best(&l)
	paths, scores := s.kBest(20)
	if len(paths) != 20 || scores[0]-scores[19] > 1e-9*math.Abs(scores[0]) || len(s.nbest.parts) > 400*20*20 {
		t.Errorf("%d paths of %d parts, scores from %g to %g", len(paths), len(s.nbest.parts), scores[0],
			scores[len(scores)-1])
	}
}

// TestMisses: only words that the dictionary lacks count as missed, and those that are found do not.
func TestMisses(t *testing.T) {
	data := toyCorpus(t, samples()...)
	d, of := data.dictionary(data.all()[:20])
	w := newWeights(d, data.tags, allGroups)
	var lat lattice
	var s search
	unknown, known := 0, 0
	for i := range data.examples {
		x := &data.examples[i]
		for _, m := range (policy{tagged: true}).misses(&lat, &s, w, x, of, nil) {
			if d.find(of[m.word], m.tag) >= 0 {
				t.Fatalf("sentence %d: a word of the dictionary counts as missed", i)
			}
			unknown++
		}
		path, _ := s.best(&lat)
		found := lat.read(nil, path)
		from := int32(0)
		for k, to := range x.ends {
			if !slices.Contains(found, span{from, to, x.tag[k]}) && d.find(of[x.word[k]], x.tag[k]) >= 0 {
				known++
			}
			from = to
		}
	}
	if unknown == 0 || known == 0 {
		t.Errorf("%d unknown words and %d known ones are not found: the test shows nothing", unknown, known)
	}
}

// TestBestAnalyses compares the best analyses with all: each once, with the score of its best path.
func TestBestAnalyses(t *testing.T) {
	for seed := range uint64(10) {
		l, _ := toy("abcab", seed, 0.1, hybridLattice)
		top := map[string]float64{}
		for _, p := range allPaths(l) {
			words := fmt.Sprint(l.read(nil, p))
			if v, ok := top[words]; !ok || l.score(p) > v {
				top[words] = l.score(p)
			}
		}
		want := slices.Sorted(maps.Values(top))
		slices.Reverse(want)
		var s search
		s.forward(l)
		got, err := s.analyses(context.Background(), 12)
		if err != nil || len(got) != 12 {
			t.Fatalf("seed %d: %d analyses, %v", seed, len(got), err)
		}
		seen := map[string]bool{}
		for i, a := range got {
			words := fmt.Sprint(a.words)
			if seen[words] || math.Abs(a.score-want[i]) > 1e-9 || math.Abs(top[words]-a.score) > 1e-9 {
				t.Fatalf("seed %d: analysis %d is %s with %g, want %g; seen before: %v", seed, i, words, a.score,
					want[i], seen[words])
			}
			seen[words] = true
		}
	}
}
