package pcfg

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/parse/constituent"
)

// How often words count as rare, whose tags tell of those of unknown ones; and the weights of what is backed off to.
const (
	rare         = 5
	shapeWeight  = 1 // of the tags of words of the same shape, against one occurrence of the word
	suffixWeight = 4 // of the tags of words with a shorter suffix, against one with the longer one
	parentWeight = 2 // of the parents of the tag, against one occurrence of the word with the tag
)

// wordCounts are the tag symbols of words.
type wordCounts struct{ byWord map[string]map[int32]float64 }

func (w *wordCounts) add(form string, tag int32) {
	if w.byWord[form] == nil {
		w.byWord[strings.Clone(form)] = map[int32]float64{}
	}
	w.byWord[form][tag]++
}

// lexicon knows the tags of words.
type lexicon struct {
	// As counted: entries of word i are first[i] to first[i+1].
	Words   []string  `state:"words"` // in order
	First   []uint32  `state:"first,rows=Words,into=Symbols,rising"`
	Symbols []uint32  `state:"symbols,below=^Symbols"`
	Counts  []float32 `state:"counts,len=Symbols,positive,to=1e12"`

	number  map[string]int
	tags    []string             // in order
	tag     map[string]int       // places of tags
	of      map[int32]int        // tag of a symbol
	split   [][]int32            // symbols of a tag
	inTag   []float64            // P(tag symbol | tag), by symbol
	prior   []float64            // P(tag)
	shapes  map[string][]float64 // tags of rare words by signature
	anyRare []float64            // P(tag) of rare words
}

// lexicon sorts the counts.
func (w *wordCounts) lexicon(symbols []constituent.Symbol) *lexicon {
	l := &lexicon{First: []uint32{0}}
	for form := range w.byWord {
		l.Words = append(l.Words, form)
	}
	slices.Sort(l.Words)
	for _, form := range l.Words {
		tags := w.byWord[form]
		var list []int32
		for s := range tags {
			list = append(list, s)
		}
		slices.Sort(list)
		for _, s := range list {
			l.Symbols, l.Counts = append(l.Symbols, uint32(s)), append(l.Counts, float32(tags[s]))
		}
		l.First = append(l.First, uint32(len(l.Symbols)))
	}
	l.ready(symbols)
	return l
}

// ready works out what look-ups need.
func (l *lexicon) ready(symbols []constituent.Symbol) {
	l.number, l.tag, l.of = make(map[string]int, len(l.Words)), map[string]int{}, map[int32]int{}
	l.shapes, l.inTag = map[string][]float64{}, make([]float64, len(symbols))
	for i, w := range l.Words {
		l.number[w] = i
	}
	var list []string
	for _, s := range l.Symbols {
		list = append(list, symbols[s].Label)
	}
	slices.Sort(list)
	l.tags = slices.Compact(list)
	for i, t := range l.tags {
		l.tag[t] = i
	}
	l.split = make([][]int32, len(l.tags))
	l.prior, l.anyRare = make([]float64, len(l.tags)), make([]float64, len(l.tags))
	total := 0.0
	for k, s := range l.Symbols {
		t := l.tag[symbols[s].Label]
		if _, ok := l.of[int32(s)]; !ok {
			l.of[int32(s)] = t
			l.split[t] = append(l.split[t], int32(s))
		}
		l.prior[t] += float64(l.Counts[k])
		l.inTag[s] += float64(l.Counts[k])
		total += float64(l.Counts[k])
	}
	for s, t := range l.of {
		l.inTag[s] /= l.prior[t]
	}
	for t := range l.prior {
		l.prior[t] /= total
		slices.Sort(l.split[t])
	}
	l.learnShapes()
}

// learnShapes takes the tags of rare words by signature.
func (l *lexicon) learnShapes() {
	for i, w := range l.Words {
		sum := 0.0
		for k := l.First[i]; k < l.First[i+1]; k++ {
			sum += float64(l.Counts[k])
		}
		if sum > rare {
			continue
		}
		for k := l.First[i]; k < l.First[i+1]; k++ {
			t, n := l.of[int32(l.Symbols[k])], float64(l.Counts[k])
			l.anyRare[t] += n
			for _, sig := range signatures(w) {
				if l.shapes[sig] == nil {
					l.shapes[sig] = make([]float64, len(l.tags))
				}
				l.shapes[sig][t] += n
			}
		}
	}
	sum := 0.0
	for t, p := range l.prior { // no tag is impossible
		l.anyRare[t] += 0.01 * p
		sum += l.anyRare[t]
	}
	for t := range l.anyRare {
		l.anyRare[t] /= sum
	}
}

