package resolvetest

import (
	"encoding/xml"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Citation is a reference as it is printed in some paper.
type Citation struct {
	ID, Authors, Title, Venue, Year string
	Entity                          int
}

var year = regexp.MustCompile(`\b(19|20)\d\d\b`)

// Cora reads the references of Cora with the papers that they are to, from the file that PARLANCE_CORA names: the
// version of the RIDDLE repository in XML, cora-all-id.xml.
func Cora(tb testing.TB) []Citation {
	tb.Helper()
	name := os.Getenv("PARLANCE_CORA")
	if name == "" {
		tb.Skip("PARLANCE_CORA names no file cora-all-id.xml")
	}
	p, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	var file struct {
		Publications []struct {
			ID     string   `xml:"id,attr"`
			Author []string `xml:"author"`
			Title  []string `xml:"title"`
			Venue  struct {
				Inner string `xml:",innerxml"`
			} `xml:"venue"`
		} `xml:"publication"`
	}
	if err := xml.Unmarshal(p, &file); err != nil {
		tb.Fatal(err)
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	var out []Citation
	entities := numbers{}
	for i, x := range file.Publications {
		venue := words(tags.ReplaceAllString(x.Venue.Inner, " "))
		out = append(out, Citation{ID: "c" + itoa(i+1), Authors: words(strings.Join(x.Author, "; ")),
			Title: words(strings.Join(x.Title, " ")), Venue: venue, Year: year.FindString(venue),
			Entity: entities.of(x.ID)})
	}
	return out
}
