// Package foreigntest is what tests of readers share: a file is read, served by its kind, and its answers are compared
// with those that the program gave.
package foreigntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Model reads a file and makes the model that serves it, through the bytes that would be stored.
func Model(f foreign.Format, k kind.Kind, data string, args ...option.Arg) (kind.Model, error) {
	r, set := f.New(), &option.Set{}
	r.Options(set)
	if err := set.Apply(args); err != nil {
		return nil, err
	}
	read, err := r.Read(context.Background(), &foreign.File{Name: "model", Data: data})
	if err != nil {
		return nil, err
	}
	if read.Kind != k.Name {
		return nil, fmt.Errorf("served by %s, want %s", read.Kind, k.Name)
	}
	stored := map[string][]byte{}
	err = read.Encode(kind.NewWriter(func(s string, p []byte) error {
		stored[s] = append(stored[s], p...)
		return nil
	}))
	if err != nil {
		return nil, err
	}
	m, own := k.New(), &option.Set{}
	m.Options(own)
	if err := own.Apply(read.Options); err != nil {
		return nil, err
	}
	return m, m.Decode(kind.NewReader(func(s string) ([]byte, error) {
		p, ok := stored[s]
		if !ok {
			return nil, kind.ErrNoSection
		}
		return p, nil
	}))
}

// Must is Model for a file of testdata that is sound.
func Must(t *testing.T, f foreign.Format, k kind.Kind, path string, args ...option.Arg) kind.Model {
	t.Helper()
	m, err := Model(f, k, File(t, path), args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// File is a file as text.
func File(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Documents makes a document of each sentence of a file of columns, form first; names are those of the columns, _ for
// one that is left out. With tab, columns are parted by the first tab alone: there are two.
func Documents(t testing.TB, path string, names ...string) (docs []*text.Document) {
	t.Helper()
	for i, s := range strings.Split(strings.TrimSpace(File(t, path)), "\n\n") {
		cells := make([][]string, len(names))
		for _, line := range strings.Split(s, "\n") {
			for k, f := range strings.Fields(line)[:len(names)] {
				cells[k] = append(cells[k], f)
			}
		}
		docs = append(docs, Document(fmt.Sprint(i+1), names, cells))
	}
	return docs
}

// Document makes a document of one sentence from columns of tokens; forms that are missing are those of misc.
func Document(id string, names []string, cells [][]string) *text.Document {
	n := len(cells[0])
	d, toks := &text.Document{ID: id}, text.NewLayer(text.Tokens)
	toks.N = n
	ints := make([][]int32, 4)
	for i := range n {
		start := len(d.Text)
		d.Text += cells[0][i]
		for c, v := range []int{1, i + 1, start, len(d.Text)} {
			ints[c] = append(ints[c], int32(v))
		}
		d.Text += " "
	}
	for c, v := range ints {
		toks.Cols[c].Ints = v
	}
	for k, name := range names {
		if name != "_" {
			toks.SetStrs(name, cells[k])
		}
	}
	d.SetLayer(toks)
	return d
}

// Labels annotates documents and returns the labels of a column of tokens, with their probabilities.
func Labels(t *testing.T, m kind.Model, docs []*text.Document, column string) (labels [][]string, prob [][]float64) {
	t.Helper()
	if err := m.Annotate(context.Background(), docs, &kind.Run{Prob: true}); err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		l := d.Layer(text.Tokens.Name)
		labels, prob = append(labels, l.Strs(column)), append(prob, l.Prob)
	}
	return labels, prob
}

// Near reports whether two numbers differ by at most some.
func Near(a, b, most float64) bool { return math.Abs(a-b) <= most }

// Refuses wants an error about the file with a place and a text.
func Refuses(t *testing.T, f foreign.Format, k kind.Kind, data, want string, args ...option.Arg) {
	t.Helper()
	_, err := Model(f, k, data, args...)
	var e *foreign.Error
	if !errors.As(err, &e) {
		t.Errorf("want %q, got %v", want, err)
	} else if !strings.Contains(e.Error()+" | "+e.Hint, want) {
		t.Errorf("want %q, got %v | %s", want, e, e.Hint)
	}
}

// Truncated wants an error for every beginning of a file, in steps of some bytes, but the whole of it; keeps tells of
// beginnings that are whole files themselves.
func Truncated(t *testing.T, f foreign.Format, k kind.Kind, data string, step int, keeps func(n int) bool) {
	t.Helper()
	for n := 0; n < len(data); n += step {
		_, err := Model(f, k, data[:n])
		var e *foreign.Error
		if !errors.As(err, &e) && !(err == nil && keeps(n)) {
			t.Fatalf("the first %d bytes of %d: %v", n, len(data), err)
		}
	}
}

// List is an option that is a list of names.
func List(name string, names ...string) option.Arg {
	a := option.Arg{Name: name, List: []option.Arg{}}
	for _, n := range names {
		a.List = append(a.List, option.Arg{Value: value.Str(n)})
	}
	return a
}

// Vectors makes a document of each line label index:value … of a file, without its label.
func Vectors(t testing.TB, path string) (docs []*text.Document) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(File(t, path)), "\n") {
		_, features, _ := strings.Cut(line, " ")
		docs = append(docs, &text.Document{ID: fmt.Sprint(i + 1), Text: features})
	}
	return docs
}
