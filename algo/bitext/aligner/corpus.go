package aligner

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"parlance/algo/bitext"
	"parlance/algo/kind"
)

// The two sides; a direction has the number of the side that it generates from: 0 generates targets from sources.
const (
	source = iota
	target
)

// units is how tokens are cut into what is aligned.
type units struct {
	lower      bool
	characters [2]bool
}

// alone are the scripts that are written without blanks between words.
var alone = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer,
	unicode.Myanmar}

// together reports whether a character belongs to the unit of the one before: marks do, and letters and digits in a row
// but those of scripts without blanks.
func together(before, r rune) bool {
	word := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, alone...) }
	return unicode.IsMark(r) || word(before) && word(r)
}

// cut appends the units of tokens of a side, and for each of them the number of its token: tokens in lower case, or
// their characters.
func (u *units) cut(side int, forms []string, parts []string, token []int) ([]string, []int) {
	for i, w := range forms {
		if u.lower {
			w = strings.ToLower(w)
		}
		if !u.characters[side] {
			parts, token = append(parts, w), append(token, i)
			continue
		}
		from, before := 0, rune(0)
		for at, r := range w {
			if at > from && !together(before, r) {
				parts, token = append(parts, w[from:at]), append(token, i)
				from = at
			}
			if !unicode.IsMark(r) {
				before = r
			}
		}
		parts, token = append(parts, w[from:]), append(token, i)
	}
	return parts, token
}

// corpus is pairs of sentences as ids.
type corpus struct {
	vocabulary [2]*bitext.Vocabulary
	words      [2][]uint32
	starts     [2][]int // of each sentence, one more than there are
	alone      int      // documents without a partner
	empty      int      // pairs of sentences of which a side has no words
	long       int      // that have too many words
}

func (c *corpus) size() int { return len(c.starts[0]) - 1 }

func (c *corpus) sentence(side, k int) []uint32 {
	return c.words[side][c.starts[side][k]:c.starts[side][k+1]]
}

// read takes the pairs of documents, of which it keeps ids alone. Sentences with more than longest units are left out.
func read(ctx context.Context, in kind.Input, sides bitext.Sides, u *units, longest int) (*corpus, error) {
	c := &corpus{vocabulary: [2]*bitext.Vocabulary{bitext.NewVocabulary(nil), bitext.NewVocabulary(nil)},
		starts: [2][]int{{0}, {0}}}
	var parts [2][]string
	var number []int
	for pair, err := range sides.Pairs(ctx, in) {
		if err != nil {
			return nil, err
		}
		if pair.Source == nil || pair.Target == nil {
			c.alone++
			continue
		}
		forms := [2][]string{bitext.Forms(pair.Source), bitext.Forms(pair.Target)}
		for _, s := range pair.Sentences() {
			for side := range parts {
				r := s[side]
				parts[side], number = u.cut(side, forms[side][r.From:r.To], parts[side][:0], number[:0])
			}
			c.add(parts, longest)
		}
	}
	return c, ctx.Err()
}

// add takes a pair of sentences.
func (c *corpus) add(parts [2][]string, longest int) {
	switch n := [2]int{len(parts[0]), len(parts[1])}; {
	case n[0] == 0 || n[1] == 0:
		c.empty++
		return
	case max(n[0], n[1]) > longest:
		c.long++
		return
	}
	for side, list := range parts {
		for _, w := range list {
			c.words[side] = append(c.words[side], c.vocabulary[side].Add(w))
		}
		c.starts[side] = append(c.starts[side], len(c.words[side]))
	}
}

// sorted gives words ids in the order of their bytes.
func (c *corpus) sorted() {
	for side, v := range c.vocabulary {
		words := slices.Clone(v.Words)
		slices.Sort(words)
		next := bitext.NewVocabulary(words)
		number := make([]uint32, len(words))
		for i, w := range v.Words {
			number[i] = next.Find(w)
		}
		for i, id := range c.words[side] {
			c.words[side][i] = number[id]
		}
		c.vocabulary[side] = next
	}
}
