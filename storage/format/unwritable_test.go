package format

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/learner"
	"parlance/storage/value"
)

var errFull = errors.New("no space")

// fullOnce is a stream of which one write fails; those after it succeed, so that only the writer's own look at its
// error can tell.
type fullOnce struct {
	at, writes int
}

func (f *fullOnce) Write(p []byte) (int, error) {
	if f.writes++; f.writes == f.at {
		return 0, errFull
	}
	return len(p), nil
}

// everyWrite runs a step with a stream that fails at one of its writes after the other, and wants the error.
func everyWrite(t rapid.TB, what string, step func(w *fullOnce) error) {
	t.Helper()
	for at := 1; ; at++ {
		w := &fullOnce{at: at}
		err := step(w)
		if w.writes < at {
			if err != nil && at == 1 {
				return // it cannot write this
			}
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("%s: write %d fails, and the writer says %v", what, at, err)
		}
	}
}

// TestUnwritable lets every write of every format fail once.
func TestUnwritable(t *testing.T) {
	columns := []codec.Column{{Name: "doc", Type: value.Text}, {Name: "n", Type: value.Integer}}
	batch := value.FromRows([]value.Type{value.Text, value.Integer},
		[][]value.Value{{value.Str("a\tb"), value.Int(1)}, {value.Str("é \"x\""), {}}})
	rapid.Check(t, func(t *rapid.T) {
		docs := []*text.Document{formattest.ToolDocument(t, "t")}
		for _, def := range text.Builtin {
			d, toks := formattest.Tokens(t, "a")
			if formattest.Column(t, toks, "lemma", "upos"); def != text.Sentences && def != text.Tokens && def != text.Labels {
				formattest.AnyLayer(t, d, def)
			}
			docs = append(docs, d)
		}
		for _, f := range formats {
			configured := func() codec.Codec {
				c, err := f.Configure(nil)
				if err != nil {
					t.Fatal(err)
				}
				learner.SetTagger(c, learner.TaggedBy{Label: "upos", Cells: func(*text.Document) ([][]string, error) {
					return nil,
						nil
				}})
				return c
			}
			if f.WritesDocuments() {
				for i, d := range docs {
					everyWrite(t, fmt.Sprintf("%s of document %d", f.Name, i), func(w *fullOnce) error {
						out, err := codec.NewDocumentWriter(configured(), w)
						if err == nil {
							err = out.Write(d)
						}
						if err == nil {
							err = out.Close()
						}
						return err
					})
				}
			}
			if f.WritesRows() {
				everyWrite(t, f.Name+" of rows", func(w *fullOnce) error {
					out, err := codec.NewRowWriter(configured(), w, columns)
					if err == nil {
						err = out.Write(batch)
					}
					if err == nil {
						err = out.Close()
					}
					return err
				})
			}
		}
	})
}
