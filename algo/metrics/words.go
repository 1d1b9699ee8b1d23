package metrics

import (
	"context"

	"parlance/algo/text"
)

// Segmentation scores the words into which text is cut, by their first and last characters, as the bakeoffs of word
// segmentation count (Sproat and Emerson 2003): white space aside, so that gold and predicted texts may differ in
// it. The unit is the gold sentence in which a word starts.
//
//	precision, recall, f1                words with both ends right
//	tagged_precision, tagged_recall, …   those with the same tag besides, where both sides have tags
//	oov_recall, iv_recall                recall of the gold words that are unknown, and of those that are known
//	tagged_oov_recall, tagged_iv_recall  the same of words with their tags, which are known if the training
//	                                     has the word with the tag
//	oov_rate                             share of unknown gold words
type Segmentation struct {
	opt         Options
	units       Units
	ends        []int32
	tags, known bool // a document had tags; there is a vocabulary
}

// NewSegmentation returns a scorer of words.
func NewSegmentation(opt Options) *Segmentation {
	return &Segmentation{opt: opt, known: opt.Known != nil}
}

// The statistics of a unit: those of words, then those of tagged words.
const (
	wordTP     = 0 // right words, wrong ones, missed ones
	wordKnown  = 3 // right known words, known words, right unknown words, unknown words
	wordWidth  = 7
	taggedFrom = wordWidth
)

// TagColumn is the column that holds tags where none is named: upos, or xpos where that alone is stored.
func TagColumn(upos, xpos bool) string {
	if !upos && xpos {
		return "xpos"
	}
	return "upos"
}

// Learn adds the words of a layer of tokens, with their tags where those are wanted.
func (v *Vocabulary) Learn(l *text.Layer, tag string) {
	if l == nil {
		return
	}
	tags := l.Strs(tag)
	for i, form := range l.Strs("form") {
		v.Words[form] = true
		if v.Tagged != nil && tags != nil {
			v.Tagged[[2]string{form, tags[i]}] = true
		}
	}
}

// has tells whether a word, and whether a word with its tag, is known.
func (v *Vocabulary) has(form, tag string) (word, tagged bool) {
	word = v.Words[form]
	if v.Tagged == nil {
		return word, word
	}
	return word, v.Tagged[[2]string{form, tag}]
}

// word is a word by the characters before its first and its last.
type word struct{ first, last int32 }

// Add scores the documents of a unit.
func (s *Segmentation) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// tagsOf returns the tags of both sides, nil where one has none.
func (s *Segmentation) tagsOf(g, p *text.Layer) (gold, predicted []string) {
	column := s.opt.Tag
	if column == "" {
		both := func(c string) bool { return g.Strs(c) != nil && p.Strs(c) != nil }
		column = TagColumn(both("upos"), both("xpos"))
	}
	gold, predicted = g.Strs(column), p.Strs(column)
	if gold == nil || predicted == nil {
		return nil, nil
	}
	return gold, predicted
}

func wordsOf(d *text.Document, l *text.Layer) []word {
	at, start, end := places(d.Text), l.Ints("char_start"), l.Ints("char_end")
	out := make([]word, l.N)
	for i := range out {
		out[i] = word{at[start[i]], at[end[i]]}
	}
	return out
}

