package trained

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/lexical/contexts"
	"parlance/algo/option"
	"parlance/storage/value"
)

// file is a model of contexts and what it encodes.
func file(t testing.TB, options ...option.Arg) ([]byte, map[string][]byte) {
	t.Helper()
	m, s := contexts.Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(options); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(kindtest.Sample(20)), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, "contexts", "whitespace", options, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), encoded(t, m)
}

func encoded(t testing.TB, m kind.Model) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := m.Encode(kind.NewWriter(func(name string, p []byte) error {
		out[name] = append(out[name], p...)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var given = []option.Arg{kindtest.Arg("contexts", "window"), kindtest.Arg("window", 3), kindtest.Arg("lower", false),
	{Name: "stop_relations", List: []option.Arg{{Value: value.Str("punct")}, {Ref: &option.Ref{Name: "det"}}}}}

// TestRoundTrip: the model that is read has the options and bytes of the one that was written.
func TestRoundTrip(t *testing.T) {
	data, want := file(t, given...)
	m, err := foreigntest.Model(Format(), contexts.Kind(), string(data))
	if err != nil {
		t.Fatal(err)
	}
	if got := encoded(t, m); !maps.EqualFunc(got, want, bytes.Equal) {
		t.Error("the sections differ")
	}
	read, err := reader{}.Read(context.Background(), &foreign.File{Data: string(data)})
	if err != nil {
		t.Fatal(err)
	}
	if read.Tokenizer != "whitespace" {
		t.Errorf("the tokenizer is %q", read.Tokenizer)
	}
	same := func(a, b option.Arg) bool { return a.Name == b.Name && a.Text() == b.Text() && a.Value.T == b.Value.T }
	if !slices.EqualFunc(read.Options, given, same) {
		t.Errorf("options %v, want %v", read.Options, given)
	}
}

// TestArgs: options of all types come back as they were.
func TestArgs(t *testing.T) {
	for _, want := range []option.Arg{kindtest.Arg("a", 1<<62), kindtest.Arg("a", 0.1), kindtest.Arg("a", true),
		kindtest.Arg("a", ""), {Name: "a", Ref: &option.Ref{Name: "m", Version: "2"}}, {Name: "a", List: []option.Arg{}}} {
		x, err := toArg(want)
		if err != nil {
			t.Fatal(err)
		}
		got := x.option()
		if got.Name != "a" || got.Value != want.Value || got.Text() != want.Text() ||
			(got.List == nil) != (want.List == nil) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if _, err := toArg(option.Arg{Name: "a", Value: value.Value{}}); err == nil {
		t.Error("NULL is written")
	}
}

// TestDamage: a file with any bit flipped or any end cut off is refused with what to do.
func TestDamage(t *testing.T) {
	data, _ := file(t, kindtest.Arg("contexts", "window"), kindtest.Arg("max_words", 3))
	read := func(p []byte) error {
		_, err := reader{}.Read(context.Background(), &foreign.File{Data: string(p)})
		return err
	}
	var fault *foreign.Error
	for at := range 8 * len(data) {
		broken := bytes.Clone(data)
		broken[at/8] ^= 1 << (at % 8)
		if err := read(broken); !errors.As(err, &fault) || fault.Hint == "" {
			t.Fatalf("bit %d: %v", at, err)
		}
	}
	for n := range data {
		if err := read(data[:n]); !errors.As(err, &fault) || fault.Hint == "" {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}
