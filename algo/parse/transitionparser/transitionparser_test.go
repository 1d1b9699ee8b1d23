package transitionparser

import (
	"bytes"
	"context"
	"errors"
	"math"
	"pgregory.net/rapid"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

func TestContract(t *testing.T) {
	docs := kindtest.Treed(kindtest.Sample(30))
	small := []option.Arg{kindtest.Arg("bits", 12), kindtest.Arg("epochs", 3)}
	heads := kindtest.Case{Kind: Kind(), Options: small, Train: docs[:20], Test: docs[20:], Resumes: true}
	kindtest.Variants(t, heads, map[string][]option.Arg{
		"heads": {kindtest.Arg("labelled", false), kindtest.Arg("named", 1)},
	})
	labelled := heads
	labelled.Options = append(slices.Clone(small), kindtest.Arg("label_bits", 10))
	kindtest.Variants(t, labelled, map[string][]option.Arg{
		"eager":    {},
		"hybrid":   {kindtest.Arg("system", "arc_hybrid"), kindtest.Arg("margin", 1), kindtest.Arg("tags", "both")},
		"standard": {kindtest.Arg("system", "arc_standard"), kindtest.Arg("named", 5)},
		"xpos": {kindtest.Arg("features", "s0.form|q0.lower, s0.distance|q0.upos"),
			kindtest.Arg("label_features", "d.form|h.deprel"), kindtest.Arg("explore", 0)},
	})
}

// TestLearns trains on trees of a rule and expects them back.
func TestLearns(t *testing.T) {
	docs := kindtest.Treed(kindtest.Sample(60))
	for _, system := range []string{"arc_hybrid", "arc_eager", "arc_standard"} {
		for _, oracle := range []string{"static", "dynamic"} {
			m := fitted(t, docs[:50], nil, kindtest.Arg("system", system), kindtest.Arg("oracle", oracle),
				kindtest.Arg("bits", 14))
			if uas, las := accuracy(t, m, docs[50:]); uas < 99 || las < 99 {
				t.Errorf("%s, %s: uas %.1f las %.1f", system, oracle, uas, las)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		args []option.Arg
		want string
	}{
		{[]option.Arg{kindtest.Arg("features", "s0.deprel")}, "cannot read deprel"},
		{[]option.Arg{kindtest.Arg("features", "s0.lc.distance")}, "distances are those of"},
		{[]option.Arg{kindtest.Arg("features", "d.form")}, "is no place"},
		{[]option.Arg{kindtest.Arg("label_features", "s0.form")}, "is no place"},
		{[]option.Arg{kindtest.Arg("label_features", "d.foo")}, "columns are form"},
	} {
		m, s := Kind().New(), &option.Set{}
		m.Options(s)
		if err := s.Apply(c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args[0].Text(), err, c.want)
		}
	}
}

// TestTrees trains on a tree with two roots, one that crosses, one with a bad head, one without heads,
// and one with a circle.
func TestTrees(t *testing.T) {
	var b builder
	for _, heads := range [][]string{{"0", "0"}, {"3", "4", "0", "3"}, {"9", "0"}, {"2", "1"}, {"0"}} {
		for i, h := range heads {
			b.token([]string{string(rune('1' + i)), "w" + h, "w", "N", "N", "_", h, "r" + h})
		}
		b.next()
	}
	docs := []*text.Document{b.document(0)}
	for _, oracle := range []string{"static", "dynamic"} {
		m := fitted(t, docs, nil, kindtest.Arg("oracle", oracle), kindtest.Arg("bits", 8))
		if _, las := accuracy(t, m, docs); oracle == "dynamic" && las < 40 {
			t.Errorf("las %.1f", las)
		}
	}
	m, s := Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	docs[0].DropLayer("dependencies")
	err := m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without trees: %v", err)
	}
}

// TestTableSums compares sums over lanes with those of single weights.
func TestTableSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := lanes * rapid.IntRange(1, 11).Draw(t, "words")
		x := newTable(6, width, 0.5)
		for i := range len(x.w) * lanes {
			x.set(i, rapid.IntRange(-bias, bias).Draw(t, "weight"))
		}
		rows := rapid.SliceOfN(rapid.Uint32Range(0, 63), 0, 200).Draw(t, "rows")
		got := make([]float32, width)
		x.add(rows, got)
		var four [lanes]float32
		if width == lanes {
			x.add4(rows, &four)
		}
		for k := range width {
			want := 0.0
			for _, r := range rows {
				want += x.at(r, k)
			}
			if float64(got[k])*x.scale != want || width == lanes && got[k] != four[k] {
				t.Fatalf("outcome %d: %v and %v, want %v", k, got[k], four, want)
			}
		}
	})
}