// signatures are what is told of an unknown word, from the least to the most: its shape, and that with suffixes of one
// to three characters.
func signatures(form string) []string {
	var shape strings.Builder
	first, size := utf8.DecodeRuneInString(form)
	rest := form[min(size, len(form)):]
	has := func(s string, is func(rune) bool) bool { return strings.IndexFunc(s, is) >= 0 }
	flag := func(c byte, yes bool) {
		if yes {
			shape.WriteByte(c)
		}
	}
	flag('A', unicode.IsUpper(first))
	flag('M', has(rest, unicode.IsUpper))
	flag('a', has(form, unicode.IsLower))
	flag('0', has(form, unicode.IsDigit))
	flag('-', strings.Contains(form, "-"))
	flag('.', strings.Contains(form, "."))
	flag('@', strings.ContainsAny(form, "@/"))
	flag('?', !has(form, unicode.IsLetter) && !has(form, unicode.IsDigit))
	out := []string{shape.String()}
	lower := []rune(strings.ToLower(form))
	for k := 1; k <= 3 && k < len(lower); k++ {
		if !unicode.IsLetter(lower[len(lower)-k]) {
			break
		}
		out = append(out, shape.String()+":"+string(lower[len(lower)-k:]))
	}
	return out
}

// tagged is a tag symbol with the logarithm of its weight for a word.
type tagged struct {
	symbol int32
	weight float64
}

// leastTag is the probability of a tag of a word below which it is left out, where tags are not given.
const leastTag = 1e-4

// look appends the tag symbols of a word; tag is the one that is given, "" for none.
func (l *lexicon) look(form, tag string, dst []tagged) []tagged {
	i, known := l.number[form]
	if t, ok := l.tag[tag]; ok {
		return l.spread(i, known, t, 0, dst)
	}
	p := l.tagsOf(form, i, known)
	for t, x := range p {
		if x > leastTag {
			dst = l.spread(i, known, t, math.Log(x/l.prior[t]), dst)
		}
	}
	return dst
}

// tagsOf is P(t | w) = (c(w, t) + shapeWeight·P(t | shape)) / (c(w) + shapeWeight).
func (l *lexicon) tagsOf(form string, i int, known bool) []float64 {
	p := slices.Clone(l.anyRare)
	for _, sig := range signatures(form) {
		n := l.shapes[sig]
		if n == nil {
			break
		}
		sum := 0.0
		for _, x := range n {
			sum += x
		}
		for t := range p {
			p[t] = (n[t] + suffixWeight*p[t]) / (sum + suffixWeight)
		}
	}
	if !known {
		return p
	}
	sum := 0.0
	for t := range p {
		p[t] *= shapeWeight
	}
	for k := l.First[i]; k < l.First[i+1]; k++ {
		p[l.of[int32(l.Symbols[k])]] += float64(l.Counts[k])
		sum += float64(l.Counts[k])
	}
	for t := range p {
		p[t] /= sum + shapeWeight
	}
	return p
}

// spread appends the symbols of a tag with weight + ln P(t^p | t, w) / P(t^p | t).
func (l *lexicon) spread(i int, known bool, t int, weight float64, dst []tagged) []tagged {
	from := len(dst)
	for _, s := range l.split[t] {
		dst = append(dst, tagged{s, l.inTag[s] * parentWeight})
	}
	sum := float64(parentWeight)
	if known {
		for k := l.First[i]; k < l.First[i+1]; k++ {
			if at := slices.Index(l.split[t], int32(l.Symbols[k])); at >= 0 {
				dst[from+at].weight += float64(l.Counts[k])
				sum += float64(l.Counts[k])
			}
		}
	}
	for j := range dst[from:] {
		x := &dst[from+j]
		x.weight = weight + math.Log(x.weight/sum/l.inTag[x.symbol])
	}
	return dst
}
