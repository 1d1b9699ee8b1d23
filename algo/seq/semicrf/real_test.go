package semicrf

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// document is one sentence of forms with spans of a layer.
func document(id string, forms []string, def *text.LayerDef, spans []text.Span) *text.Document {
	d := &text.Document{ID: id, Text: strings.Join(forms, " ")}
	l := text.NewLayer(text.Tokens)
	l.N = len(forms)
	at := int32(0)
	var sent, tok, start, end []int32
	for i, f := range forms {
		sent, tok = append(sent, 1), append(tok, int32(i+1))
		start, end = append(start, at), append(end, at+int32(len(f)))
		at += int32(len(f)) + 1
	}
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("char_start", start)
	l.SetInts("char_end", end)
	l.SetStrs("form", forms)
	d.SetLayer(l)
	d.SetLayer(d.SpanLayer(def, spans))
	return d
}

// cora reads the citations, cut at white space.
func cora(t *testing.T) (docs []*text.Document) {
	s := bufio.NewScanner(realdata.Open(t, "cite", "cora.tagged.txt"))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var forms []string
		var spans []text.Span
		label, first := "", 0
		for _, f := range strings.Fields(s.Text()) {
			switch {
			case strings.HasPrefix(f, "</"):
				if len(forms) > first {
					spans = append(spans, text.Span{Sent: 1, First: int32(first + 1), Last: int32(len(forms)),
						Label: label})
				}
			case strings.HasPrefix(f, "<") && strings.HasSuffix(f, ">"):
				label, first = f[1:len(f)-1], len(forms)
			default:
				forms = append(forms, f)
			}
		}
		if len(forms) > 0 {
			docs = append(docs, document(fmt.Sprint(len(docs)+1), forms, text.Segments, spans))
		}
	}
	return docs
}

// lines reads a file of tabbed fields after a heading.
func lines(t *testing.T, name string) (out [][]string) {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		out = append(out, strings.Split(l, "\t"))
	}
	return out
}

// rules reads a table of constraints.
func rules(t *testing.T, name string) kind.Tables {
	var rows [][]any
	for _, f := range lines(t, name) {
		target, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, []any{f[0], f[1], f[2], target, f[4]})
	}
	return constraints(rows...)
}

// lists are gazetteers by name.
type lists struct {
	kind.Resources
	tries map[string]*gazetteer.Trie
}

func (l lists) Gazetteer(name string) (kind.Gazetteer, error) { return l.tries[name], nil }

func readLists(t *testing.T, name string) lists {
	var entries []gazetteer.Entry
	for _, f := range lines(t, name) {
		entries = append(entries, gazetteer.Entry{Tokens: strings.Fields(f[0]), Labels: []string{f[1]}})
	}
	return lists{tries: map[string]*gazetteer.Trie{"lists": gazetteer.New(gazetteer.Options{Case: "lower"}, entries)}}
}

