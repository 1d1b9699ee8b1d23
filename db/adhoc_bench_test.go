package db

import (
	"math/rand"
	"os"
	"strings"
	"testing"

	"parlance/storage/value"
)

func BenchmarkAdhoc(b *testing.B) {
	src, err := os.ReadFile("/tmp/wnut.parlance")
	if err != nil {
		b.Skip(err)
	}
	path := b.TempDir() + "/a.parlance"
	if err := os.WriteFile(path, src, 0o600); err != nil {
		b.Fatal(err)
	}
	d, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	w, _ := os.ReadFile("/tmp/pgb/words.txt")
	words := strings.Fields(string(w))
	r := rand.New(rand.NewSource(1))
	text := func() string {
		t := make([]string, 20)
		for i := range t {
			t[i] = words[r.Intn(len(words))]
		}
		return strings.Join(t, " ")
	}
	run := func(set string, distinct int) func(b *testing.B) {
		return func(b *testing.B) {
			c := d.Conn()
			c.Interleave()
			defer c.Release()
			if _, err := c.Exec(b.Context(), set); err != nil {
				b.Fatal(err)
			}
			st, err := c.Prepare("SELECT text, label FROM entities(TEXT $1) USING ner")
			if err != nil {
				b.Fatal(err)
			}
			texts := make([]string, distinct)
			for i := range texts {
				texts[i] = text()
			}
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				n++
				t := ""
				if distinct > 0 {
					t = texts[n%distinct]
				} else {
					t = text()
				}
				rows, err := st.Run(b.Context(), []value.Value{value.Str(t)})
				if err != nil {
					b.Fatal(err)
				}
				for rows.NextBatch() != nil {
				}
				if err := rows.Close(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("off", run("SET cache = off", 0))
	b.Run("distinct", run("SET cache = on", 0))
	b.Run("cached", run("SET cache = on", 200))
}
