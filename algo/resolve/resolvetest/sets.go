package resolvetest

import (
	"bufio"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"compress/gzip"
	"os"

	"parlance/algo/testutil/realdata"
)

// PubMed reads the set of Song, Kim and Kim (2015), 32 ambiguous names.
func PubMed(tb testing.TB) []Author {
	z, err := gzip.NewReader(realdata.Open(tb, "authors", "pubmed.train.tsv.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	s.Scan() // the header
	var out []Author
	entities := numbers{}
	for s.Scan() {
		f := strings.Split(s.Text(), "\t")
		_, first, _ := strings.Cut(f[3], ", ")
		first, _, _ = strings.Cut(first, " ")
		out = append(out, Author{ID: f[0] + "/" + f[2], Block: f[0], First: first, Coauthors: f[5], Title: f[6],
			Venue: f[7], Affiliation: f[9], Topics: f[10], Entity: entities.of(f[0] + "/" + f[1])})
	}
	if s.Err() != nil || len(out) == 0 {
		tb.Fatal(s.Err(), len(out))
	}
	return out
}

// numbers are those of entities by their names.
type numbers map[string]int

func (n numbers) of(s string) int {
	if _, ok := n[s]; !ok {
		n[s] = len(n)
	}
	return n[s]
}

var field = regexp.MustCompile(`<(title|authors|jconf|label|FullName)>([^\n]*)</`)

// AMiner reads 109 ambiguous names; the files are not quite XML.
func AMiner(tb testing.TB) []Author {
	files, err := filepath.Glob(filepath.Join(realdata.Folder(tb), "authors", "aminer", "*.xml"))
	if err != nil || len(files) == 0 {
		tb.Skip("the set is not there")
	}
	slices.Sort(files)
	var out []Author
	entities := numbers{}
	for _, name := range files {
		p, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		block, whole := strings.TrimSuffix(filepath.Base(name), ".xml"), ""
		for i, part := range strings.Split(string(p), "<publication>") {
			f := map[string]string{}
			for _, m := range field.FindAllStringSubmatch(part, -1) {
				f[m[1]] = m[2]
			}
			if i == 0 {
				whole = strings.ToLower(f["FullName"])
				continue
			}
			a := Author{ID: block + "/" + itoa(i), Block: block, Title: f["title"], Venue: f["jconf"],
				Entity: entities.of(block + "/" + f["label"])}
			var with []string
			last := whole[strings.LastIndex(whole, " ")+1:]
			for _, w := range strings.Split(f["authors"], ",") {
				if l := strings.ToLower(w); !strings.HasSuffix(l, last) && !strings.HasPrefix(l, last) {
					with = append(with, w)
				} else if a.First == "" {
					a.First, _, _ = strings.Cut(strings.TrimSpace(w), " ")
				}
			}
			a.Coauthors = strings.Join(with, ";")
			out = append(out, a)
		}
	}
	return out
}

// Ferreira reads the records of one name of Ferreira et al.: dblp-agupta, dblp-jlee, kisti-aagarwal or
// bdbcomp-aoliveira, part train or test.
func Ferreira(tb testing.TB, name, part string) []Author {
	p, err := io.ReadAll(realdata.Open(tb, "authors", "ferreira", name+"."+part+".txt"))
	if err != nil {
		tb.Fatal(err)
	}
	var out []Author
	entities := numbers{}
	for _, line := range strings.Split(strings.TrimSpace(string(p)), "\n") {
		f := strings.Split(line, ";")
		first, _, _ := strings.Cut(f[2], " ")
		out = append(out, Author{ID: f[0], Block: name, First: first, Coauthors: strings.ReplaceAll(f[3], ",", ";"),
			Title: f[4], Venue: f[5], Label: f[1], Entity: entities.of(f[1])})
	}
	return out
}