func train(t *testing.T, docs []*text.Document, roles map[string]kind.Input, res kind.Resources, seed uint64,
	opts ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(opts); err != nil {
		t.Fatal(err)
	}
	in := &kind.Training{On: kind.Documents(docs), Roles: roles, Resources: res, Seed: seed, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	return m
}

// score returns the metrics over all of predictions that annotate writes into views of documents.
func score(t *testing.T, layer string, docs []*text.Document, annotate func(*text.Document) error) []metrics.Metric {
	t.Helper()
	s := metrics.NewSpans(layer, metrics.Options{SpanTokens: true})
	for _, d := range docs {
		v := *d
		v.DropLayer(layer)
		if err := annotate(&v); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(context.Background(), []*text.Document{d}, []*text.Document{&v}); err != nil {
			t.Fatal(err)
		}
	}
	return s.Metrics()
}

func (m *model) writes(res kind.Resources) func(*text.Document) error {
	return func(d *text.Document) error {
		return m.Annotate(context.Background(), []*text.Document{d},
			&kind.Run{Workers: 1, Resources: res, Report: func(kind.Progress) {}})
	}
}

// named returns a metric over all labels.
func named(list []metrics.Metric, name string) metrics.Metric {
	for _, m := range list {
		if m.Name == name && m.Label == metrics.All {
			return m
		}
	}
	return metrics.Metric{}
}

// show logs the scores of a system, with p against another's.
func show(t *testing.T, what string, list, against []metrics.Metric) {
	line := fmt.Sprintf("%-40s", what)
	for _, name := range []string{"token_accuracy", "token_f1", "f1"} {
		m := named(list, name)
		line += fmt.Sprintf("  %s %.4f", name, m.Value())
		if against == nil {
			continue
		}
		c, err := metrics.Compare(context.Background(), []metrics.Metric{m}, []metrics.Metric{named(against, name)},
			metrics.Chance{Confidence: 0.95, Resamples: 1000, Shuffles: 10000, Seed: 1, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		line += fmt.Sprintf(" (p %.4f)", c[0].P)
	}
	t.Log(line)
}

// hard is the constraints on tokens as rules: the label with the highest target, else what rest says of the label
// before.
func hard(t *testing.T, in kind.Tables, g kind.Gazetteer, def *text.LayerDef,
	rest func(before string) string) func(*text.Document) error {
	table, _ := in.Table(expectation.Table.Name)
	list, err := expectation.Read(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	var of []expectation.Constraint
	for _, c := range list {
		if (c.Kind == expectation.Token || c.Kind == expectation.Dictionary || c.Kind == expectation.Pattern) &&
			c.Direction == expectation.AtLeast {
			of = append(of, c)
		}
	}
	triggers, err := expectation.NewTriggers(of)
	if err != nil {
		t.Fatal(err)
	}
	best := make([]expectation.Constraint, len(triggers.Names))
	for i, n := range triggers.Names {
		for _, c := range of {
			if c.Kind+"="+c.Value == n && c.Target > best[i].Target {
				best[i] = c
			}
		}
	}
	return func(d *text.Document) error {
		forms := d.Layer("tokens").Strs("form")
		labels, targets := make([]string, len(forms)), make([]float64, len(forms))
		for _, h := range triggers.Match(nil, forms, g) {
			if c := best[h.Trigger]; c.Target > targets[h.Token] {
				labels[h.Token], targets[h.Token] = c.Label, c.Target
			}
		}
		var spans []text.Span
		before := ""
		for i, l := range labels {
			if targets[i] == 0 {
				l = rest(before)
			}
			tok := int32(i + 1)
			if l == "" || l == "O" {
				before = l
				continue
			}
			if k := len(spans) - 1; l == before && k >= 0 {
				spans[k].Last = tok
			} else {
				spans = append(spans, text.Span{Sent: 1, First: tok, Last: tok, Label: l})
			}
			before = l
		}
		d.SetLayer(d.SpanLayer(def, spans))
		return nil
	}
}

func constrainedOptions(layer string, more ...option.Arg) []option.Arg {
	return append([]option.Arg{kindtest.Arg("layer", layer),
		kindtest.Arg("objective", expectation.AlternatingProjections), kindtest.Arg("gazetteer", "lists")}, more...)
}

// TestCora: constraints without labels beat the same constraints as rules by far, here on the rows on which their
// settings were chosen. With PARLANCE_SLOW all figures are logged, of those rows and of the test rows.
func TestCora(t *testing.T) {
	docs := cora(t)
	rows, res := rules(t, "cora-rules.tsv"), readLists(t, "cora-lists.tsv")
	raw, dev, test := docs[:300], docs[300:400], docs[400:]
	title := func(string) string { return "title" }
	before := func(l string) string {
		if l == "" {
			return "author"
		}
		return l
	}
	outside := kindtest.Arg("outside", false)
	roles := map[string]kind.Input{"constraints": rows}
	start := time.Now()
	m := train(t, raw, roles, res, 1, constrainedOptions("segments", outside)...)
	t.Logf("training by constraints: %.1f s", time.Since(start).Seconds())
	byRules := score(t, "segments", dev, hard(t, rows, res.tries["lists"], text.Segments, before))
	mine := score(t, "segments", dev, m.writes(res))
	if gain := named(mine, "token_accuracy").Value() - named(byRules, "token_accuracy").Value(); gain < 0.05 {
		t.Errorf("constraints are %.3f above rules in token accuracy, want 0.05", gain)
	}
	if os.Getenv("PARLANCE_SLOW") == "" {
		return
	}
	for i, part := range [][]*text.Document{dev, test} {
		name := []string{"dev", "test"}[i]
		show(t, name+" rules, rest title", score(t, "segments", part,
			hard(t, rows, res.tries["lists"], text.Segments, title)), nil)
		byRules := score(t, "segments", part, hard(t, rows, res.tries["lists"], text.Segments, before))
		show(t, name+" rules, rest as before", byRules, nil)
		for seed := range uint64(3) {
			x := m
			if seed > 0 {
				x = train(t, raw, roles, res, seed+1, constrainedOptions("segments", outside)...)
			}
			show(t, fmt.Sprintf("%s constraints, seed %d", name, seed+1), score(t, "segments", part, x.writes(res)),
				byRules)
		}
		more := train(t, docs[:400], roles, res, 1, constrainedOptions("segments", outside)...)
		show(t, name+" constraints, 400 rows", score(t, "segments", part, more.writes(res)), byRules)
		batch := train(t, raw, roles, res, 1, constrainedOptions("segments", outside,
			kindtest.Arg("projections", "batch"), kindtest.Arg("passes", 4))...)
		show(t, name+" constraints, batch", score(t, "segments", part, batch.writes(res)), byRules)
		for _, n := range []int{10, 25, 50, 100, 300} {
			show(t, fmt.Sprintf("%s supervised, %d rows", name, n),
				score(t, "segments", part, train(t, docs[:n], nil, nil, 1,
					kindtest.Arg("layer", "segments")).writes(nil)), nil)
		}
		mixed := train(t, docs[25:300], map[string]kind.Input{"constraints": rows,
			"labelled": kind.Documents(docs[:25])}, res, 1, constrainedOptions("segments", outside)...)
		show(t, name+" constraints with 25 labelled rows", score(t, "segments", part, mixed.writes(res)), byRules)
	}
}

// queries reads slot-labelled queries.
func queries(t *testing.T) (docs []*text.Document) {
	var forms, tags []string
	flush := func() {
		if len(forms) > 0 {
			docs = append(docs, document(fmt.Sprint(len(docs)+1), forms, text.Entities, bio.BIO.Decode(nil, 1, tags)))
		}
		forms, tags = nil, nil
	}
	for s := bufio.NewScanner(realdata.Open(t, "ads", "mit-restaurant.train.bio")); s.Scan(); {
		if f := strings.Fields(s.Text()); len(f) == 2 {
			forms, tags = append(forms, f[0]), append(tags, f[1])
		} else {
			flush()
		}
	}
	flush()
	return docs
}

// TestQueries logs the figures of queries for restaurants.
func TestQueries(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("slow: PARLANCE_SLOW is not set")
	}
	docs := queries(t)
	rows, res := rules(t, "queries-rules.tsv"), readLists(t, "queries-lists.tsv")
	roles := map[string]kind.Input{"constraints": rows}
	longest := kindtest.Arg("max_length", 5)
	for i, part := range [][]*text.Document{docs[5660:6660], docs[6660:]} {
		name := []string{"dev", "test"}[i]
		byRules := score(t, "entities", part, hard(t, rows, res.tries["lists"], text.Entities,
			func(string) string { return "O" }))
		show(t, name+" rules, rest outside", byRules, nil)
		for seed := range uint64(3) {
			m := train(t, docs[:2000], roles, res, seed+1, constrainedOptions("entities", longest)...)
			show(t, fmt.Sprintf("%s constraints, 2,000 rows, seed %d", name, seed+1),
				score(t, "entities", part, m.writes(res)), byRules)
		}
		m := train(t, docs[:5660], roles, res, 1, constrainedOptions("entities", longest)...)
		show(t, name+" constraints, 5,660 rows", score(t, "entities", part, m.writes(res)), byRules)
		for _, n := range []int{100, 2000} {
			show(t, fmt.Sprintf("%s supervised, %d rows", name, n),
				score(t, "entities", part, train(t, docs[:n], nil, nil, 1, kindtest.Arg("layer", "entities"),
					kindtest.Arg("iterations", 100)).writes(nil)), byRules)
		}
	}
}
