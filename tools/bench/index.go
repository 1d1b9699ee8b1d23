package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

// indexedDocuments is the size of the corpus that point queries search.
const indexedDocuments = 200_000

// index measures queries for few documents among many, by id and by an index on metadata.
func (b *bench) index() error {
	path, err := b.datedArticles(indexedDocuments)
	if err != nil {
		return err
	}
	d, c, err := b.session("index")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "CREATE CORPUS d (number INTEGER, split TEXT, year INTEGER); LOAD '"+path+
		"' INTO d FORMAT csv"); err != nil {
		return err
	}
	scan, err := b.timed(c, "SELECT text FROM d WHERE number = 77777")
	if err != nil {
		return err
	}
	for _, on := range []string{"number", "split, year"} {
		took, err := b.statement(1, c, "CREATE INDEX ON d ("+on+")")
		if err != nil {
			return err
		}
		b.add("CREATE INDEX ON d ("+on+")", fmt.Sprintf("%.2f s", took.clock), "",
			took.note(fmt.Sprintf("%d documents", indexedDocuments)))
	}
	for _, q := range []struct{ name, where, bound, note string }{
		{"point query by id", "id = 'n%d'", "< 1 ms", fmt.Sprintf("of %d documents", indexedDocuments)},
		{"point query by an indexed column", "number = %d", "< 1 ms", fmt.Sprintf("without the index %.0f ms", scan*1e3)},
		{"range query by an indexed column", "number BETWEEN %[1]d AND %[1]d + 9", "", "10 documents"},
		{"query by two indexed columns", "split = 'dev' AND year = 1 + %d %% 400", "", "25 documents"},
	} {
		n := 0
		took, err := b.measure(51, func() error {
			n += 3571 // other segments each time
			return b.script(c, "SELECT text FROM d WHERE "+fmt.Sprintf(q.where, n))
		})
		if err != nil {
			return err
		}
		b.add(q.name, fmt.Sprintf("%.2f ms", took.clock*1e3), q.bound, took.note(q.note))
	}
	return nil
}

// articles writes a CSV file of short texts, numbered from 0.
func (b *bench) datedArticles(n int) (string, error) {
	path := filepath.Join(b.Dir, "articles.csv")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "id,text,number,split,year")
	for i := range n {
		split := "train"
		if i%20 == 0 {
			split = "dev"
		}
		fmt.Fprintf(w, "n%d,Text number %d tells of the year.,%d,%s,%d\n", i, i, i, split, i/20%400+1)
	}
	return path, w.Flush()
}
