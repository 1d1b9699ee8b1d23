package ngrams

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"parlance/algo/text"
)

// maxWords is the most words: five ids of 25 bits fit a window.
const maxWords = 1<<25 - 1 - firstWord

// vocabulary is words with ids from firstWord in the order of their bytes.
type vocabulary struct {
	words []string
	ids   map[string]uint32
}

func newVocabulary(sorted []string) (*vocabulary, error) {
	if len(sorted) > maxWords {
		return nil, fmt.Errorf("there are %d different words; %d are the most", len(sorted), maxWords)
	}
	v := &vocabulary{sorted, make(map[string]uint32, len(sorted)+3)}
	for i, w := range sorted {
		v.ids[w] = uint32(firstWord + i)
	}
	for i, w := range reserved {
		if i > 0 {
			v.ids[w] = uint32(i)
		}
	}
	return v, nil
}

// size is the number of ids.
func (v *vocabulary) size() int { return firstWord + len(v.words) }

// word is the text of an id.
func (v *vocabulary) word(id uint32) string {
	if id < firstWord {
		return reserved[id]
	}
	return v.words[id-firstWord]
}

// beginning is the ids of the words that begin so, from the first to below the second.
func (v *vocabulary) beginning(start string) (from, to int) {
	from = sort.SearchStrings(v.words, start)
	n := sort.Search(len(v.words)-from, func(i int) bool { return !strings.HasPrefix(v.words[from+i], start) })
	return firstWord + from, firstWord + from + n
}

// find appends the ids of words, unknown for those that are not there.
func (v *vocabulary) find(ids []uint32, words []string) []uint32 {
	for _, w := range words {
		id, ok := v.ids[w]
		if !ok {
			id = unknown
		}
		ids = append(ids, id)
	}
	return ids
}

// text is the words of an n-gram, apart by spaces.
func (v *vocabulary) text(gram []uint32) string {
	var b strings.Builder
	for i, id := range gram {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.word(id))
	}
	return b.String()
}

// join is the words of both, and the ids in it of the ids of v.
func (v *vocabulary) join(sorted []string) (*vocabulary, []uint32, error) {
	all := slices.Concat(v.words, sorted)
	slices.Sort(all)
	both, err := newVocabulary(slices.Compact(all))
	if err != nil {
		return nil, nil, err
	}
	number := []uint32{none, unknown, begin, end}
	return both, both.find(number, v.words), nil
}

// plain is how a token counts: white space within it is an underscore, and what reads like a reserved word loses its
// brackets. "" is none.
func plain(form string, lower bool) string {
	if lower {
		form = strings.ToLower(form)
	}
	if strings.ContainsAny(form, text.Blanks) {
		form = strings.Join(text.Fields(form), "_")
	}
	if strings.HasPrefix(form, "<") && slices.Contains(reserved[unknown:], form) {
		form = strings.Trim(form, "<>")
	}
	return form
}
