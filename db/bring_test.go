package db_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// TestBringStatements runs the statements of docs/bring.md, in their order, in one database.
func TestBringStatements(t *testing.T) {
	page, err := os.ReadFile("../docs/bring.md")
	if err != nil {
		t.Fatal(err)
	}
	c, out := open(t, "").Conn(), filepath.ToSlash(t.TempDir())
	blocks := strings.Split(string(page), "```sql\n")[1:]
	if len(blocks) < 5 {
		t.Errorf("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		script, _, _ := strings.Cut(b, "```")
		script = strings.NewReplacer("'algo/foreign", "'../algo/foreign", "'testdata/", "'../testdata/",
			"TO '", "TO '"+out+"/", "LOAD 'train.spacy", "LOAD '"+out+"/train.spacy",
			"'reviews.", "'"+out+"/reviews.").Replace(script)
		err := c.Script(context.Background(), script, func(rows *db.Rows) error {
			for rows.Next() {
			}
			return rows.Err()
		})
		if err != nil {
			t.Errorf("%v in\n%s", err, script)
		}
	}
	for _, name := range []string{"attributes.crfsuite", "bob-tea.ann", "bob.jsonl", "cas-tea.xmi", "TypeSystem.xml",
		"linear.model", "lm.arpa", "ner.wapiti", "numbered.txt", "reviews.arrow", "reviews.parquet", "story.model",
		"trip.crfpp", "trip.crfsuite", "trip.wapiti", "trips.data", "trips.txt"} {
		if info, err := os.Stat(out + "/" + name); err != nil || info.Size() < 100 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
