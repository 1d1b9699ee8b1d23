package wikigazetteer

import (
	"strings"
	"unicode"

	"parlance/algo/text"
)

// Metadata columns that are read. first is the first sentence as the format mediawiki finds it, behind notes such as
// "This article is about …".
const (
	titleField    = "title"
	firstField    = "first"
	redirectField = "redirect"
)

// reader reads pages.
type reader struct {
	m        *model
	coarse   func(label string) string
	letters  *letters
	pages    []page
	labelled int
	untitled int
}

// read adds the page of a document.
func (r *reader) read(d *text.Document) {
	r.letters.add(d)
	title := normal(d.Field(titleField).S)
	if title == "" {
		title = normal(d.ID)
	}
	if title == "" {
		r.untitled++
		return
	}
	p := page{title: title, redirect: redirectOf(d)}
	if p.redirect != "" {
		p.outcome = isRedirect
	} else {
		s := define(d, r.m.opt.tags)
		p.sentence = s.text
		p.label, p.phrase, p.outcome = r.m.label(s)
		p.label, p.phrase = strings.Clone(p.label), strings.Clone(p.phrase)
	}
	if p.label != "" {
		r.labelled++
		p.coarse = r.coarse(p.label)
	}
	r.pages = append(r.pages, p)
}

// normal writes a title with single blanks, as links may have underscores in their place.
func normal(title string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(title, "_", " ")), " ")
}

// sentence is the defining sentence of a page: some tokens, which end at a sentence end.
type sentence struct {
	text   string
	forms  []string
	tags   []string // nil without
	chunks [][2]int // base noun phrases: tokens [from, to)
	spans  bool     // the document has chunks
}

// define finds the defining sentence: the tokens within the metadata first where the text has it, else the first
// sentence with a token.
func define(d *text.Document, tags string) sentence {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.N == 0 || toks.Strs("form") == nil {
		return sentence{}
	}
	from, to := 0, 0
	start, end, sent := toks.Ints("char_start"), toks.Ints("char_end"), toks.Ints("sent")
	if first := strings.TrimSpace(d.Field(firstField).S); first != "" && start != nil {
		if at := strings.Index(d.Text, first); at >= 0 {
			for from < toks.N && int(start[from]) < at {
				from++
			}
			for to = from; to < toks.N && int(end[to]) <= at+len(first); {
				to++
			}
		}
	}
	if from == to {
		for from, to = 0, 0; to < toks.N && sent[to] == sent[0]; {
			to++
		}
	}
	s := sentence{forms: toks.Strs("form")[from:to]}
	if start != nil && int(end[to-1]) <= len(d.Text) {
		s.text = strings.Clone(d.Text[start[from]:end[to-1]])
	} else {
		s.text = strings.Join(s.forms, " ")
	}
	if t := toks.Strs(tags); t != nil {
		s.tags = t[from:to]
	}
	s.nounPhrases(d, from, to)
	return s
}

// nounPhrases reads the chunks NP among the rows [from, to) of the tokens.
func (s *sentence) nounPhrases(d *text.Document, from, to int) {
	l := d.Layer(text.Chunks.Name)
	if l == nil {
		return
	}
	s.spans = true
	bounds := d.SentenceTokens()
	sent, first, last, label := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end"), l.Strs("label")
	for i := range l.N {
		if l.Rank != nil && l.Rank[i] != 1 || label == nil || label[i] != "NP" && !strings.HasPrefix(label[i], "NP-") {
			continue
		}
		if k := int(sent[i]); k >= 1 && k < len(bounds) {
			a, b := int(bounds[k-1]+first[i])-1, int(bounds[k-1]+last[i])
			if a >= from && b <= to && a < b {
				s.chunks = append(s.chunks, [2]int{a - from, b - from})
			}
		}
	}
}

// letters counts how words are written: in small letters, and with a capital first one.
type letters struct {
	least float64
	words map[string][2]uint32
}

func newLetters(least float64) *letters { return &letters{least, map[string][2]uint32{}} }

// add counts the tokens of a document, where it matters.
func (l *letters) add(d *text.Document) {
	toks := d.Layer(text.Tokens.Name)
	if l.least == 0 || toks == nil {
		return
	}
	for _, f := range toks.Strs("form") {
		lower := strings.ToLower(f)
		n := l.words[lower]
		if f == lower {
			n[0]++
		} else {
			n[1]++
		}
		if _, known := l.words[lower]; !known {
			lower = strings.Clone(lower)
		}
		l.words[lower] = n
	}
}

// common tells of a word that is mostly written in small letters.
func (l *letters) common(word string) bool {
	if l.least == 0 || !strings.ContainsFunc(word, unicode.IsLetter) {
		return false
	}
	n := l.words[strings.ToLower(word)]
	all := float64(n[0]) + float64(n[1])
	return all > 0 && float64(n[1]) < l.least*all
}
