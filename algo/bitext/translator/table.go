package translator

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"parlance/algo/bitext"
)

// The features of a translation.
const (
	phraseForward  = iota // log p(target phrase | source phrase)
	phraseBackward        // log p(source phrase | target phrase)
	lexForward            // log of the probabilities of the target words given the source words
	lexBackward
	phrasePenalty // 1 for each phrase
	wordPenalty   // −1 for each target word
	distortion    // −|start − end of the phrase before|
	language      // log of the language model
	features
)

// own are the features that a phrase has for itself.
const own = 4

var featureNames = [features]string{"phrase_forward", "phrase_backward", "lex_forward", "lex_backward",
	"phrase_penalty",
	"word_penalty", "distortion", "language_model"}

// phrases is a list of sequences of word ids without repetition, with numbers from 0.
type phrases struct {
	ids    []uint32
	starts []uint32 // one more than phrases
	index  map[string]uint32
}

func newPhrases() *phrases { return &phrases{starts: []uint32{0}, index: map[string]uint32{}} }

func key(b []byte, ids []uint32) []byte {
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return b
}

func (p *phrases) size() int { return len(p.starts) - 1 }

func (p *phrases) at(i uint32) []uint32 { return p.ids[p.starts[i]:p.starts[i+1]] }

func (p *phrases) add(ids []uint32) uint32 {
	k := key(make([]byte, 0, 64), ids)
	n, ok := p.index[string(k)]
	if !ok {
		n = uint32(p.size())
		p.index[string(k)] = n
		p.ids = append(p.ids, ids...)
		p.starts = append(p.starts, uint32(len(p.ids)))
	}
	return n
}

// find is the number of a phrase, false for one that is not there.
func (p *phrases) find(ids []uint32) (uint32, bool) {
	n, ok := p.index[string(key(make([]byte, 0, 64), ids))]
	return n, ok
}

// reindex makes the index of phrases that were read.
func (p *phrases) reindex() {
	p.index = make(map[string]uint32, p.size())
	for i := range p.size() {
		p.index[string(key(nil, p.at(uint32(i))))] = uint32(i)
	}
}

// seen is a phrase pair at one place, with the links inside as a phrase of i·256 + j.
type seen struct{ source, target, links uint32 }

// collector gathers phrase pairs and links of words.
type collector struct {
	most           int
	source, target *phrases
	inner          *phrases // links inside phrase pairs
	all            []seen
	words          map[[2]uint32]float64 // links of words; none is the id of no word
	counts         [2]map[uint32]float64 // of the links of words, with those to none
}

const none = 1<<32 - 1

func newCollector(most int) *collector {
	return &collector{most: most, source: newPhrases(), target: newPhrases(), inner: newPhrases(),
		words: map[[2]uint32]float64{}, counts: [2]map[uint32]float64{{}, {}}}
}

// add takes a pair of sentences with its links.
func (c *collector) add(a, b []uint32, links []bitext.Link) {
	linked := [2][]bool{make([]bool, len(a)), make([]bool, len(b))}
	word := func(s, t uint32) {
		c.words[[2]uint32{s, t}]++
		c.counts[0][s]++
		c.counts[1][t]++
	}
	for _, l := range links {
		word(a[l.Source], b[l.Target])
		linked[0][l.Source], linked[1][l.Target] = true, true
	}
	for i, ok := range linked[0] {
		if !ok {
			word(a[i], none)
		}
	}
	for j, ok := range linked[1] {
		if !ok {
			word(none, b[j])
		}
	}
	var inner []uint32
	bitext.Phrases(len(a), len(b), c.most, links, func(x bitext.Box) {
		inner = inner[:0]
		for _, l := range links {
			if l.Source >= x.I1 && l.Source < x.I2 && l.Target >= x.J1 && l.Target < x.J2 {
				inner = append(inner, uint32((l.Source-x.I1)<<8|(l.Target-x.J1)))
			}
		}
		c.all = append(c.all, seen{c.source.add(a[x.I1:x.I2]), c.target.add(b[x.J1:x.J2]), c.inner.add(inner)})
	})
}

