package db_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModelStreams: COPY MODEL … TO STDOUT sends the bytes of the file that it would write, and LOAD STDIN INTO MODEL
// takes them, also of another program's format; a cut stream loads nothing.
func TestModelStreams(t *testing.T) {
	d := tagged(t)
	c := d.Conn()
	path := filepath.Join(t.TempDir(), "ner.model")
	var out bytes.Buffer
	c.Stdout(&out)
	script(t, c, "COPY MODEL ner TO STDOUT; COPY MODEL ner TO '"+path+"'")
	if file := read(t, path); !bytes.Equal(file, out.Bytes()) {
		t.Errorf("the stream has %d bytes, the file %d", out.Len(), len(file))
	}
	other := open(t, "")
	o := other.Conn()
	o.Stdin(bytes.NewReader(out.Bytes()))
	script(t, o, "LOAD STDIN INTO MODEL names")
	q := "SELECT text, label FROM entities(TEXT 'Anna left Oslo.') USING "
	if got, want := text(t, o, q+"names"), text(t, c, q+"ner"); got != want {
		t.Errorf("loaded: %s, want %s", got, want)
	}
	if got := text(t, o, "SELECT origin FROM names.versions"); !strings.Contains(got, "standard input") {
		t.Errorf("the origin is %s", got)
	}
	o.Stdin(bytes.NewReader(out.Bytes()[:out.Len()/2]))
	if _, err := o.Exec(t.Context(), "LOAD STDIN INTO MODEL half"); code(err) != "22P04" {
		t.Errorf("half of the bytes: %v", err)
	}
	foreign, err := os.ReadFile("../algo/foreign/crfpp/testdata/model.txt")
	if err != nil {
		t.Fatal(err)
	}
	o.Stdin(bytes.NewReader(foreign))
	script(t, o, "LOAD STDIN INTO MODEL places FORMAT crfpp")
	ctx, cancel := context.WithCancel(t.Context())
	o.Stdin(endless(cancel))
	if _, err := o.Exec(ctx, "LOAD STDIN INTO MODEL never"); code(err) != "57014" {
		t.Errorf("cancelled: %v", err)
	}
	bare := d.Conn()
	for _, s := range []string{"COPY MODEL ner TO STDOUT", "LOAD STDIN INTO MODEL m",
		"LOAD STDIN INTO MODEL m FORMAT crfpp"} {
		if _, err := bare.Exec(t.Context(), s); code(err) != "55000" {
			t.Errorf("%s without streams: %v", s, err)
		}
	}
	if got := column(t, o, "SELECT name FROM system.models ORDER BY name"); strings.Join(got, " ") != "names places" {
		t.Errorf("models: %v", got)
	}
}

// endless is a stream that cancels at its third megabyte and goes on.
func endless(cancel func()) *endlessStream { return &endlessStream{cancel: cancel} }

type endlessStream struct {
	cancel func()
	n      int
}

func (e *endlessStream) Read(p []byte) (int, error) {
	if e.n += len(p); e.n > 3<<20 {
		e.cancel()
	}
	return len(p), nil
}