// TestSums compares sums of weights in training with those of single ones, by outcome.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLearner(3, rapid.IntRange(1, 3*lanes).Draw(t, "outcomes"))
		for i := range l.w {
			l.w[i] = float32(rapid.IntRange(-100, 100).Draw(t, "weight"))
		}
		rows := rapid.SliceOfN(rapid.Uint32Range(0, 7), 0, 20).Draw(t, "rows")
		got := make([]float32, l.width)
		l.add(rows, got)
		var four [4]float32
		if l.width == len(four) {
			l.add4(rows, &four)
		}
		for k := range l.width {
			want := float32(0)
			for _, r := range rows {
				want += l.w[int(r)*l.width+k]
			}
			if got[k] != want || l.width == len(four) && four[k] != want {
				t.Fatalf("outcome %d: %v and %v, want %v", k, got[k], four, want)
			}
		}
	})
}

// TestAverage compares averages with the mean of the weights after each decision, those of a batch being
// made after its last one, by one worker or by several.
func TestAverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLearner(3, 4)
		sum := make([]float64, len(l.w))
		shards := rapid.IntRange(1, 3).Draw(t, "shards")
		for range rapid.IntRange(1, 10).Draw(t, "batches") {
			xs := make([]corrections, rapid.IntRange(1, 3).Draw(t, "sentences"))
			before, n := append([]float32(nil), l.w...), 0
			for i := range xs {
				for range rapid.IntRange(0, 3).Draw(t, "decisions") {
					n++
					if xs[i].decisions++; rapid.Bool().Draw(t, "mistake") {
						row := rapid.Uint32Range(0, 7)
						xs[i].add([]uint32{row.Draw(t, "row"), row.Draw(t, "row")}, rapid.IntRange(0, 3).Draw(t, "right"),
							rapid.IntRange(0, 3).Draw(t, "wrong"))
					}
				}
			}
			l.count(xs)
			for shard := range shards {
				l.learn(xs, shard, shards)
			}
			for i, w := range l.w {
				if n > 0 {
					sum[i] += float64(w) + float64(n-1)*float64(before[i])
				}
			}
		}
		l.averages(0, len(l.w), func(i int, v float64) { sum[i] -= v * float64(l.decisions) })
		for i, v := range sum {
			if math.Abs(v) > 1e-3 {
				t.Fatalf("weight %d is off by %v", i, v)
			}
		}
	})
}

// TestCycles: heads that run in a circle teach neither moves nor labels.
func TestCycles(t *testing.T) {
	docs := kindtest.Treed(kindtest.Sample(1)) // of one sentence
	heads := docs[0].Layer("dependencies").Ints("head")
	heads[0], heads[1] = 2, 1
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := read(context.Background(), kind.Documents(docs), []string{"form"}, m); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("%v, want %v", err, kind.ErrNoData)
	}
}

// TestWorkers: several workers learn the same weights with the same names, in batches of several sentences.
func TestWorkers(t *testing.T) {
	docs := kindtest.Treed(kindtest.Sample(60))
	var want []byte
	for _, workers := range []int{1, 2, 5} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("bits", 10), kindtest.Arg("label_bits", 8),
			kindtest.Arg("epochs", 3)}); err != nil {
			t.Fatal(err)
		}
		tr := &kind.Training{On: kind.Documents(docs), Seed: 3, Workers: workers, Report: func(kind.Progress) {},
			Notice: func(string) {}}
		l, err := newTrainer(context.Background(), m, tr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.pool.Close()
		l.batches(maxBatch)
		learned, err := l.fit(context.Background(), tr)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.finish(context.Background(), tr.On, learned); err != nil {
			t.Fatal(err)
		}
		if len(learned.heaviest) == 0 || learned.unit[0] == 1 {
			t.Fatalf("%d names, unit %v", len(learned.heaviest), learned.unit[0])
		}
		var got []byte
		if err := learned.encode(
			kind.NewWriter(func(name string, data []byte) error {
				got = append(append(got, name...), data...)
				return nil
			})); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers learn other weights than one", workers)
		}
	}
}
