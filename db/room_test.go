package db_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"parlance/db"
	"parlance/storage/value"
)

// TestTextsTakeTurns runs queries of one text, which use the memory of each other, on several connections at
// once, some of them left early, and compares with those of a select of one text, which do not.
func TestTextsTakeTurns(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), `CREATE CORPUS gold;
LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON gold WITH (iterations = 20)`)
	shapes := []string{
		"SELECT text, label FROM entities(%s) USING ner",
		"SELECT * FROM entities(%s) USING ner",
		"SELECT label || ' ' || text, tok_start, prob FROM entities(%s) USING ner WHERE label = 'PER'",
		"SELECT upper(text) FROM entities(%s) USING ner",
	}
	names := []string{"Anna", "Berg", "of", "Oslo", "met", "Nils", "Holm", "in", "Bergen", "yesterday", "."}
	sentence := func(k int) string {
		var b strings.Builder
		for i := range 3 + k%17 {
			b.WriteString(names[(k*7+i*i+i*k)%len(names)] + " ")
		}
		return fmt.Sprint(b.String(), k)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := d.Conn()
			var one, selected []*db.Stmt
			for _, s := range shapes {
				a, errA := c.Prepare(fmt.Sprintf(s, "TEXT $1"))
				b, errB := c.Prepare(fmt.Sprintf(s, "SELECT $1::text"))
				if errA != nil || errB != nil {
					t.Error(errA, errB)
					return
				}
				one, selected = append(one, a), append(selected, b)
			}
			for k := range 60 {
				i := k % len(shapes)
				args := []value.Value{value.Str(sentence(k*4 + w))}
				want := again{t, selected[i], args}.rows()
				for run := range 4 { // computed, from the cache of predictions, from rows that are kept
					if got := (again{t, one[i], args}).rows(); got != want {
						t.Errorf("run %d: %s\n%s\ngot  %s\nwant %s", run, shapes[i], args[0].S, got, want)
						return
					}
				}
				rows, err := one[i].Run(t.Context(), []value.Value{value.Str(sentence(k*4+w) + " left")})
				if err == nil {
					rows.NextBatch()
					err = rows.Close()
				}
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
}
