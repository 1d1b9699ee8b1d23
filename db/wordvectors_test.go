package db_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/db"
)

// TestNearestWords compares the documented statement with a search of its own over random vectors, loaded from both
// layouts of word2vec without FORMAT.
func TestNearestWords(t *testing.T) {
	const words, components, queries, nearest = 500, 20, 5, 10
	rng := rand.New(rand.NewPCG(3, 5))
	vectors := make([][]float32, words)
	var text, bin bytes.Buffer
	fmt.Fprintf(&text, "%d %d\n", words, components)
	fmt.Fprintf(&bin, "%d %d\n", words, components)
	for i := range vectors {
		vectors[i] = make([]float32, components)
		fmt.Fprintf(&text, "w%d", i)
		fmt.Fprintf(&bin, "w%d ", i)
		for k := range vectors[i] {
			vectors[i][k] = float32(rng.NormFloat64())
			fmt.Fprintf(&text, " %g", vectors[i][k])
		}
		_ = binary.Write(&bin, binary.LittleEndian, vectors[i])
		text.WriteString(" \n")
	}
	dir := t.TempDir()
	d := open(t, "")
	for name, file := range map[string][]byte{"t": text.Bytes(), "b": bin.Bytes()} {
		path := filepath.Join(dir, name+".vec")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		wordScores(t, d, "CREATE LEXICON "+name+" (word TEXT, vector VECTOR)")
		wordScores(t, d, "LOAD '"+path+"' INTO "+name)
		for q := range queries {
			got := wordScores(t, d, fmt.Sprintf("SELECT v.word, round(cosine(v.vector, q.vector), 9) AS score FROM %s v, "+
				"(SELECT * FROM %[1]s WHERE word = 'w%d') q WHERE v.word <> q.word ORDER BY score DESC, v.word LIMIT %d", name, q,
				nearest))
			if want := nearestWords(vectors, q, nearest); got != want {
				t.Errorf("%s, w%d:\n%swant\n%s", name, q, got, want)
			}
		}
	}
}

// nearestWords are the words with the greatest cosines by a full sort.
func nearestWords(vectors [][]float32, of, n int) string {
	cosine := func(u, v []float32) float64 {
		var uv, uu, vv float64
		for i := range u {
			uv, uu, vv = uv+float64(u[i])*float64(v[i]), uu+float64(u[i])*float64(u[i]), vv+float64(v[i])*float64(v[i])
		}
		return uv / math.Sqrt(uu) / math.Sqrt(vv)
	}
	var order []int
	for i := range vectors {
		if i != of {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := cosine(vectors[of], vectors[a]), cosine(vectors[of], vectors[b])
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var b strings.Builder
	for _, i := range order[:n] {
		fmt.Fprintf(&b, "w%d %.7f\n", i, cosine(vectors[of], vectors[i]))
	}
	return b.String()
}

// wordScores runs a statement and prints rows of a word and a score.
func wordScores(t *testing.T, d *db.DB, sql string) string {
	t.Helper()
	rows, err := d.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var b strings.Builder
	for row, err := range rows.All() {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %.7f\n", row[0], row[1].Float())
	}
	return b.String()
}
