package argumentrecognizer

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/parse/treekernel"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// parts of the training data.
var parts = []string{"answers", "email", "newsgroup", "reviews", "weblog"}

// sample takes sentences of each part of the English Web Treebank, or of the file that ROLE_FILE names.
func sample(t testing.TB, sentences int) (docs []*text.Document) {
	if f := os.Getenv("ROLE_FILE"); f != "" {
		return realdata.Roles(t, f+".train.txt.gz", sentences, false)
	}
	for _, p := range parts {
		docs = append(docs, realdata.Roles(t, "ewt.train."+p+".txt.gz", sentences/len(parts), false)...)
	}
	return docs
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// score annotates documents and scores them by the scorer of EVALUATE.
func score(t testing.TB, m *model, docs []*text.Document) map[string]float64 {
	t.Helper()
	s := metrics.NewRoles(metrics.Options{})
	for _, d := range docs {
		x := *d
		if m.opt.predicates == "found" {
			x.DropLayer(text.Roles.Name)
		}
		if err := m.Annotate(context.Background(), []*text.Document{&x}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(context.Background(), []*text.Document{d}, []*text.Document{&x}); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]float64{}
	for _, v := range s.Metrics() {
		if v.Label == metrics.All {
			out[v.Name] = 100 * v.Value()
		}
	}
	return out
}

// TestRecognition is the table of weights: F1 of arguments without and with the rule that none is above another. It
// trains on ROLE_SENTENCES sentences and scores ROLE_DEV of dev.
func TestRecognition(t *testing.T) {
	train := sample(t, number("ROLE_SENTENCES", 40))
	dev := realdata.Roles(t, "ewt.dev.txt", number("ROLE_DEV", 40), false)
	weights := []float64{1, 100, 1000, 4000}
	if g := number("ROLE_WEIGHT", 0); g > 0 {
		weights = []float64{float64(g)}
	}
	for _, gamma := range weights {
		start := testtime.Start()
		m := trained(t, train, kindtest.Arg("mark_weight", gamma), kindtest.Arg("trees", 100_000), kindtest.Arg("classify",
			false), kindtest.Arg("predicates", "given"), kindtest.Arg("negatives", float64(number("ROLE_NEGATIVES", 20))/100))
		training := start.Took()
		m.opt.apart = false
		alone := score(t, m, dev)
		m.opt.apart = true
		start = testtime.Start()
		apart := score(t, m, dev)
		t.Logf("weight %g: %d support vectors, trained in %.1f s; F1 %.1f of nodes above 0, %.1f without overlap (precision "+
			"%.1f, recall %.1f) in %.1f s", gamma, len(m.supports), training.Seconds(), alone["unlabelled_f1"],
			apart["unlabelled_f1"], apart["unlabelled_precision"], apart["unlabelled_recall"], start.Took().Seconds())
	}
}

// TestRoles scores predicates, senses, arguments and roles together.
func TestRoles(t *testing.T) {
	train := sample(t, number("ROLE_SENTENCES", 60))
	dev := realdata.Roles(t, "ewt.dev.txt", number("ROLE_DEV", 40), false)
	if f := os.Getenv("ROLE_FILE"); f != "" {
		dev = realdata.Roles(t, f+".dev.txt", 0, false)
	}
	start := testtime.Start()
	args := []option.Arg{kindtest.Arg("trees", number("ROLE_TREES", 4000)),
		kindtest.Arg("role_trees", number("ROLE_NAMED", 4000)),
		kindtest.Arg("role_mark_weight", float64(number("ROLE_MARK", 1)))}
	m := trained(t, train, args...)
	training := start.Took()
	for _, p := range []string{"given", "found"} {
		m.opt.predicates = p
		set, err := m.opt.settings()
		if err != nil {
			t.Fatal(err)
		}
		m.found = m.found.With(set)
		if err := m.ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		start = testtime.Start()
		v := score(t, m, dev)
		t.Logf("predicates %s: arguments F1 %.1f (precision %.1f, recall %.1f), without roles %.1f, senses %.1f; trained in "+
			"%.0f s, %d and %d support vectors, answered in %.0f s", p, v["f1"], v["precision"], v["recall"], v["unlabelled_f1"],
			v["sense_f1"], training.Seconds(), len(m.supports), len(m.roleSupports), start.Took().Seconds())
	}
}

// TestSpeed compares the scores of all nodes at once with those node by node: time, cells, values.
func TestSpeed(t *testing.T) {
	m := trained(t, sample(t, number("ROLE_SENTENCES", 20)), kindtest.Arg("trees", 100_000),
		kindtest.Arg("classify", false),
		kindtest.Arg("predicates", "given"))
	dev := realdata.Roles(t, "ewt.dev.txt", 20, false)
	for _, candidates := range []string{"highest", "all"} {
		m.opt.candidates = candidates
		var fast, marks, plain time.Duration
		var cells, plainCells int64
		predicates, most := 0, number("ROLE_PREDICATES", 3)
		worst := 0.0
		w := m.free.Get().(*worker)
		plainly := make([]support, len(m.supports)) // all nodes with equal labels, as plain evaluation visits them
		for i, s := range m.supports {
			plainly[i] = support{m.kernel.PrepareFull(s.tree.Tree), s.scale}
		}
		for _, d := range dev {
			list, _ := m.sentences(context.Background(), d)
			for _, s := range list {
				if predicates >= most || len(s.frames) == 0 {
					break
				}
				predicates += len(s.frames)
				run := func(how string) ([][]float64, time.Duration) {
					m.opt.recognition = how
					start := testtime.Start()
					out, err := w.scores(context.Background(), s, s.frames)
					if err != nil {
						t.Fatal(err)
					}
					return out, start.Took()
				}
				a, x := run("fast")
				fast += x
				b, y := run("plain")
				marks += y
				for i := range a {
					for n, v := range a[i] {
						if v > -1e300 {
							worst = max(worst, abs(v-b[i][n])/max(1, abs(b[i][n])))
						}
					}
				}
				p, c, fc := byNode(m, w, s, plainly)
				plain, plainCells, cells = plain+p, plainCells+c, cells+fc
			}
		}
		t.Logf("candidates %s, %d predicates, %d support vectors: node by node %.2f s and %d cells, at once %.2f s "+
			"and %d cells "+
			"(%.1f and %.1f times), node by node from marks alone %.2f s; scores differ by %.1e", candidates, predicates,
			len(m.supports), plain.Seconds(), plainCells, fast.Seconds(), cells, plain.Seconds()/fast.Seconds(),
			float64(plainCells)/float64(cells), marks.Seconds(), worst)
	}
}

func abs(v float64) float64 { return max(v, -v) }

// byNode evaluates the kernels of each marked tree from all nodes with equal labels, and counts cells of both ways.
func byNode(m *model, w *worker, s *sentence, supports []support) (took time.Duration, cells, fast int64) {
	names := treekernel.NewOverlay(m.names)
	r := treekernel.NewRecognizer(m.kernel, s.shape, names, predicateMark, argumentMark)
	for _, x := range m.supports {
		r.Against(x.tree)
		for _, f := range s.frames {
			v := s.node(f.Predicate)
			if v < 0 {
				continue
			}
			r.Predicate(v)
			for _, n := range s.candidates(&m.opt, v) {
				r.Argument(n)
			}
		}
	}
	e := treekernel.NewEvaluator(m.kernel)
	start := testtime.Start()
	for _, f := range s.frames {
		v := s.node(f.Predicate)
		if v < 0 {
			continue
		}
		for _, n := range s.candidates(&m.opt, v) {
			x := m.kernel.PrepareFull(s.marked(v, n).Tree(names))
			for _, y := range supports {
				e.Value(y.tree, x)
			}
		}
	}
	return start.Took(), e.Cells, r.Cells
}

// TestFound tells how many arguments are nodes.
func TestFound(t *testing.T) {
	dev := realdata.Roles(t, "ewt.dev.txt", 0, false)
	m := &model{opt: options{tags: "xpos"}}
	all, found := 0, 0
	for _, d := range dev {
		list, fault := m.sentences(context.Background(), d)
		if fault != nil {
			t.Fatal(fault)
		}
		for _, s := range list {
			for _, f := range s.frames {
				for _, a := range f.Args {
					all++
					if _, ok := s.byTokens[[2]int{a.First, a.Last}]; ok {
						found++
					}
				}
			}
		}
	}
	t.Logf("%d of %d arguments are nodes (%.1f %%)", found, all, 100*float64(found)/float64(all))
	if 100*found < 99*all {
		t.Errorf("only %d of %d arguments are nodes", found, all)
	}
}
