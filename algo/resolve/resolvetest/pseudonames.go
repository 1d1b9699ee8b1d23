package resolvetest

import (
	"bufio"
	"compress/gzip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"parlance/algo/engine/mcmc"
	"parlance/algo/testutil/realdata"
)

// Mention is a mention of a person in a text, under a name that others have too.
type Mention struct {
	ID, Name, Context string // the name is made up
	Entity            int    // the name that stands in the text
}

// Ambiguity is how names are made ambiguous.
type Ambiguity struct {
	Share int // persons that share a made-up name
	Least int // mentions that a name needs
	Most  int // mentions that are kept of one, drawn at random
	Words int // words of the context to each side
	Seed  uint64
}

// given are given names: with a capitalised word behind one, it is taken for the name of a person.
var given = strings.Fields("Adam Albert Alexander Alice Andrew Angela Anne Arthur Barack Benjamin Bill Catherine " +
	"Charles Daniel David Donald Edward Elizabeth Emma Eric Francis Frank Franz Frederick George Harold Helen Henry " +
	"Hillary Hugh Isaac Jacques James Jane Jean Jimmy John Joseph Julia Karl Kevin Laura Louis Margaret Maria Martin " +
	"Mary Michael Nelson Patrick Paul Peter Philip Richard Robert Ronald Samuel Sarah Simon Stephen Steve Thomas Tim " +
	"Tony Victor Walter William")

var person = regexp.MustCompile(`^(` + strings.Join(given, "|") + `) ([A-Z][a-z]{2,})$`)

// PseudoNames are the persons of Wikipedia and Wikinews in the folder text of the data, as Singh et al. (2011) made
// their set Person-X: the names that occur often enough are dealt to made-up names by a seed. The words of the context
// are in lower case, none of them a word of the name.
func PseudoNames(tb testing.TB, o Ambiguity) []Mention {
	tb.Helper()
	type place struct{ doc, at int }
	var docs [][]string
	found := map[string][]place{}
	for _, pattern := range []string{"wikipedia-en.*.txt.gz", "wikinews-en.*.txt.gz"} {
		files, err := filepath.Glob(filepath.Join(realdata.Folder(tb), "text", pattern))
		if err != nil || len(files) == 0 {
			tb.Skip("the texts are not there")
		}
		slices.Sort(files)
		for _, name := range files {
			for _, words := range articles(tb, name) {
				for i := range len(words) - 1 {
					if n := words[i] + " " + strings.TrimRight(words[i+1], ".,;:)'\""); person.MatchString(n) {
						found[n] = append(found[n], place{len(docs), i})
					}
				}
				docs = append(docs, words)
			}
		}
	}
	var names []string
	for n, list := range found {
		if len(list) >= o.Least {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	r := mcmc.NewRand(o.Seed, 3)
	for k := len(names) - 1; k > 0; k-- {
		j := r.Intn(k + 1)
		names[k], names[j] = names[j], names[k]
	}
	var out []Mention
	for e, n := range names {
		list := found[n]
		for k := range min(o.Most, len(list)) {
			j := k + r.Intn(len(list)-k)
			list[k], list[j] = list[j], list[k]
			p := list[k]
			out = append(out, Mention{"m" + itoa(len(out)), "x" + itoa(e/o.Share),
				around(docs[p.doc], p.at, o.Words, strings.ToLower(n)), e})
		}
	}
	return out
}

// articles are the words of the articles of a file, whose titles stand after #.
func articles(tb testing.TB, name string) (out [][]string) {
	z, err := gzip.NewReader(realdata.Open(tb, "text", filepath.Base(name)))
	if err != nil {
		tb.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		if strings.HasPrefix(s.Text(), "# ") || out == nil {
			out = append(out, nil)
			continue
		}
		out[len(out)-1] = append(out[len(out)-1], strings.Fields(s.Text())...)
	}
	if s.Err() != nil {
		tb.Fatal(s.Err())
	}
	return out
}

// around are the words to both sides of a name of two words, but for those of the name and short ones.
func around(words []string, at, width int, name string) string {
	own := strings.Fields(name)
	var out []string
	for _, w := range words[max(0, at-width):min(len(words), at+2+width)] {
		w = strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }))
		w = strings.TrimSuffix(w, "'s")
		if len(w) > 3 && !slices.Contains(own, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
