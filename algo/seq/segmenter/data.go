package segmenter

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// example is a sentence with its words.
type example struct {
	characters
	ends []int32 // by word: the character after its last
	word []int32 // of the corpus
	tag  []uint16
}

// corpus is what is learned from.
type corpus struct {
	examples []example
	tags     []string
	words    [][]rune
	index    map[string]int32
	tagIndex map[string]uint16
	tokens   int
}

// reader reads sentences of documents into a corpus.
type reader struct {
	*corpus
	column string // of tags; form for none
	wide   bool
}

// untagged is the tag of all words where none are learned.
const untagged = ""

// read reads the sentences of the input. Tokens without characters are left out.
func read(ctx context.Context, in kind.Input, column string, wide bool) (*corpus, error) {
	r := reader{&corpus{index: map[string]int32{}, tagIndex: map[string]uint16{}}, column, wide}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if err := r.document(d); err != nil {
			return nil, err
		}
	}
	if len(r.examples) == 0 {
		return nil, fmt.Errorf("%w: the input has no sentence of tokens", kind.ErrNoData)
	}
	r.sortTags()
	return r.corpus, nil
}

func (r *reader) document(d *text.Document) error {
	l := d.Layer(text.Tokens.Name)
	if l == nil {
		return nil
	}
	start, end, tags := l.Ints("char_start"), l.Ints("char_end"), l.Strs(r.column)
	if r.column == formColumn {
		tags = nil
	}
	for b, bounds := 1, d.SentenceTokens(); b < len(bounds); b++ {
		first, past := int(bounds[b-1]), int(bounds[b])
		if first == past {
			continue
		}
		borders := end[first:past]
		may := func(at int) bool {
			_, ok := slices.BinarySearch(borders, int32(at))
			return ok
		}
		var err error
		tok := first
		sentences(d.Text, int(start[first]), int(end[past-1]), may, func(_, to int) bool {
			from := tok
			for tok < past && int(end[tok]) <= to {
				tok++
			}
			err = r.sentence(d, start[from:tok], end[from:tok], cut(tags, from, tok))
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func cut(list []string, from, to int) []string {
	if list == nil {
		return nil
	}
	return list[from:to]
}

// sentence reads a sentence of tokens. Of tokens that lie over each other, as words of a multiword token do, the first
// is taken.
func (r *reader) sentence(d *text.Document, start, end []int32, tags []string) error {
	var x example
	x.reset()
	at := int32(0)
	for i := range start {
		if start[i] < at {
			continue
		}
		before := x.len()
		x.add(d.Text, int(start[i]), int(end[i]), r.wide)
		at = end[i]
		if x.len() == before {
			continue
		}
		tag := untagged
		if tags != nil {
			tag = tags[i]
		}
		t, err := r.tagOf(tag)
		if err != nil {
			return err
		}
		x.ends, x.tag = append(x.ends, int32(x.len())), append(x.tag, t)
		x.word = append(x.word, r.wordOf(x.characters.word(before, x.len())))
	}
	if x.close(); x.len() > 0 {
		r.examples, r.tokens = append(r.examples, x), r.tokens+len(x.word)
	}
	return nil
}

func (r *reader) tagOf(name string) (uint16, error) {
	t, ok := r.tagIndex[name]
	if !ok {
		if len(r.tags) == maxTags {
			return 0, fmt.Errorf("more than %d tags in the column %s, which a lattice of characters and tags has no "+
				"room for; learn a column of coarser tags, or layer = 'form'", maxTags, r.column)
		}
		t = uint16(len(r.tags))
		r.tags, r.tagIndex[name] = append(r.tags, name), t
	}
	return t, nil
}

func (r *reader) wordOf(runes []rune) int32 {
	s := string(runes)
	w, ok := r.index[s]
	if !ok {
		w = int32(len(r.words))
		r.words, r.index[s] = append(r.words, slices.Clone(runes)), w
	}
	return w
}

// sortTags numbers the tags by name.
func (c *corpus) sortTags() {
	names := slices.Clone(c.tags)
	sort.Strings(names)
	to := make([]uint16, len(names))
	for i, n := range names {
		to[c.tagIndex[n]] = uint16(i)
	}
	c.tags = names
	for i := range c.examples {
		for k, t := range c.examples[i].tag {
			c.examples[i].tag[k] = to[t]
		}
	}
}

// dictionary makes the dictionary of some examples, with how often each entry is there. of maps words of the corpus to
// those of the dictionary, −1 where it lacks them.
func (c *corpus) dictionary(examples []int) (d *dictionary, of []int32) {
	counts := make([]map[uint16]uint32, len(c.words))
	for _, i := range examples {
		for k, w := range c.examples[i].word {
			if counts[w] == nil {
				counts[w] = map[uint16]uint32{}
			}
			counts[w][c.examples[i].tag[k]]++
		}
	}
	var words [][]rune
	var entries []entry
	of = make([]int32, len(c.words))
	for w, byTag := range counts {
		of[w] = -1
		if byTag == nil {
			continue
		}
		of[w] = int32(len(words))
		from := len(entries)
		for t, n := range byTag {
			entries = append(entries, entry{of[w], t, n, known})
		}
		slices.SortFunc(entries[from:], func(a, b entry) int { return int(a.tag) - int(b.tag) })
		words = append(words, c.words[w])
	}
	return newDictionary(words, entries), of
}

// all lists all examples.
func (c *corpus) all() []int {
	out := make([]int, len(c.examples))
	for i := range out {
		out[i] = i
	}
	return out
}
