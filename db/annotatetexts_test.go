package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	doctext "parlance/algo/text"
	"parlance/db"
)

// tagged opens a database with the models tags and ner.
func tagged(t *testing.T) *db.DB {
	t.Helper()
	d := open(t, "")
	c := d.Conn()
	c.Stdin(strings.NewReader(strings.ReplaceAll("1 Ann _ PROPN _ _ _ _ _ _\n2 saw _ VERB _ _ _ _ _ _\n"+
		"3 cats _ NOUN _ _ _ _ _ _\n\n", " ", "\t")))
	script(t, c, `CREATE CORPUS trees;
		LOAD STDIN INTO trees FORMAT conllu;
		TRAIN perceptron AS tags ON trees WITH (layer = upos);
		CREATE CORPUS people;
		LOAD '../testdata/quickstart/people.train.conll' INTO people FORMAT conll WITH (columns = (form, entities));
		TRAIN perceptron AS ner ON people WITH (layer = entities, epochs = 2, seed = 1);`)
	return d
}

// TestAnnotateFilesAsCorpora: ANNOTATE of files writes the bytes that LOAD and COPY … USING write, with any number of
// workers, compressed or not, and leaves nothing beside the file.
func TestAnnotateFilesAsCorpora(t *testing.T) {
	d := tagged(t)
	c := d.Conn()
	dir := t.TempDir()
	in, want, got := filepath.Join(dir, "in.jsonl.gz"), filepath.Join(dir, "want"), filepath.Join(dir, "got")
	script(t, c, fmt.Sprintf(`CREATE CORPUS raw;
		INSERT INTO raw (id, text) SELECT 'd' || n, repeat('Anna saw cats in Oslo with Bob of Acme Steel. ', (n %% 50) + 1)
			FROM generate_series(1, 400) AS g (n);
		COPY raw TO '%s' FORMAT jsonl;`, in))
	for _, format := range []string{"jsonl", "conllu", "conll WITH (columns = (form, upos, entities))"} {
		script(t, c, fmt.Sprintf("COPY raw USING tags, ner TO '%s' FORMAT %s", want, format))
		for _, workers := range []int{1, 7} {
			script(t, c, fmt.Sprintf("SET workers = %d; ANNOTATE '%s' USING tags, ner TO '%s' FORMAT %s", workers, in, got,
				format))
			if a, b := read(t, want), read(t, got); !bytes.Equal(a, b) {
				t.Errorf("%s with %d workers: %d bytes, COPY writes %d", format, workers, len(b), len(a))
			}
		}
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 3 {
		t.Errorf("%d files: %v, %v", len(list), list, err)
	}
}

// TestAnnotateFilesEnds: a statement that is cancelled ends within a second and leaves no file.
func TestAnnotateFilesEnds(t *testing.T) {
	d := tagged(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.txt"), filepath.Join(dir, "out.jsonl")
	long := strings.Repeat("Anna saw cats in Oslo with Bob of Acme Steel.\n", 400_000)
	if err := os.WriteFile(in, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := d.Conn()
	var at time.Time
	c.OnProgress(func(db.Progress) { at = time.Now(); cancel() })
	time.AfterFunc(500*time.Millisecond, func() { cancel() })
	_, err := c.Exec(ctx, "ANNOTATE $1 FORMAT lines USING tags, ner TO $2 FORMAT jsonl", in, out)
	if code(err) != "57014" {
		t.Errorf("cancelled: %v", err)
	}
	if !at.IsZero() && time.Since(at) > time.Second {
		t.Errorf("it went on for %v", time.Since(at))
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left: %v, %v", list, err)
	}
}

// texts yields documents with the texts, then an error if there is one.
func texts(err error, list ...string) iter.Seq2[*doctext.Document, error] {
	return func(yield func(*doctext.Document, error) bool) {
		for i, s := range list {
			if !yield(&doctext.Document{ID: fmt.Sprint("d", i), Text: s}, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// TestAnnotateDocuments: documents of a program get the layers that a query of their texts shows.
func TestAnnotateDocuments(t *testing.T) {
	d := tagged(t)
	script(t, d.Conn(), "ALTER DATABASE SET using = (tags, ner)")
	list := []string{"Anna saw cats in Oslo.", "", "Bob left Rome for Acme Steel."}
	for i := range 600 {
		list = append(list, fmt.Sprintf("Anna saw %d cats.", i))
	}
	for _, models := range [][]string{{"ner"}, {"tags@1", "ner"}, nil} {
		n := 0
		for got, err := range d.Annotate(t.Context(), models, texts(nil, list...)) {
			if err != nil {
				t.Fatal(err)
			}
			if got.ID != fmt.Sprint("d", n) || got.Text != list[n] {
				t.Fatalf("document %d is %s %q", n, got.ID, got.Text)
			}
			if upos := got.Layer("tokens").Strs("upos"); (upos != nil) != (len(models) != 1) && got.Text != "" {
				t.Errorf("%v: tags of document %d: %v", models, n, upos)
			}
			if n < 3 {
				var spans []string
				for _, s := range got.Layer("entities").Spans() {
					spans = append(spans, s.Label)
				}
				slices.Sort(spans)
				want := column(t, d.Conn(), "SELECT label FROM entities(TEXT $1) USING ner", list[n])
				if fmt.Sprint(spans) != fmt.Sprint(want) {
					t.Errorf("%q has %v, the query says %v", list[n], spans, want)
				}
			}
			n++
		}
		if n != len(list) {
			t.Errorf("%v: %d documents, want %d", models, n, len(list))
		}
	}
	n := 0
	for range d.Annotate(t.Context(), nil, texts(nil, list...)) {
		if n++; n == 5 {
			break
		}
	}
	last := func(s iter.Seq2[*doctext.Document, error]) (n int, last error) {
		for _, err := range s {
			if n, last = n+1, err; err != nil {
				n--
			}
		}
		return n, last
	}
	failed := errors.New("the source fails")
	if n, err := last(d.Annotate(t.Context(), nil, texts(failed, list[:300]...))); n != 256 || !errors.Is(err, failed) {
		t.Errorf("a source that fails: %d documents, %v", n, err)
	}
	if n, err := last(d.Annotate(t.Context(), []string{"nobody"}, texts(nil, list...))); n != 0 || code(err) != "42704" {
		t.Errorf("a model that is not there: %d documents, %v", n, err)
	}
	if n, err := last(d.Annotate(t.Context(), nil, texts(nil, "a\xff"))); n != 0 || code(err) != "22021" {
		t.Errorf("bytes that are no text: %d documents, %v", n, err)
	}
	broken := doctext.NewLayer(doctext.Builtins("entities"))
	broken.N = 1 // a row without its columns
	for want, d := range map[string]*doctext.Document{"22023": {ID: "d", Text: "Anna", Layers: []*doctext.Layer{broken}},
		"23502": {Text: "Anna"}} {
		one := func(yield func(*doctext.Document, error) bool) { yield(d, nil) }
		if n, err := last(tagged(t).Annotate(t.Context(), []string{"ner"}, one)); n != 0 || code(err) != want {
			t.Errorf("%+v: %d documents, %v, want %s", d, n, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := last(d.Annotate(ctx, nil, texts(nil, list...))); n != 0 || code(err) != "57014" {
		t.Errorf("a context that has ended: %d documents, %v", n, err)
	}
}
