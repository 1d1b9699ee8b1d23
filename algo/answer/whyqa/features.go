package whyqa

import (
	"slices"
	"strings"

	"parlance/algo/kind"
)

// Groups of features, values of the option features.
const (
	groupRetrieval        = "retrieval"
	groupMorphoSyntax     = "msa"
	groupClasses          = "swc"
	groupSentimentWords   = "sa_words"
	groupSentimentPhrases = "sa_phrases"
)

var groups = []string{groupRetrieval, groupMorphoSyntax, groupClasses, groupSentimentWords, groupSentimentPhrases}

// Dense features are columns of their own, before those of n-grams.
const (
	denseDistance  = iota // S
	denseBM25             // BM25
	denseRank             // 1/rank by the method, before passages are ranked anew
	denseFound            // MSA4: share of the question's terms that occur in the passage
	denseSentiment        // SA@P5: of those in its sentences that have a sentiment phrase
	denseCount
)

var denseNames = [denseCount]string{"distance", "bm25", "1/rank by the method", "terms found (MSA4)",
	"terms found beside sentiment (SA@P5)"}

// dense features are divided by these, to be about as great as n-grams.
var denseScale = [denseCount]float64{10, 10, 1, 1, 1}

// vector is the features of a passage: dense ones, and n-grams as rising hashes, each once.
type vector struct {
	dense  [denseCount]float64
	hashes []uint64
}

// view is what stands for a word in an n-gram.
type view uint8

const (
	asStem     view = iota
	asClass         // class of the word, else its stem
	asPolarity      // W+ or W-, else the stem
	asBoth          // polarity and class where both are known, else the stem
	views
)

// token is a word with what the lexicons say of it.
type token struct {
	word
	shown    [views]string
	polarity int8 // +1, -1, 0 for none
	asked    bool // is a term of the question
	clue     bool
}

// extractor makes features of passages. It serves one goroutine.
type extractor struct {
	opt               *options
	stats             *statistics
	clues             []string
	classes, polarity kind.Lexicon
	class             string // column of classes
	known             map[string]token
	names             map[uint64]string // of hashes; nil where nobody asks
	hashes            []uint64          // of the passage under way
}

// tokens looks words up.
func (x *extractor) tokens(words []word, q *question) []token {
	out := make([]token, len(words))
	for i, w := range words {
		t, ok := x.known[w.lower]
		if !ok {
			t = x.look(w)
			x.known[w.lower] = t
		}
		t.word, t.asked = w, q.has(w.stem)
		out[i] = t
	}
	return out
}

// look finds the class and the polarity of a word. Words of function have neither.
func (x *extractor) look(w word) token {
	t := token{clue: slices.Contains(x.clues, w.stem)}
	for v := range t.shown {
		t.shown[v] = w.stem
	}
	if !w.content {
		return t
	}
	class := lookup(x.classes, w, x.class)
	if class != "" {
		t.shown[asClass] = "W" + class
	}
	switch p := lookup(x.polarity, w, polarityColumn); {
	case strings.HasPrefix(p, "p"), p == "+", p == "1", p == "+1":
		t.polarity, t.shown[asPolarity] = 1, "W+"
	case strings.HasPrefix(p, "n") && p != "neutral", p == "-", p == "-1":
		t.polarity, t.shown[asPolarity] = -1, "W-"
	}
	if t.polarity != 0 && class != "" {
		t.shown[asBoth] = t.shown[asPolarity] + class
	}
	return t
}

// lookup finds a word as it stands, else its stem.
func lookup(l kind.Lexicon, w word, column string) string {
	if l == nil {
		return ""
	}
	if s := l.Lookup(w.lower, column); s != "" {
		return s
	}
	return l.Lookup(w.stem, column)
}

// emit adds a feature, the hash of its parts (FNV-1a of 64 bits).
func (x *extractor) emit(parts ...string) {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ ' ') * 1099511628211
	}
	x.hashes = append(x.hashes, h)
	if x.names != nil {
		x.names[h] = strings.Join(parts, " ")
	}
}

// gram is an n-gram of words, or of phrases, in one sentence.
type gram struct {
	tokens  []token
	phrases bool
}

