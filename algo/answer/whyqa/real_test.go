package whyqa

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
	"parlance/storage/value"
)

// fields reads rows of columns; those apart by tabs have no quotes.
func fields(t testing.TB, in io.Reader, comma rune) (list [][]string) {
	t.Helper()
	if comma == ',' {
		list, err := csv.NewReader(in).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		list = append(list, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	return list
}

// judgedFile reads question, passage and label of a file with a header.
func judgedFile(t testing.TB, comma rune, columns [3]string, path ...string) (rows [][]value.Value) {
	t.Helper()
	var in io.Reader = realdata.Open(t, path...)
	if strings.HasSuffix(path[len(path)-1], ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		in = z
	}
	list := fields(t, in, comma)
	var at [3]int
	for i, c := range columns {
		at[i] = slices.Index(list[0], c)
	}
	for _, x := range list[1:] {
		label, err := strconv.Atoi(x[at[2]])
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, []value.Value{value.Str(x[at[0]]), value.Str(x[at[1]]), value.Int(int64(label))})
	}
	return rows
}

func wikiQA(t testing.TB, file string) [][]value.Value {
	return judgedFile(t, '\t', [3]string{"Question", "Sentence", "Label"}, "qa", file)
}

func trecQA(t testing.TB, file string) [][]value.Value {
	return judgedFile(t, ',', [3]string{"qtext", "atext", "label"}, "qa", file)
}

// passagesOf are the passages of rows as documents, each once.
func passagesOf(rows ...[][]value.Value) (docs []*text.Document) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(rows...) {
		if s := r[1].S; !seen[s] {
			seen[s] = true
			docs = append(docs, &text.Document{ID: fmt.Sprint(len(docs)), Text: s})
		}
	}
	return docs
}

// both are rows of questions with right and with wrong passages, as the figures of others count them.
func both(rows [][]value.Value) (out [][]value.Value) {
	seen := map[string][2]bool{}
	for _, r := range rows {
		s := seen[r[0].S]
		s[min(r[2].Int(), 1)] = true
		seen[r[0].S] = s
	}
	for _, r := range rows {
		if seen[r[0].S] == [2]bool{true, true} {
			out = append(out, r)
		}
	}
	return out
}

// lexicons are words of polarity.
func lexicons(t testing.TB) kindtest.Resources {
	words := map[string]string{}
	for _, p := range []string{"positive", "negative"} {
		b, err := io.ReadAll(realdata.Open(t, "lex", "opinion."+p+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range strings.Fields(strings.Join(slices.DeleteFunc(strings.Split(string(b), "\n"),
			func(s string) bool {
				return strings.HasPrefix(s, ";")
			}), "\n")) {
			words[w] = p
		}
	}
	return kindtest.Resources{Lexicons: map[string]kind.Lexicon{"polarity": lexicon{column: "polarity", words: words}}}
}

func score(t testing.TB, m *model, rows [][]value.Value, res kind.Resources) map[string]float64 {
	t.Helper()
	list, err := m.Evaluate(context.Background(), kind.Tables{roleJudged: rows}, &kind.Run{Resources: res})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, x := range list {
		out[x.Name] = x.Value()
	}
	out["questions"] = list[0].Support
	return out
}

// TestJudgedPassages ranks the passages of WikiQA and TREC-QA: dev parts, rankers of train parts.
func TestJudgedPassages(t *testing.T) {
	if testing.Short() {
		t.Skip("trains on all of WikiQA and TREC-QA, some seconds: left out with -short")
	}
	res := lexicons(t)
	for k, set := range []struct {
		name       string
		train, dev [][]value.Value
	}{
		{"WikiQA", wikiQA(t, "WikiQA-train.tsv.gz"), wikiQA(t, "WikiQA-dev.tsv")},
		{"TREC-QA", trecQA(t, "trecqa-wang.train.csv"), trecQA(t, "trecqa-wang.dev.csv")},
	} {
		dev := both(set.dev)
		for _, c := range []struct {
			name  string
			least [2]float64 // of P@1
			judge bool
			args  []option.Arg
		}{
			{"BM25", [2]float64{}, false, []option.Arg{kindtest.Arg("method", "bm25")}},
			{"distance", [2]float64{0.52, 0.80}, false, nil},
			{"msa", [2]float64{}, true, features("msa")},
			{"retrieval", [2]float64{}, true, features("retrieval")},
			{"retrieval, msa", [2]float64{0.57, 0.78}, true, nil},
			{"retrieval, msa, sa_words", [2]float64{}, true, append(features("retrieval", "msa", "sa_words"),
				kindtest.Arg("polarity", "polarity"))},
			{"retrieval, msa, sa_phrases", [2]float64{0.58, 0.78}, true, append(features("retrieval", "msa",
				"sa_phrases"), kindtest.Arg("polarity", "polarity"))},
			{"retrieval, msa; svm", [2]float64{}, true, []option.Arg{kindtest.Arg("ranker", "svm")}},
		} {
			t.Run(set.name+"/"+c.name, func(t *testing.T) {
				var judged kind.Input
				if c.judge {
					judged = kind.Tables{roleJudged: both(set.train)}
				}
				m, err := fit(t, passagesOf(set.train, set.dev), judged, res, c.args...)
				if err != nil {
					t.Fatal(err)
				}
				x := score(t, m, dev, res)
				t.Logf("P@1 %.3f MAP %.3f MRR %.3f, %g questions, %d n-grams, dense %.3f", x["precision@1"], x["map"],
					x["mrr"], x["questions"], len(m.hashes), m.dense)
				if x["precision@1"] < c.least[k] {
					t.Errorf("P@1 is below %g", c.least[k])
				}
			})
		}
	}
}

func features(list ...string) []option.Arg {
	a := option.Arg{Name: "features"}
	for _, f := range list {
		a.List = append(a.List, option.Arg{Value: value.Str(f)})
	}
	return []option.Arg{a}
}
