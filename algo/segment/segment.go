// Package segment cuts texts into sentences and tokens.
package segment

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"parlance/algo/option"
)

// Span is a token in bytes of the text, half-open.
type Span struct{ Start, End int32 }

// Sentence is a sentence in bytes of the text, and its tokens [First, Last), 0-based.
type Sentence struct{ Start, End, First, Last int32 }

// Result is what a tokeniser finds: tokens in order, and sentences that partition them.
type Result struct {
	Tokens    []Span
	Sentences []Sentence
	// Ctx ends the work on a long text, whose result is then worth nothing; it may be nil.
	Ctx   context.Context
	steps int
	over  bool
}

// Tokenizer cuts texts. It is safe for concurrent use.
type Tokenizer interface {
	Name() string
	// Revision rises when equal texts would be cut differently.
	Revision() int
	// Segment fills r, reusing its slices. The text is valid UTF-8.
	Segment(text string, r *Result)
}

type tokenizer struct {
	name     string
	revision int
	segment  func(text string, r *Result)
}

func (t tokenizer) Name() string                   { return t.name }
func (t tokenizer) Revision() int                  { return t.revision }
func (t tokenizer) Segment(text string, r *Result) { t.segment(text, r) }

// The tokenisers: unicode follows UAX #29 with rules for abbreviations, contractions, URLs,
// e-mail addresses, dates, telephone numbers and emoticons, and splits at hyphens, as Universal Dependencies does for
// English; ptb follows the Penn Treebank and keeps hyphenated words; whitespace takes a line as a sentence; none takes
// the text as one token.
var tokenizers = []tokenizer{
	{"unicode", 3, func(text string, r *Result) { cut(text, r, unicodeWords, true) }},
	{"whitespace", 1, whitespace},
	{"ptb", 2, func(text string, r *Result) { cut(text, r, treebankWords, false) }},
	{"none", 1, none},
}

// Names returns the names of the tokenisers, the default first.
func Names() []string {
	out := make([]string, len(tokenizers))
	for i, t := range tokenizers {
		out[i] = t.name
	}
	return out
}

// New returns the tokeniser of the name.
func New(name string) (Tokenizer, error) {
	for _, t := range tokenizers {
		if t.name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("there is no tokeniser %s%s; tokenisers are %s", name, option.DidYouMean(name, Names()),
		strings.Join(Names(), ", "))
}

func (r *Result) reset() {
	r.Tokens = r.Tokens[:0]
	r.Sentences = r.Sentences[:0]
	r.over = false
}

// longText is the length in bytes of a text from which on growing slices leave much memory to be collected.
const longText = 1 << 16

// reserve makes room for the tokens of a long text, of some bytes each.
func (r *Result) reserve(bytes int) {
	if n := bytes / 6; bytes > longText && cap(r.Tokens) < n {
		r.Tokens = make([]Span, 0, n)
	}
}

// ended counts a step and reports whether the context has ended.
func (r *Result) ended() bool {
	if r.steps++; r.steps%(1<<13) == 0 && r.Ctx != nil {
		r.over = r.over || r.Ctx.Err() != nil
	}
	return r.over
}

// end closes the sentence of the tokens since the last one.
func (r *Result) end() {
	first := int32(0)
	if n := len(r.Sentences); n > 0 {
		first = r.Sentences[n-1].Last
	}
	last := int32(len(r.Tokens))
	if first == last {
		return
	}
	r.Sentences = append(r.Sentences, Sentence{r.Tokens[first].Start, r.Tokens[last-1].End, first, last})
}

// none takes everything between white space at both ends as one token.
func none(text string, r *Result) {
	r.reset()
	start := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	end := len(strings.TrimRightFunc(text, unicode.IsSpace))
	if start < end {
		r.Tokens = append(r.Tokens, Span{int32(start), int32(end)})
		r.end()
	}
}

// whitespace cuts at white space, and sentences at line feeds.
func whitespace(text string, r *Result) {
	r.reset()
	for c := (chunk{text: text}); c.next() && !r.ended(); {
		if strings.Contains(c.gap(), "\n") {
			r.end()
		}
		r.Tokens = append(r.Tokens, Span{int32(c.start), int32(c.end)})
	}
	r.end()
}

// cut splits chunks into addresses and words by the given rules, and sentences at final
// punctuation and blank lines. plain says that by these rules ASCII letters and digits between white
// space are one word.
func cut(text string, r *Result, words func(text string, start, end int, r *Result), plain bool) {
	r.reset()
	r.reserve(len(text))
	last := inside // how the sentence stands before the chunk
	for c := (chunk{text: text}); c.next() && !r.ended(); {
		if n := len(r.Tokens); n > 0 {
			if c.afterBlankLine() || last != inside && startsSentence(text[c.start:c.end], text, r.Tokens[n-1]) {
				r.end()
				last = inside
			}
		}
		if plain && c.classes == alphanumeric {
			r.Tokens = append(r.Tokens, Span{int32(c.start), int32(c.end)})
			last = inside
			continue
		}
		first := len(r.Tokens)
		from := c.start
		if c.classes&addressMark != 0 {
			addresses(text[c.start:c.end], func(at, n int) {
				if at += c.start; from < at {
					words(text, from, at, r)
				}
				r.Tokens = append(r.Tokens, Span{int32(at), int32(at + n)})
				from = at + n
			})
		}
		if from < c.end {
			words(text, from, c.end, r)
		}
		last = last.after(text, r.Tokens[first:])
	}
	r.end()
}
