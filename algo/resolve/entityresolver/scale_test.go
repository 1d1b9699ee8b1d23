package entityresolver

import (
	"context"
	"fmt"
	"iter"
	"os"
	"strconv"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/resolve/resolvetest"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
	"parlance/storage/value"
)

// slow skips measurements unless they are asked for.
func slow(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set")
	}
}

// authors is a table of records: id, first, last, coauthors, title, venue, entity for the options of authorOptions;
// gold alone has id and entity.
type authors struct {
	list []resolvetest.Author
	gold bool
	hide func(a resolvetest.Author) bool // whose entity is not told
}

func (a authors) Documents(context.Context) iter.Seq2[*text.Document, error] { return nil }
func (a authors) Count() int                                                 { return len(a.list) }
func (a authors) Table(string) (kind.Table, bool)                            { return a, true }
func (a authors) Rows(context.Context) iter.Seq2[[]value.Value, error] {
	return func(yield func([]value.Value, error) bool) {
		for _, r := range a.list {
			row := []value.Value{value.Str(r.ID)}
			if !a.gold {
				key := r.Block
				if key == "" {
					key = r.Last + " " + r.First[:1]
				}
				row = append(row, value.Str(r.First), value.Str(r.Coauthors), value.Str(r.Title), value.Str(r.Venue),
					value.Str(key))
			}
			if a.hide != nil && a.hide(r) {
				row = append(row, value.Value{})
			} else {
				row = append(row, value.Str(strconv.Itoa(r.Entity)))
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// authorAttributes are the factors of all sets of authors; treeAttributes those of trees.
const (
	authorAttributes = "first name .15 0 -.5, coauthors list 2, title words 2, venue string .3 0"
	treeAttributes   = "first name 2 1 -4, coauthors list 8 -3, title words 8 -3, venue string 1 0"
)

func authorOptions(attributes string, more ...option.Arg) []option.Arg {
	return append([]option.Arg{kindtest.Arg("attributes", attributes), kindtest.Arg("blocking", "key"),
		kindtest.Arg("bias", .1)}, more...)
}

// trained is a model of the options, with the processor time that it took.
func trained(t testing.TB, in kind.Input, seed uint64, workers int, args []option.Arg) (*model, time.Duration) {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	watch := testtime.Start()
	err := m.Train(context.Background(), &kind.Training{On: in, Seed: seed, Workers: workers,
		Report: func(kind.Progress) {}, Notice: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	return m, watch.Took()
}

// scores are the metrics over all.
func scores(t testing.TB, m *model, gold authors) map[string]float64 {
	t.Helper()
	gold.gold = true
	return allScores(t, m, gold)
}

// allScores are the metrics over all records of a table.
func allScores(t testing.TB, m *model, gold kind.Input) map[string]float64 {
	t.Helper()
	list, err := m.Evaluate(context.Background(), gold, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for i := range list {
		if list[i].Label == metrics.All {
			out[list[i].Name] = list[i].Value()
		}
	}
	return out
}

// TestGenerated resolves generated records: PARLANCE_RECORDS of them, 100,000 unless it is set, by PARLANCE_WORKERS.
func TestGenerated(t *testing.T) {
	slow(t)
	n, _ := strconv.Atoi(os.Getenv("PARLANCE_RECORDS"))
	if n == 0 {
		n = 100000
	}
	list := authors{list: resolvetest.Generate(n, n/100, 1)}
	workers, _ := strconv.Atoi(os.Getenv("PARLANCE_WORKERS"))
	for _, c := range []struct {
		name string
		args []option.Arg
	}{
		{"pairwise", authorOptions(authorAttributes, kindtest.Arg("samples", 0))},
		{"pairwise, sums", authorOptions(authorAttributes, kindtest.Arg("samples", 0), kindtest.Arg("evaluation",
			"sums"))},
		{"hierarchical", authorOptions(treeAttributes, kindtest.Arg("model", "hierarchical"),
			kindtest.Arg("temperature", 1.), kindtest.Arg("sweeps", 5))},
	} {
		whole(t, c.name, list, workers, c.args)
	}
}

// whole prints what a training has and takes.
func whole(t *testing.T, name string, list authors, workers int, args []option.Arg) {
	m, took := trained(t, list, 1, workers, args)
	v := scores(t, m, list)
	var p, f int64
	for _, s := range m.Info.Sweeps {
		p, f = p+s.Proposals, f+s.Factors
	}
	fmt.Printf("| %d | %s | %.1f | %.2f | %.2f M | %.1f | %.3f | %.3f / %.3f / %.3f |\n", len(list.list), name,
		took.Seconds(), float64(p)/took.Seconds()/1e6,
		float64(f)/1e6, float64(f)/float64(p), v["b3_f1"],
		v["pairwise_precision"], v["pairwise_recall"], v["pairwise_f1"])
}

// TestGibbsAgainstPartner has what proposals by a partner and Gibbs steps find in as many sweeps.
func TestGibbsAgainstPartner(t *testing.T) {
	slow(t)
	for _, n := range []int{20000, 100000} {
		list := authors{list: resolvetest.Generate(n, n/100, 1)}
		for _, proposal := range []string{"partner", "gibbs"} {
			for _, sweeps := range []int{5, 10, 20} {
				whole(t, fmt.Sprintf("%s, %d sweeps", proposal, sweeps), list, 1, authorOptions(authorAttributes,
					kindtest.Arg("samples", 0), kindtest.Arg("proposal", proposal), kindtest.Arg("sweeps", sweeps)))
			}
		}
	}
}

// TestTreesAgainstPairs has what pairs and trees take for more and more sweeps, as entities grow (Wick, Singh and
// McCallum 2012). PARLANCE_RECORDS is the number of records to have that alone, PARLANCE_LARGEST the largest entity.
func TestTreesAgainstPairs(t *testing.T) {
	slow(t)
	sizes := []int{10000, 30000, 100000, 300000}
	if n, _ := strconv.Atoi(os.Getenv("PARLANCE_RECORDS")); n > 0 {
		sizes = []int{n}
	}
	for _, n := range sizes {
		largest, _ := strconv.Atoi(os.Getenv("PARLANCE_LARGEST"))
		if largest == 0 {
			largest = n / 50
		}
		list := authors{list: resolvetest.Generate(n, largest, 1)}
		for _, sweeps := range []int{3, 5, 8} {
			whole(t, fmt.Sprintf("pairs, %d sweeps", sweeps), list, 1, authorOptions(authorAttributes,
				kindtest.Arg("samples", 0), kindtest.Arg("evaluation", "pairs"), kindtest.Arg("sweeps", sweeps)))
		}
		for _, sweeps := range []int{3, 5} {
			whole(t, fmt.Sprintf("trees, %d sweeps", sweeps), list, 1, authorOptions(treeAttributes,
				kindtest.Arg("model", "hierarchical"), kindtest.Arg("temperature", 1.), kindtest.Arg("sweeps", sweeps)))
		}
	}
}
