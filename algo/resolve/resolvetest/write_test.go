package resolvetest

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// TestWrite writes PARLANCE_RECORDS generated records as a table to the file that PARLANCE_TABLE names.
func TestWrite(t *testing.T) {
	name := os.Getenv("PARLANCE_TABLE")
	n, _ := strconv.Atoi(os.Getenv("PARLANCE_RECORDS"))
	if name == "" || n < 1 {
		t.Skip("PARLANCE_TABLE and PARLANCE_RECORDS are not set")
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "id\tfirst\tlast\tcoauthors\ttitle\tvenue\tentity")
	for _, a := range Generate(n, n/100, 1) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\n", a.ID, a.First, a.Last, a.Coauthors, a.Title, a.Venue, a.Entity)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGenerate: as many records as are asked for, the same for the same seed, the first person the largest.
func TestGenerate(t *testing.T) {
	a, b := Generate(5000, 100, 3), Generate(5000, 100, 3)
	if len(a) != 5000 || a[4321] != b[4321] {
		t.Errorf("%d records, %v and %v", len(a), a[4321], b[4321])
	}
	size := map[int]int{}
	for _, x := range a {
		size[x.Entity]++
		if x.First == "" || x.Last == "" || x.Title == "" {
			t.Fatalf("record %+v", x)
		}
	}
	if size[0] != 100 || len(size) < 500 {
		t.Errorf("%d persons, the first with %d records", len(size), size[0])
	}
}
