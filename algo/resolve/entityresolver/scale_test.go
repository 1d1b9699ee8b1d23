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
				row = append(row, value.Str(r.First), value.Str(r.Coauthors), value.Str(r.Title), value.Str(r.Venue), value.Str(key))
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
	treeAttributes   = "first name 2 1 -8, coauthors list 8 -4, title words 8 -4, venue string 1 0"
)

func authorOptions(attributes string, more ...option.Arg) []option.Arg {
	return append([]option.Arg{kindtest.Arg("attributes", attributes), kindtest.Arg("blocking", "key"), kindtest.Arg("bias", .1)}, more...)
}

// trained is a model of the options, with what it took.
func trained(t testing.TB, in kind.Input, seed uint64, workers int, args []option.Arg) (*model, time.Duration) {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err := m.Train(context.Background(), &kind.Training{On: in, Seed: seed, Workers: workers, Report: func(kind.Progress) {}, Notice: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	return m, time.Since(began)
}

// scores are the metrics over all.
func scores(t testing.TB, m *model, gold authors) map[string]float64 {
	t.Helper()
	gold.gold = true
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
		{"pairwise, sums", authorOptions(authorAttributes, kindtest.Arg("samples", 0), kindtest.Arg("evaluation", "sums"))},
		{"hierarchical", authorOptions(treeAttributes, kindtest.Arg("model", "hierarchical"), kindtest.Arg("temperature", 1.), kindtest.Arg("sweeps", 5))},
	} {
		m, took := trained(t, list, 1, workers, c.args)
		v := scores(t, m, list)
		var p, f int64
		for _, s := range m.Info.Sweeps {
			p, f = p+s.Proposals, f+s.Factors
		}
		fmt.Printf("%d records, %s: %.1f s, %.2f M proposals/s with reading, %.1f factors a proposal, B3 %.3f, pairs %.3f / %.3f / %.3f, %d entities\n", n, c.name, took.Seconds(),
			float64(p)/took.Seconds()/1e6, float64(f)/float64(p), v["b3_f1"], v["pairwise_precision"], v["pairwise_recall"], v["pairwise_f1"], m.entities())
	}
}
