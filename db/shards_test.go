package db_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parlance/algo/kind"
	documents "parlance/algo/text"
	"parlance/db"
)

// shardsHere runs the tasks of a training over files in this process, the last shard first.
func shardsHere(d *db.DB, s *db.ShardedTraining, files []string, parts int) func(context.Context,
	kind.Task) ([][]byte, error) {
	return func(ctx context.Context, task kind.Task) ([][]byte, error) {
		var lists [][][]byte
		shard := func(docs iter.Seq2[*documents.Document, error], item []byte) error {
			found, err := s.Map(ctx, docs, task, item, parts)
			for k, f := range found {
				for k >= len(lists) {
					lists = append(lists, nil)
				}
				if f != nil {
					lists[k] = append(lists[k], f)
				}
			}
			return err
		}
		for i := len(task.Items) - 1; i >= 0; i-- {
			if err := shard(nil, task.Items[i]); err != nil {
				return nil, err
			}
		}
		for i := len(files) - 1; i >= 0 && task.Items == nil; i-- {
			docs := d.Documents(ctx, db.Source{Paths: files[i : i+1], Tokenizer: "unicode"})
			if err := shard(docs, nil); err != nil {
				return nil, err
			}
		}
		out := make([][]byte, len(lists))
		for k, list := range lists {
			var err error
			if len(list) == 0 {
				continue
			}
			if out[k], err = s.Merge(ctx, task.Name, list); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

var weightsLine = regexp.MustCompile(`weights\s+([0-9a-f]{64})`)

// weightsOf is the hash of the weights of a model.
func weightsOf(t *testing.T, c *db.Conn, model string) string {
	t.Helper()
	m := weightsLine.FindStringSubmatch(text(t, c, "DESCRIBE MODEL "+model))
	if m == nil {
		t.Fatalf("%s has no weights: %s", model, text(t, c, "DESCRIBE MODEL "+model))
	}
	return m[1]
}

// TestShardedTraining trains each kind by TRAIN and over shards; both have the same weights and options.
func TestShardedTraining(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	dir := t.TempDir()
	whole, err := os.ReadFile("../testdata/english/train.conllu")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for i, part := range bytes.SplitAfter(whole, []byte("\n\n")) {
		if len(bytes.TrimSpace(part)) == 0 {
			continue
		}
		f := filepath.Join(dir, fmt.Sprintf("%d.conllu", i%5))
		if i < 5 {
			files = append(files, f)
		}
		part = append([]byte(fmt.Sprintf("# newdoc id = d%d\n", i)), part...)
		old, _ := os.ReadFile(f)
		if err := os.WriteFile(f, append(old, part...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script(t, c, "CREATE CORPUS docs; LOAD '"+filepath.Join(dir, "*.conllu")+"' INTO docs FORMAT conllu;"+
		"CREATE TABLE people (id TEXT, name TEXT);"+
		"INSERT INTO people SELECT 'r' || n, 'name ' || (n % 40) || ' ' || (n % 7) FROM generate_series(1, 1200) AS g(n);")
	for _, k := range []struct{ kind, on, query, with string }{
		{"contexts", "docs", "", "contexts = dependency, min_count = 1"},
		{"contexts", "docs", "", "contexts = window, window = 3, lower = false"},
		{"ngrams", "docs", "", "orders = 3"},
		{"brown", "docs", "", "clusters = 8"},
		{"hmm", "docs", "", "states = 3, iterations = 4"},
		{"latent_classes", "contexts", "SELECT word, context, count FROM contexts.counts", "classes = 5, iterations = 6"},
		{"entity_resolver", "people", "SELECT * FROM people",
			"attributes = ('name trigrams'), model = layered, rounds = 2, sweeps = 2"},
	} {
		on := k.on
		if k.kind == "latent_classes" {
			script(t, c, "CREATE TABLE pairs AS SELECT word, context, count FROM contexts.counts")
			on = "pairs"
		}
		script(t, c, fmt.Sprintf("TRAIN %s ON %s WITH (%s)", k.kind, on, k.with))
		s := &db.ShardedTraining{Kind: k.kind, With: k.with, Seed: 1, Tokenizer: "unicode"}
		var table kind.Input
		if k.query != "" {
			if table, err = s.Table(t.Context(), d, k.query); err != nil {
				t.Fatal(err)
			}
		}
		for _, parts := range []int{1, 3} {
			var out bytes.Buffer
			tasks := 0
			run := shardsHere(d, s, files, parts)
			counted := func(ctx context.Context, task kind.Task) ([][]byte, error) { tasks++; return run(ctx, task) }
			if err := s.Train(t.Context(), table, parts, counted, &out, nil, nil); err != nil {
				t.Fatalf("%s: %v", k.kind, err)
			}
			if tasks == 0 {
				t.Errorf("%s: nothing was done over shards", k.kind)
			}
			c.Stdin(bytes.NewReader(out.Bytes()))
			script(t, c, "LOAD STDIN INTO MODEL there FORMAT trained")
			if got, want := weightsOf(t, c, "there"), weightsOf(t, c, k.kind); got != want {
				t.Errorf("%s (%s), %d parts: the weights differ from those of TRAIN", k.kind, k.with, parts)
			}
			if !regexp.MustCompile(`(?m)^tokenizer\s+unicode`).MatchString(text(t, c, "DESCRIBE MODEL there")) {
				t.Errorf("%s: the model has no tokenizer", k.kind)
			}
			options := regexp.MustCompile(`(?m)^option .*$`)
			got := options.FindAllString(text(t, c, "DESCRIBE MODEL there"), -1)
			if len(got) == 0 {
				t.Errorf("%s: there are no options", k.kind)
			}
			for _, o := range got {
				if !strings.Contains(text(t, c, "DESCRIBE MODEL "+k.kind), strings.TrimSpace(o)) {
					t.Errorf("%s: %s is not as in TRAIN", k.kind, o)
				}
			}
		}
	}
}
