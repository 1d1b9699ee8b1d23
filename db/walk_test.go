package db_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	layers "parlance/algo/text"
	"parlance/db"
)

// stacked notes the functions that lead to its schema, its training and its annotation.
type stacked struct {
	kind.Model
	ways map[string][]string
}

func (m *stacked) Train(ctx context.Context, t *kind.Training) error {
	m.ways["TRAIN"] = way()
	return m.Model.Train(ctx, t)
}

func (m *stacked) Annotate(ctx context.Context, docs []*layers.Document, run *kind.Run) error {
	m.ways["SELECT"] = way()
	return m.Model.Annotate(ctx, docs, run)
}

var (
	called  = regexp.MustCompile(`^parlance/(.*)\(.*\)$`)
	step    = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	created = regexp.MustCompile(`^created by (\S+) in goroutine (\d+)$`)
)

// way lists the functions of the program that wait for this one, from the outermost on, over the goroutines that
// started each other.
func way() []string {
	all := make([]byte, 1<<22)
	all = all[:runtime.Stack(all, true)]
	stacks := map[string][]string{}
	parent := map[string]string{}
	for i, s := range strings.Split(string(all), "\n\n") {
		var number string
		for line := range strings.Lines(s) {
			line = strings.TrimSuffix(line, "\n")
			if _, rest, ok := strings.Cut(line, "goroutine "); ok && number == "" {
				number, _, _ = strings.Cut(rest, " ")
				if i == 0 {
					parent["first"] = number
				}
			} else if c := called.FindStringSubmatch(line); c != nil {
				stacks[number] = append(stacks[number], c[1])
			} else if c := created.FindStringSubmatch(line); c != nil {
				parent[number] = c[2]
			}
		}
	}
	var out []string
	for g := parent["first"]; g != ""; g = parent[g] {
		for _, f := range stacks[g] {
			out = append([]string{f}, out...)
		}
	}
	return out
}

// Schema notes the way of binding, which is where it is asked for what the model reads and writes.
func (m *stacked) Schema() kind.Schema {
	if w := way(); slices.ContainsFunc(w, func(f string) bool { return strings.HasPrefix(f, "query/bind.") }) {
		m.ways["PLAN"] = w
	}
	return m.Model.Schema()
}

// TestWalk follows the tables of ARCHITECTURE.md: the functions that they name are on the stack, in this order, when a
// statement is planned, when a model annotates for a SELECT, and when it is trained.
func TestWalk(t *testing.T) {
	page, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	k := kindtest.CorpusKind()
	inner, ways := k.New, map[string][]string{}
	k.New = func() kind.Model { return &stacked{inner(), ways} }
	file := filepath.Join(t.TempDir(), "walk.parlance")
	opened := func() *db.DB {
		d, err := db.Open(file, db.Options{Kinds: []kind.Kind{k}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := opened()
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); "+
		"TRAIN length_rank AS m ON docs")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	k.Revision++ // the recorded schema may not be that of now: binding asks the model itself
	d = opened()
	defer d.Close()
	if _, err := d.Conn().Exec(t.Context(), "SELECT * FROM docs.labels USING m"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"PLAN", "SELECT", "TRAIN"} {
		_, table, found := strings.Cut(string(page), "\n### "+name+"\n")
		table, _, _ = strings.Cut(table, "\n#")
		steps := step.FindAllStringSubmatch(table, -1)
		if !found || len(steps) < 5 {
			t.Errorf("ARCHITECTURE.md has %d steps of %s", len(steps), name)
		}
		at := 0
		for _, s := range steps {
			i := slices.Index(ways[name][at:], s[1])
			if i < 0 {
				t.Errorf("%s does not go through %s after %d of its calls:\n%s", name, s[1], at, strings.Join(ways[name], "\n"))
				break
			}
			at += i + 1
		}
	}
}
