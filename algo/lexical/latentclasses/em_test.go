package latentclasses

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/option"
	"parlance/storage/value"
)

func near(t testing.TB, what string, got, want, eps float64) {
	t.Helper()
	if !(math.Abs(got-want) <= eps) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func table(rows ...[]float64) (out [][]value.Value) {
	for i, row := range rows {
		for k, n := range row {
			out = append(out, []value.Value{value.Str(fmt.Sprintf("t%d", i+1)), value.Str(fmt.Sprintf("f%d", k+1)),
				value.Real(n)})
		}
	}
	return out
}

func matrix(t testing.TB, rows ...[]float64) *cooccurrence.Matrix {
	t.Helper()
	return read(t, table(rows...))
}

func read(t testing.TB, rows [][]value.Value) *cooccurrence.Matrix {
	t.Helper()
	in, _ := kind.Tables{"counts": rows}.Table("counts")
	m, err := cooccurrence.Read(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// trial is a mixture with the share that its steps leave out.
type trial struct {
	*mixture
	prune float64
}

// begun is a mixture with a start.
func begun(t testing.TB, m *cooccurrence.Matrix, classes, workers int, seed uint64) *trial {
	t.Helper()
	x := newMixture(m, classes, workers)
	if err := x.start(context.Background(), seed, 0); err != nil {
		t.Fatal(err)
	}
	return &trial{mixture: x}
}

// set puts other parameters in the place of those of the start.
func set(x *trial, words, contexts []float64) {
	copy(x.shard.words, words)
	copy(x.c.p, contexts)
	x.c.start = nil
}

// worked is three words in three contexts, and a start.
func worked(t testing.TB, prune float64) (*cooccurrence.Matrix, *trial) {
	m := matrix(t, []float64{4, 1, 0}, []float64{3, 2, 1}, []float64{0, 1, 5})
	x := begun(t, m, 2, 2, 1)
	x.prune = prune
	set(x, []float64{.25, .1, .15, .15, .1, .25}, []float64{.6, .2, .3, .3, .1, .5})
	return m, x
}

func step(t testing.TB, x *trial) float64 {
	t.Helper()
	l, err := x.step(context.Background(), x.prune)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// divergence is D_JS of two distributions over two classes.
func divergence(p, q float64) float64 {
	kl := func(p, m float64) float64 {
		if p == 0 {
			return 0
		}
		return p * math.Log(p/m)
	}
	m := (p + q) / 2
	return (kl(p, m) + kl(1-p, 1-m) + kl(q, m) + kl(1-q, 1-m)) / 2
}

// TestWorkedExample follows the iterations worked out for three words and two classes.
func TestWorkedExample(t *testing.T) {
	_, x := worked(t, 0)
	first := func(w int) float64 { return x.shard.words[2*w] / (x.shard.words[2*w] + x.shard.words[2*w+1]) }
	near(t, "start", step(t, x), -35.192447, 1e-6)
	mass := x.shard.words[0] + x.shard.words[2] + x.shard.words[4]
	near(t, "P(a1)", mass, 0.489202871, 1e-9)
	for w, want := range []float64{0.510277593, 0.410832406, 0.078890001} {
		near(t, "P(t|a1)", x.shard.words[2*w]/mass, want, 1e-9)
	}
	for f, want := range []float64{0.694937455, 0.240487262, 0.064575283} {
		near(t, "P(f|a1)", x.c.p[2*f], want, 1e-9)
	}
	for w, want := range []float64{0.848739496, 0.569444444, 0.109347443} {
		near(t, "P(a1|t)", first(w), want, 1e-9)
	}
	near(t, "divergence of 1 and 2", divergence(first(0), first(1)), 0.048782611, 1e-9)
	near(t, "divergence of 1 and 3", divergence(first(0), first(2)), 0.307249484, 1e-9)
	for i, want := range []float64{-32.734861, -31.121099, -30.384718} {
		near(t, fmt.Sprint("after ", i+1), step(t, x), want, 1e-6)
	}
	last := 0.0
	for range 3000 {
		last = step(t, x)
	}
	near(t, "limit", last, -30.063166, 1e-6)
	near(t, "P(a1) at the limit", x.shard.words[0]+x.shard.words[2]+x.shard.words[4], 0.570508195, 1e-6)
	near(t, "P(a1|t2) at the limit", first(1), 0.783106553, 1e-6)
	near(t, "divergence of 1 and 2 at the limit", divergence(first(0), first(1)), 0.081781522, 1e-6)
	near(t, "divergence of 1 and 3 at the limit", divergence(first(0), first(2)), math.Ln2, 1e-6)
}

// plain is one iteration by responsibilities.
func plain(n [][]float64, words, contexts [][]float64) (float64, [][]float64, [][]float64) {
	zero := func(like [][]float64) [][]float64 {
		out := make([][]float64, len(like))
		for i := range out {
			out[i] = make([]float64, len(like[0]))
		}
		return out
	}
	u, v, likelihood, total := zero(words), zero(contexts), 0.0, 0.0
	masses := make([]float64, len(words[0]))
	for w := range n {
		for f, c := range n[w] {
			if c == 0 {
				continue
			}
			p := 0.0
			for a := range masses {
				p += words[w][a] * contexts[f][a]
			}
			likelihood += c * math.Log(p)
			total += c
			for a := range masses {
				r := c * words[w][a] * contexts[f][a] / p
				u[w][a] += r
				v[f][a] += r
				masses[a] += r
			}
		}
	}
	for a := range masses {
		for w := range u {
			u[w][a] /= total
		}
		for f := range v {
			v[f][a] /= masses[a]
		}
	}
	return likelihood, u, v
}

// TestStep compares iterations with those by responsibilities, and checks what EM keeps.
func TestStep(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		w, f, a := 1+rng.IntN(100), 1+rng.IntN(90), 1+rng.IntN(9)
		n := make([][]float64, w)
		for i := range n {
			n[i] = make([]float64, f)
			for k := range n[i] {
				n[i][k] = max(0, float64(rng.IntN(8)-4))
			}
			n[i][rng.IntN(f)] = 2
		}
		for k := range f {
			n[0][k]++ // numbers the contexts in their order
		}
		m := matrix(t, n...)
		x := begun(t, m, a, 1+rng.IntN(3), rng.Uint64())
		for i := range x.shard.words {
			x.shard.words[i] *= x.c.start[i%a]
		}
		x.c.start = nil
		words, contexts := split(x.shard.words, a), split(x.c.p, a)
		last := math.Inf(-1)
		for range 5 {
			var want float64
			want, words, contexts = plain(n, words, contexts)
			got := step(t, x)
			if math.Abs(got-want) > 1e-9*math.Abs(want) || got < last-1e-9*math.Abs(want) {
				rt.Fatalf("likelihood %v, want %v, before %v", got, want, last)
			}
			last = got
			for i := range x.shard.words {
				if math.Abs(x.shard.words[i]-words[i/a][i%a]) > 1e-10 {
					rt.Fatalf("word %d: %v, want %v", i/a, x.shard.words[i], words[i/a][i%a])
				}
			}
			for i := range x.c.p {
				if math.Abs(x.c.p[i]-contexts[i/a][i%a]) > 1e-10 {
					rt.Fatalf("context %d: %v, want %v", i/a, x.c.p[i], contexts[i/a][i%a])
				}
			}
			for i := range w { // Σ_a p(a) p(w|a) = n(w)/n
				sum := 0.0
				for _, v := range x.shard.words[i*a : (i+1)*a] {
					sum += v
				}
				if math.Abs(sum-m.Rows.Sum(i)/x.shard.total) > 1e-10 {
					rt.Fatalf("word %d has %v, want %v", i, sum, m.Rows.Sum(i)/x.shard.total)
				}
			}
		}
	})
}

func split(v []float64, n int) (out [][]float64) {
	for row := range slices.Chunk(slices.Clone(v), n) {
		out = append(out, row)
	}
	return out
}

// TestPruned: leaving out tiny probabilities changes the limit by no more than them.
func TestPruned(t *testing.T) {
	_, x := worked(t, 0)
	_, y := worked(t, 1e-9)
	a, b := 0.0, 0.0
	for range 2000 {
		a, b = step(t, x), step(t, y)
	}
	near(t, "likelihood", b, a, 1e-6)
	if p := y.shard.words; (p[0] == 0) == (p[1] == 0) || (p[4] == 0) == (p[5] == 0) || p[2] == 0 || p[3] == 0 {
		t.Errorf("the first and the last word are in one class: %v", p)
	}
}

// TestPruneLeavesOut: after one step from the same start what has a smaller share of its row is 0, the rest as it
// is without pruning.
func TestPruneLeavesOut(t *testing.T) {
	const least = 0.3
	_, all := worked(t, 0)
	_, some := worked(t, least)
	step(t, all)
	step(t, some)
	masses := make([]float64, all.classes)
	for i, v := range all.shard.words {
		masses[i%all.classes] += v
	}
	zeros := 0
	check := func(name string, kept, whole, masses []float64) {
		for from := 0; from < len(whole); from += all.classes {
			total := 0.0
			for a := range all.classes {
				total += whole[from+a] * masses[a]
			}
			for a := range all.classes {
				want := whole[from+a]
				if want*masses[a] < least*total {
					want = 0
					zeros++
				}
				near(t, name, kept[from+a], want, 1e-12)
			}
		}
	}
	check("p(a)p(w|a)", some.shard.words, all.shard.words, []float64{1, 1})
	check("p(f|a)", some.c.p, all.c.p, masses)
	if zeros < 2 || zeros > 5 {
		t.Errorf("%d are left out: the test wants some and not all", zeros)
	}
}

func train(t testing.TB, rows [][]value.Value, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Tables{"counts": rows}, Workers: 2, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPlanted finds two classes that share nothing; a restart finds them too.
func TestPlanted(t *testing.T) {
	m := train(t, table([]float64{4, 3, 0, 0}, []float64{2, 5, 0, 0}, []float64{0, 0, 3, 3}, []float64{0, 0, 1, 9}),
		kindtest.Arg("classes", 2), kindtest.Arg("restarts", 3))
	for i, want := range []int{1, 1, 0, 0} {
		if class, p := m.words.best(i); class != want || p < 0.999 {
			t.Errorf("word %d is in class %d with %v", i+1, class, p)
		}
	}
	near(t, "P(a1)", m.prior[0], 16./30, 1e-6)
	if m.Lookup("t3", "class") != "1" || m.Lookup("t3", "prob") != "1" || m.Lookup("x", "class") != "" {
		t.Errorf("looked up: %s %s", m.Lookup("t3", "class"), m.Lookup("t3", "prob"))
	}
}

// TestOneClass: with one class p(w|a) is the relative frequency.
func TestOneClass(t *testing.T) {
	m := train(t, table([]float64{4, 1}, []float64{2, 3}), kindtest.Arg("classes", 1))
	list := m.words.members(0, m.prior)
	near(t, "p(t1|a)", list[0].prob, 0.5, 1e-12)
	near(t, "p(t2|a)", list[1].prob, 0.5, 1e-12)
	near(t, "p(a|t1)", list[0].class, 1, 1e-12)
}

// TestHeldOut compares EVALUATE with the probabilities of the parts, and finds more classes better where
// there are some.
func TestHeldOut(t *testing.T) {
	rows := table([]float64{4, 3, 0, 0}, []float64{2, 5, 0, 0}, []float64{0, 0, 3, 3}, []float64{0, 0, 1, 9})
	evaluate := func(m *model, rows [][]value.Value) (logProb, coverage float64) {
		list, err := m.Evaluate(context.Background(), kind.Tables{"counts": rows}, &kind.Run{})
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Value(), list[1].Value()
	}
	one, two := train(t, rows, kindtest.Arg("classes", 1)),
		train(t, rows, kindtest.Arg("classes", 2), kindtest.Arg("restarts", 3))
	loss := 0.0 // of one class p(w,f) = p(w) p(f)
	for _, c := range [][3]float64{{4, 7, 6}, {3, 7, 8}, {2, 7, 6}, {5, 7, 8}, {3, 6, 4}, {3, 6, 12},
		{1, 10, 4}, {9, 10, 12}} {
		loss -= c[0] * math.Log(c[1]/30*c[2]/30)
	}
	a, covered := evaluate(one, rows)
	near(t, "one class", a, -loss/30, 1e-6)
	near(t, "coverage", covered, 1, 1e-12)
	b, _ := evaluate(two, rows)
	if b <= a {
		t.Errorf("two classes give %v, one %v", b, a)
	}
	held := append(table([]float64{1, 0, 1}), []value.Value{value.Str("t9"), value.Str("f1"), value.Real(2)},
		[]value.Value{value.Str("t1"), value.Str("f9"), value.Real(6)})
	two.opt.background = 0.5
	got, covered := evaluate(two, held) // t1 with f1, which one class gives it, and with f3, which none does
	p1, p3 := 7./30*6/30*(0.5*30/14+0.5), 7./30*4/30*0.5
	near(t, "held-out pairs", got, (math.Log(p1)+math.Log(p3))/2, 1e-5)
	near(t, "their coverage", covered, 0.2, 1e-12)
}

// TestScaled: all counts times a constant change nothing but the scale of the likelihood.
func TestScaled(t *testing.T) {
	m, n := matrix(t, []float64{4, 1, 0}, []float64{3, 2, 1}, []float64{0, 1, 5}),
		matrix(t, []float64{28, 7, 0}, []float64{21, 14, 7}, []float64{0, 7, 35})
	x, y := begun(t, m, 2, 1, 5), begun(t, n, 2, 1, 5)
	for range 20 {
		near(t, "likelihood", step(t, y), 7*step(t, x), 1e-9)
		for i := range x.shard.words {
			near(t, "words", y.shard.words[i], x.shard.words[i], 1e-12)
		}
	}
}

// TestEmptyClasses: classes that nothing belongs to stay empty, however many there are, and a class that
// has lost its words does not come back.
func TestEmptyClasses(t *testing.T) {
	_, x := worked(t, 0)
	for i := range x.shard.words {
		if i%2 == 1 {
			x.shard.words[i] = 0
		}
	}
	last := 0.0
	for range 5 {
		last = step(t, x)
	}
	counts, want := [][]float64{{4, 1, 0}, {3, 2, 1}, {0, 1, 5}}, 0.0 // that of one class
	for i, row := range counts {
		for k, c := range row {
			if c > 0 {
				want += c * math.Log([]float64{5, 6, 6}[i]/17*[]float64{7, 4, 6}[k]/17)
			}
		}
	}
	near(t, "likelihood", last, want, 1e-9)
	m := train(t, table(counts...), kindtest.Arg("classes", 40), kindtest.Arg("prune", 0.01))
	empty, sum := 0, 0.0
	for a, p := range m.prior {
		if sum += p; p == 0 {
			empty++
			if len(m.words.members(a, m.prior)) != 0 {
				t.Errorf("class %d has no probability, but members", a+1)
			}
		}
	}
	near(t, "sum of priors", sum, 1, 1e-12)
	for i := range counts {
		total := 0.0
		_, probs := m.words.row(i)
		for _, p := range probs {
			total += p
		}
		near(t, "classes of a word", total, 1, 1e-9)
	}
	t.Logf("%d of 40 classes are empty", empty)
}

func TestContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	rows := make([][]float64, 150)
	for i := range rows {
		for k := range 40 {
			rows[i] = append(rows[i], max(0, float64(rng.IntN(12)-9+2*btoi(i%3 == k%3))))
		}
	}
	run := func(t *testing.T, options ...option.Arg) {
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(options, kindtest.Arg("classes", 3)), Resumes: true,
			Tables: kind.Tables{"counts": table(rows...)}, Gold: kind.Tables{"counts": table(rows[:50]...)},
			Queries: []kindtest.Query{
				{Relation: "classes", Args: []value.Value{value.Str("t1")}},
				{Relation: "classes", Args: []value.Value{value.Str("t1x")}, Fails: "did you mean"},
				{Relation: "members", Args: []value.Value{value.Int(2)}},
				{Relation: "members", Args: []value.Value{value.Int(4)}, Fails: "unknown class '4'; there are 1 to 3"},
				{Relation: "contexts", Args: []value.Value{value.Int(1)}},
			}})
	}
	t.Run("a start", func(t *testing.T) { run(t, kindtest.Arg("iterations", 20)) })
	t.Run("starts", func(t *testing.T) { run(t, kindtest.Arg("iterations", 2), kindtest.Arg("restarts", 5)) })
}

// TestResumes goes on from every checkpoint, where the first of several starts is the best one and where few classes
// of each word are left.
func TestResumes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	rows := make([][]float64, 30)
	for i := range rows {
		for k := range 20 {
			rows[i] = append(rows[i], max(0, float64(rng.IntN(12)-9+4*btoi(i%3 == k%3))))
		}
	}
	for _, prune := range []float64{1e-9, 0.01} {
		kindtest.ResumeEach(t, kindtest.Case{Kind: Kind(), Tables: kind.Tables{"counts": table(rows...)},
			Options: []option.Arg{kindtest.Arg("classes", 11), kindtest.Arg("iterations", 8), kindtest.Arg("restarts", 3),
				kindtest.Arg("prune", prune)}})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
