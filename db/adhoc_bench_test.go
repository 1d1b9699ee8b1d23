package db

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/storage/value"
)

// BenchmarkAdhoc measures entities of texts of 20 words with a CRF: without the cache, with texts
// that are all different, with known words and numbers that are new, and with texts that come again.
func BenchmarkAdhoc(b *testing.B) {
	data := realdata.Folder(b)
	d, err := Open("", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	c.Wire().Interleave()
	defer c.Wire().Release()
	if err := c.Script(b.Context(),
		"CREATE CORPUS tweets; LOAD '"+data+
			"/ner/wnut17.train' INTO tweets FORMAT conll; TRAIN crf AS ner ON tweets WITH (iterations = 50)", nil); err != nil {
		b.Fatal(err)
	}
	words := forms(b, c)
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		t := make([]string, 20)
		for i := range t {
			t[i] = words[r.IntN(len(words))]
		}
		return strings.Join(t, " ")
	}
	same := make([]string, 200)
	for i := range same {
		same[i] = text()
	}
	st, err := c.Prepare("SELECT text, label FROM entities(TEXT $1) USING ner")
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range []struct {
		name, set string
		text      func(i int) string
	}{
		{"uncached", "SET cache = off", func(int) string { return text() }},
		{"different", "SET cache = on", func(int) string { return text() }},
		{"numbers", "SET cache = on", func(i int) string {
			return fmt.Sprint(same[i%len(same)], r.IntN(1e9), " ", r.IntN(1e9))
		}},
		{"again", "SET cache = on", func(i int) string { return same[i%len(same)] }},
	} {
		b.Run(m.name, func(b *testing.B) {
			if _, err := c.Exec(b.Context(), m.set); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				rows, err := st.Run(b.Context(), []value.Value{value.Str(m.text(i))})
				if err != nil {
					b.Fatal(err)
				}
				for rows.NextBatch() != nil {
				}
				if err := rows.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// forms are the words of the corpus.
func forms(b *testing.B, c *Conn) []string {
	rows, err := c.Query(b.Context(), "SELECT form FROM tweets.tokens LIMIT 20000")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		out = append(out, rows.Values()[0].S)
	}
	return out
}