// lex is the product over target words of the mean of w(word | source word) of its links, of w(word | none) without;
// by side 1 the other way round.
func (c *collector) lex(side int, from, to []uint32, inner []uint32) float64 {
	log := 0.0
	for j, t := range to {
		sum, n := 0.0, 0
		for _, l := range inner {
			i, at := int(l>>8), int(l&255)
			if side == 1 {
				i, at = at, i
			}
			if at == j {
				sum += c.w(side, from[i], t)
				n++
			}
		}
		if n == 0 {
			sum, n = c.w(side, none, t), 1
		}
		log += math.Log(max(sum/float64(n), 1e-9))
	}
	return log
}

// w is the share of the links of a word that are to another one.
func (c *collector) w(side int, from, to uint32) float64 {
	k := [2]uint32{from, to}
	if side == 1 {
		k = [2]uint32{to, from}
	}
	if n := c.counts[side][from]; n > 0 {
		return c.words[k] / n
	}
	return 0
}

// table is phrase pairs by source phrases.
type table struct {
	source, target, inner *phrases
	starts                []uint32 // of the pairs of each source phrase, one more than there are
	pairs                 []pair
}

// pair is a translation of a source phrase.
type pair struct {
	target, links uint32
	h             [own]float32
}

// build makes the table of pairs that occur least times, up to keep for a source phrase, the most frequent ones.
func (c *collector) build(ctx context.Context, least, keep int) (*table, error) {
	t := &table{source: c.source, target: c.target, inner: c.inner, starts: []uint32{0}}
	slices.SortFunc(c.all, func(a, b seen) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target), cmp.Compare(a.links, b.links))
	})
	sums := [2][]float64{make([]float64, c.source.size()), make([]float64, c.target.size())}
	for _, s := range c.all {
		sums[0][s.source]++
		sums[1][s.target]++
	}
	at := 0
	for s := range uint32(c.source.size()) {
		if s&0xff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var list []pair
		for at < len(c.all) && c.all[at].source == s {
			first := c.all[at]
			n, links := 0, c.usual(at)
			for ; at < len(c.all) && c.all[at].source == s && c.all[at].target == first.target; at++ {
				n++
			}
			if n < least {
				continue
			}
			a, b, inner := c.source.at(s), c.target.at(first.target), c.inner.at(links)
			list = append(list, pair{first.target, links, [own]float32{
				float32(math.Log(float64(n) / sums[0][s])), float32(math.Log(float64(n) / sums[1][first.target])),
				float32(c.lex(0, a, b, inner)), float32(c.lex(1, b, a, inner))}})
		}
		slices.SortStableFunc(list, func(a, b pair) int {
			return cmp.Or(-cmp.Compare(a.h[0]+a.h[2], b.h[0]+b.h[2]), cmp.Compare(a.target, b.target))
		})
		t.pairs = append(t.pairs, list[:min(len(list), keep)]...)
		t.starts = append(t.starts, uint32(len(t.pairs)))
	}
	return t, ctx.Err()
}

// usual is the most frequent links of the pair at a place, of equal ones the first.
func (c *collector) usual(at int) uint32 {
	best, most, n := c.all[at].links, 0, 0
	for i := at; i < len(c.all) && c.all[i].source == c.all[at].source && c.all[i].target == c.all[at].target; i++ {
		if i == at || c.all[i].links != c.all[i-1].links {
			n = 0
		}
		if n++; n > most {
			best, most = c.all[i].links, n
		}
	}
	return best
}

// of are the translations of a source phrase.
func (t *table) of(ids []uint32) []pair {
	n, ok := t.source.find(ids)
	if !ok {
		return nil
	}
	return t.pairs[t.starts[n]:t.starts[n+1]]
}
