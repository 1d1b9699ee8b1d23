package nonlocal

import (
	"fmt"
	"slices"
	"strings"
)

// group is a family of features of whole labellings, after Finkel, Grenager and Manning (2005) and
// Krishnan and Manning (2006). Features are pairs of classes a·(classes+1) + b, with the number of
// classes for outside.
type group struct {
	name string
	doc  string
	// features are the names, each with a block of pairs.
	features []string
	compute  func(c *counter, at []int)
}

// groups are those that there are. at gives the first pair of each feature.
var groups = []group{
	{"phrase", "pairs of entities with the same words", []string{"phrase"}, (*counter).phrase},
	{"subphrase", "pairs of entities, the words of one within those of the other", []string{"subphrase"},
		(*counter).subphrase},
	{"majority", "an entity and the majority of those with the same words, or that contain its words; a token of an " +
		"entity and the majority of the tokens of the same form",
		[]string{"majority", "subphrase_majority", "token_majority"}, (*counter).majority},
	{"conjunction", "neighbouring entities with one or two of , and or nor / & ; between them", []string{"conjunction"},
		(*counter).conjunction},
}

// groupNames lists the names.
func groupNames() []string {
	var out []string
	for _, g := range groups {
		out = append(out, g.name)
	}
	return out
}

// chosen resolves names, several in one separated by commas, in the order of groups.
func chosen(names []string) ([]group, error) {
	want := map[string]bool{}
	for _, n := range strings.Split(strings.Join(names, ","), ",") {
		if n = strings.TrimSpace(n); n == "" {
			continue
		}
		if !slices.Contains(groupNames(), n) {
			return nil, fmt.Errorf("'%s' is no group of non-local features; they are %s", n, strings.Join(groupNames(), ", "))
		}
		want[n] = true
	}
	var out []group
	for _, g := range groups {
		if want[g.name] {
			out = append(out, g)
		}
	}
	return out, nil
}

// conjunctions are the tokens between members of a list.
var conjunctions = map[string]bool{",": true, "and": true, "or": true, "nor": true, "/": true, "&": true, ";": true}

// longPhrase is the length from which entities are compared as a whole only.
const longPhrase = 12

// wording is the words of a text, with the phrases that were entities of some labelling.
type wording struct {
	form    []uint32 // of every token, numbered within the text
	count   []int32  // tokens of a form
	joins   []bool   // tokens that are conjunctions
	starts  []int32  // first tokens of sentences
	place   map[[2]int32]int32
	phrases map[string]int32
	parts   [][]int32 // proper parts of a phrase; nil where not known yet
	first   [][2]int32
}

// newText numbers the forms of a text.
func newText(forms []string, starts []int32, foldCase bool) *wording {
	x := &wording{starts: starts, place: map[[2]int32]int32{}, phrases: map[string]int32{}}
	ids := map[string]uint32{}
	for _, f := range forms {
		x.joins = append(x.joins, conjunctions[strings.ToLower(f)])
		if foldCase {
			f = strings.ToLower(f)
		}
		id, ok := ids[f]
		if !ok {
			id = uint32(len(ids))
			ids[f] = id
			x.count = append(x.count, 0)
		}
		x.count[id]++
		x.form = append(x.form, id)
	}
	return x
}

// phrase numbers the words of tokens [from, to).
func (x *wording) phrase(from, to int32) int32 {
	if id, ok := x.place[[2]int32{from, to}]; ok {
		return id
	}
	key := make([]byte, 0, 4*(to-from))
	for _, f := range x.form[from:to] {
		key = append(key, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
	}
	id, ok := x.phrases[string(key)]
	if !ok {
		id = int32(len(x.first))
		x.phrases[string(key)] = id
		x.first, x.parts = append(x.first, [2]int32{from, to}), append(x.parts, nil)
	}
	x.place[[2]int32{from, to}] = id
	return id
}

// partsOf lists the different proper parts of a phrase.
func (x *wording) partsOf(id int32) []int32 {
	from, to := x.first[id][0], x.first[id][1]
	if to-from == 1 || to-from >= longPhrase {
		return nil
	}
	if x.parts[id] == nil {
		list := []int32{}
		for a := from; a < to; a++ {
			for b := a + 1; b <= to; b++ {
				if b-a < to-from {
					if p := x.phrase(a, b); !slices.Contains(list, p) {
						list = append(list, p)
					}
				}
			}
		}
		x.parts[id] = list
	}
	return x.parts[id]
}