// document scores one document.
func (s *Segmentation) document(gold, predicted *text.Document) error {
	if err := sameCharacters(gold, predicted); err != nil {
		return err
	}
	g, p := gold.Layer(text.Tokens.Name), predicted.Layer(text.Tokens.Name)
	if g == nil || g.N == 0 {
		s.ends = append(s.ends, int32(s.units.Len()))
		return nil
	}
	if p == nil {
		p = text.NewLayer(text.Tokens)
	}
	goldTags, tags := s.tagsOf(g, p)
	s.tags = s.tags || goldTags != nil
	words, found := wordsOf(gold, g), wordsOf(predicted, p)
	// predicted words that no gold word is yet; words of one multiword token share its ends
	left := make(map[word][]int, len(found))
	for i, w := range found {
		left[w] = append(left[w], i)
	}
	rows := make([][2 * wordWidth]float32, g.Ints("sent")[g.N-1])
	for i, w := range words {
		row := &rows[g.Ints("sent")[i]-1]
		right, same := len(left[w]) > 0, false
		if right {
			at := left[w][0]
			left[w] = left[w][1:]
			same = goldTags != nil && goldTags[i] == tags[at]
		}
		s.gold(row, g.Strs("form")[i], pick(goldTags, i), right, same)
	}
	spread(rows, words, g.Ints("sent"), found)
	for i := range rows {
		s.units.Add(rows[i][:]...)
	}
	s.ends = append(s.ends, int32(s.units.Len()))
	return nil
}

func pick(list []string, i int) string {
	if list == nil {
		return ""
	}
	return list[i]
}

// gold counts a gold word that was found or not, and with its tag or not.
func (s *Segmentation) gold(row *[2 * wordWidth]float32, form, tag string, right, same bool) {
	row[wordTP] += One(right)
	row[wordTP+2] += One(!right)
	row[taggedFrom+wordTP] += One(same)
	row[taggedFrom+wordTP+2] += One(!same)
	if s.opt.Known == nil {
		return
	}
	word, tagged := s.opt.Known.has(form, tag)
	for _, x := range []struct {
		from         int
		known, right bool
	}{{wordKnown, word, right}, {taggedFrom + wordKnown, tagged, same}} {
		at := x.from
		if !x.known {
			at += 2
		}
		row[at] += One(x.right)
		row[at+1]++
	}
}

// spread counts the predicted words as wrong, less the right ones, in the gold sentence in which they start.
func spread(rows [][2 * wordWidth]float32, words []word, sent []int32, found []word) {
	k := 0
	for _, w := range found {
		for k+1 < len(words) && words[k+1].first <= w.first {
			k++
		}
		row := &rows[sent[k]-1]
		row[wordTP+1]++
		row[taggedFrom+wordTP+1]++
	}
	for i := range rows {
		rows[i][wordTP+1] -= rows[i][wordTP]
		rows[i][taggedFrom+wordTP+1] -= rows[i][taggedFrom+wordTP]
	}
}

// Metrics returns the scores of words, then those of tagged words.
func (s *Segmentation) Metrics() []Metric {
	beta, sums := s.opt.beta(1), s.units.sums(2*wordWidth)
	var out []Metric
	one := func(name string, c *Combine, support float64) {
		out = append(out, Metric{Name: name, Label: All, Combine: c, Units: s.units, Ends: s.ends, Support: support})
	}
	for _, x := range []struct {
		prefix string
		from   int
	}{{"", 0}, {"tagged_", taggedFrom}} {
		if x.from > 0 && !s.tags {
			break
		}
		from := x.from
		of := func(c *Combine) *Combine {
			return Formula(from+wordWidth, func(s []float64) float64 { return c.of(s[from:]) })
		}
		gold := sums[from+wordTP] + sums[from+wordTP+2]
		one(x.prefix+"precision", of(Precision), gold)
		one(x.prefix+"recall", of(Recall), gold)
		one(x.prefix+fName(beta), of(FBeta(beta)), gold)
		if s.known {
			one(x.prefix+"oov_recall", Share(from+wordKnown+2, from+wordKnown+3), sums[from+wordKnown+3])
			one(x.prefix+"iv_recall", Share(from+wordKnown, from+wordKnown+1), sums[from+wordKnown+1])
			one(x.prefix+"oov_rate", of(Formula(wordWidth, func(s []float64) float64 {
				return ratio(s[wordKnown+3], s[wordKnown+1]+s[wordKnown+3])
			})), gold)
		}
	}
	out[2].Main = true
	return out
}

// Confusion is empty: words have no labels.
func (s *Segmentation) Confusion() []Cell { return nil }