// grams yields the n-grams of words, then those of two and more phrases, of up to the option ngram; none crosses a
// sentence, nor a phrase.
func (x *extractor) grams(tokens []token, yield func(gram)) {
	for i := range tokens {
		for n := 1; n <= x.opt.ngram && i+n <= len(tokens) && tokens[i+n-1].sentence == tokens[i].sentence; n++ {
			yield(gram{tokens[i : i+n], false})
		}
	}
	if !x.opt.phrases {
		return
	}
	for i := 0; i < len(tokens); {
		next := phraseEnd(tokens, i)
		for n, end := 1, next; ; n++ {
			if n > 1 || end > i+1 { // a phrase of one word is that word
				yield(gram{tokens[i:end], true})
			}
			if n == x.opt.ngram || end == len(tokens) || tokens[end].sentence != tokens[i].sentence {
				break
			}
			end = phraseEnd(tokens, end)
		}
		i = next
	}
}

func phraseEnd(tokens []token, i int) int {
	end := i + 1
	for end < len(tokens) && tokens[end].phrase == tokens[i].phrase {
		end++
	}
	return end
}

// key is an n-gram as it is shown in a view; changed tells whether any word is not its stem.
func (g gram) key(v view) (key string, changed bool) {
	var b strings.Builder
	for i, t := range g.tokens {
		if i > 0 {
			if g.phrases && t.phrase != g.tokens[i-1].phrase {
				b.WriteByte('|')
			} else {
				b.WriteByte('_')
			}
		}
		b.WriteString(t.shown[v])
		changed = changed || t.shown[v] != t.stem
	}
	return b.String(), changed
}

func (g gram) asked() bool {
	return slices.ContainsFunc(g.tokens, func(t token) bool { return t.asked })
}
func (g gram) clue() bool { return slices.ContainsFunc(g.tokens, func(t token) bool { return t.clue }) }

// viewed adds n-grams with a converted word, all and those with a term of the question in the original.
func (x *extractor) viewed(tokens []token, v view, all, asked, with string) {
	x.grams(tokens, func(g gram) {
		key, changed := g.key(v)
		if !changed {
			return
		}
		x.emit(all, key, with)
		if g.asked() {
			x.emit(asked, key, with)
		}
	})
}

// of makes the features of a passage with its rank by the method, from 1. Those of the question alone are left out:
// they are the same for all its
// passages and move none.
func (x *extractor) of(q *question, passage []word, rank int) vector {
	var v vector
	x.hashes = nil
	tokens := x.tokens(passage, q)
	if x.opt.has(groupRetrieval) {
		o := locate(passage, q.terms, x.clues)
		v.dense[denseDistance], _ = o.distance(x.stats, passage)
		v.dense[denseRank] = 1 / float64(rank)
		v.dense[denseBM25] = x.stats.bm25(passage, q.terms)
	}
	if x.opt.has(groupMorphoSyntax) {
		v.dense[denseFound] = x.morphoSyntax(q, tokens)
	}
	if x.opt.has(groupClasses) {
		x.viewed(tokens, asClass, "SWC1", "SWC2", "")
	}
	if x.opt.has(groupSentimentWords) {
		x.viewed(tokens, asPolarity, "SA@W1", "SA@W2", "")
		x.viewed(tokens, asBoth, "SA@W3", "SA@W4", "")
	}
	if x.opt.has(groupSentimentPhrases) {
		v.dense[denseSentiment] = x.sentimentPhrases(q, tokens)
	}
	for i := range v.dense {
		v.dense[i] /= denseScale[i]
	}
	slices.Sort(x.hashes)
	v.hashes = slices.Compact(x.hashes)
	return v
}

// morphoSyntax adds MSA1, all n-grams, MSA2, those with a term of the question, and MSA3, those with a clue term. It
// returns MSA4, the share of the question's terms that are found.
func (x *extractor) morphoSyntax(q *question, tokens []token) float64 {
	x.grams(tokens, func(g gram) {
		key, _ := g.key(asStem)
		x.emit("MSA1", key)
		if g.asked() {
			x.emit("MSA2", key)
		}
		if g.clue() {
			x.emit("MSA3", key)
		}
	})
	return share(q, tokens)
}

// share is the share of the question's terms among tokens.
func share(q *question, tokens []token) float64 {
	found := map[string]bool{}
	for _, t := range tokens {
		if t.asked {
			found[t.stem] = true
		}
	}
	return float64(len(found)) / float64(len(q.terms))
}
