package whyqa

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word of a question or passage: letters and digits that follow each other, with apostrophes and hyphens
// between them.
type word struct {
	lower, stem string
	start, end  int // code points of the text, [start, end)
	sentence    int // number of the sentence, from 0
	phrase      int // number of the phrase, from 0: function words with the content words behind them
	clause      int // number of the clause, from 0
	content     bool
}

// sentence is a sentence of a text: bytes [from, to), words [first, last).
type sentence struct{ from, to, first, last int }

// cut cuts a text into words and sentences. Sentences are those of bounds, rising ranges of bytes; without bounds they
// end at a full stop, a question or exclamation mark or a line end. Words outside of all bounds are left out.
func cut(text string, bounds [][2]int) (words []word, sentences []sentence) {
	if bounds == nil {
		bounds = ends(text)
	}
	c := &cutter{text: text}
	for _, b := range bounds {
		first := len(c.words)
		c.sentence(b[0], b[1], len(sentences))
		sentences = append(sentences, sentence{b[0], b[1], first, len(c.words)})
	}
	return c.words, sentences
}

// cutter goes over a text once.
type cutter struct {
	text           string
	words          []word
	byte, rune     int // how far code points are counted
	phrase, clause int
}

// runes is the number of code points before byte at, which does not fall.
func (c *cutter) runes(at int) int {
	c.rune += utf8.RuneCountInString(c.text[c.byte:at])
	c.byte = at
	return c.rune
}

// sentence adds the words of bytes [at, to).
func (c *cutter) sentence(at, to, number int) {
	c.phrase, c.clause = c.phrase+1, c.clause+1
	content := false // the word before is a content word
	for at < to {
		r, size := utf8.DecodeRuneInString(c.text[at:to])
		if !letter(r) {
			if strings.ContainsRune(",;:()[]\"—–", r) {
				c.phrase, c.clause, content = c.phrase+1, c.clause+1, false
			}
			at += size
			continue
		}
		end := wordEnd(c.text[:to], at)
		lower := strings.ToLower(c.text[at:end])
		w := word{lower: lower, stem: stem(lower), start: c.runes(at), end: c.runes(end), sentence: number}
		w.content = !functionWords[w.stem] && !functionWords[lower]
		if conjunctions[lower] {
			c.clause++
		}
		if content && !w.content {
			c.phrase++
		}
		content, w.phrase, w.clause = w.content, c.phrase, c.clause
		c.words = append(c.words, w)
		at = end
	}
}

// letter reports whether a code point belongs to words.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordEnd is the end of the word that starts at a byte.
func wordEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !letter(r) {
			next, _ := utf8.DecodeRuneInString(text[at+size:])
			if !strings.ContainsRune("'’-", r) || !letter(next) {
				break
			}
		}
		at += size
	}
	return at
}

// ends are the sentences of a text without stored ones. A full stop behind one letter or an abbreviation ends none.
func ends(text string) (out [][2]int) {
	from := 0
	add := func(to int) {
		if strings.TrimSpace(text[from:to]) != "" {
			lead := len(text[from:to]) - len(strings.TrimLeftFunc(text[from:to], unicode.IsSpace))
			tail := len(strings.TrimRightFunc(text[from:to], unicode.IsSpace))
			out = append(out, [2]int{from + lead, from + tail})
		}
		from = to
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			add(i)
		case '.', '!', '?':
			j := i + 1
			for j < len(text) && strings.IndexByte(".!?\"')", text[j]) >= 0 {
				j++
			}
			if j < len(text) && text[j] != ' ' && text[j] != '\n' || text[i] == '.' && abbreviated(text[from:i]) {
				continue
			}
			add(j)
			i = j - 1
		}
	}
	add(len(text))
	return out
}

// abbreviated reports whether a full stop behind a text belongs to its last word.
func abbreviated(text string) bool {
	last := text[strings.LastIndexAny(text, " \n(")+1:]
	return utf8.RuneCountInString(last) == 1 && last != "." || abbreviations[strings.ToLower(last)]
}

// stem takes the endings of inflection off an English word; words of other languages keep what does not look like one.
func stem(w string) string {
	w = strings.ReplaceAll(w, "’", "'")
	w = strings.TrimSuffix(w, "'s")
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), len(w) > 4 && (strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") ||
		strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && w[len(w)-1] == 's' && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	case len(w) > 5 && strings.HasSuffix(w, "ied"):
		return w[:len(w)-3] + "y"
	case len(w) > 5 && strings.HasSuffix(w, "ing"):
		return bare(w[:len(w)-3])
	case len(w) > 4 && strings.HasSuffix(w, "ed"):
		return bare(w[:len(w)-2])
	}
	return strings.TrimSuffix(w, "e")
}

// bare is what is left of a verb, without the second of two equal consonants and a silent e: stopped and stop, caused
// and cause have one stem.
func bare(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var (
	functionWords = set(`
		a about above after again all also although am among an and any are aren't as at be because been
		before being between both but by can can't cannot could couldn't did didn't do does doesn't
		doing don't down during each either else ever every few for from further get had hadn't has
		hasn't have haven't having he he's her here hers herself him himself his how i i'm if in into is
		isn't it it's its itself just let's many may me might more most much must my myself neither no
		nor not of off on once one only or other our ours out over own quite same shall she should so
		some such than that that's the their theirs them themselves then there these they this those
		though through thus to too under until up upon us very was wasn't we were weren't what what's
		when where which while who whom whose why will with within without won't would wouldn't yet you
		your yours yourself`)
	conjunctions  = set("and but or because although though which that who when while since so if unless where whereas")
	abbreviations = set("mr mrs ms dr st prof jr sr vs etc e.g i.e no inc ltd co gen sen rep u.s u.k")
	reversers     = set(`
		not no never prevent reduce reduc lower lack avoid stop without reliev cure cur n't cannot
		neither nor`)
)
