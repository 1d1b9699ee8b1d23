package expectation

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"parlance/algo/kind"
)

// Hit is a token that a trigger finds, 0-based in its sentence.
type Hit struct{ Trigger, Token int32 }

// Triggers finds the tokens that constraints are about. What several constraints share, a kind with a value, is one
// trigger. It belongs to one goroutine.
type Triggers struct {
	Names    []string // such as token=in, by number
	of       []int32  // trigger of each constraint, −1 for none
	words    map[string][]int32
	phrases  map[string][]int32 // triggers by label of the gazetteer
	patterns []pattern          // with their triggers
	words0   []string           // scratch: forms without punctuation around them
	known    map[string][]bool  // of forms: which items of patterns they match
	items    []*regexp.Regexp
}

// mostKnown is how many forms are remembered.
const mostKnown = 1 << 16

// pattern is a sequence of regular expressions, each for a token.
type pattern struct {
	trigger    int32
	start, end bool // it begins at the first token, ends with the last
	items      []patternItem
}

type patternItem struct {
	text   string // regular expression of a whole form, "" for any
	slot   bool   // the token is one that is found
	number int    // in Triggers.items, −1 for any
}

// newPattern reads items divided by white space, such as: in {(19|20)\d\d}. Braces mark the tokens that are found;
// without any, all are. ^ at the front and $ at the end stand for the ends of the sentence, {} and . for any token.
func newPattern(s string) (pattern, error) {
	var p pattern
	fields := strings.Fields(s)
	if len(fields) > 0 && fields[0] == "^" {
		p.start, fields = true, fields[1:]
	}
	if k := len(fields) - 1; k >= 0 && fields[k] == "$" {
		p.end, fields = true, fields[:k]
	}
	if len(fields) == 0 {
		return p, fmt.Errorf("a pattern is regular expressions of tokens, such as: in {(19|20)\\d\\d}; %q has none", s)
	}
	slots := false
	for _, f := range fields {
		item := patternItem{text: f, number: -1}
		if strings.HasPrefix(f, "{") && strings.HasSuffix(f, "}") {
			item.slot, item.text = true, f[1:len(f)-1]
			slots = true
		}
		if item.text == "." {
			item.text = ""
		}
		if _, err := compile(item.text); err != nil {
			return p, fmt.Errorf("pattern %q: %w", s, err)
		}
		p.items = append(p.items, item)
	}
	for i := range p.items {
		p.items[i].slot = p.items[i].slot || !slots
	}
	return p, nil
}

func compile(text string) (*regexp.Regexp, error) { return regexp.Compile(`^(?:` + text + `)$`) }

// NewTriggers returns the triggers of constraints that Read has checked.
func NewTriggers(list []Constraint) (*Triggers, error) {
	t := &Triggers{words: map[string][]int32{}, phrases: map[string][]int32{}, known: map[string][]bool{}}
	numbers, items := map[string]int32{}, map[string]int{}
	for _, c := range list {
		if c.Kind == Share || c.Kind == Length || c.Kind == Segments {
			t.of = append(t.of, -1)
			continue
		}
		name := c.Kind + "=" + c.Value
		id, ok := numbers[name]
		if !ok {
			id = int32(len(t.Names))
			numbers[name], t.Names = id, append(t.Names, name)
			if err := t.add(c, id, items); err != nil {
				return nil, err
			}
		}
		t.of = append(t.of, id)
	}
	return t, nil
}

// Of is the trigger of a constraint, by its number in the list; −1 for none.
func (t *Triggers) Of(constraint int) int32 { return t.of[constraint] }

func (t *Triggers) add(c Constraint, id int32, items map[string]int) error {
	switch c.Kind {
	case Token, Separator:
		t.words[c.Value] = append(t.words[c.Value], id)
	case Dictionary:
		t.phrases[c.Value] = append(t.phrases[c.Value], id)
	case Pattern:
		p, err := newPattern(c.Value)
		if err != nil {
			return err
		}
		p.trigger = id
		for i := range p.items {
			item := &p.items[i]
			if item.text == "" {
				continue
			}
			k, ok := items[item.text]
			if !ok {
				re, err := compile(item.text)
				if err != nil {
					return err
				}
				k = len(t.items)
				items[item.text], t.items = k, append(t.items, re)
			}
			item.number = k
		}
		t.patterns = append(t.patterns, p)
	}
	return nil
}

// Dictionaries reports whether a gazetteer is looked into.
func (t *Triggers) Dictionaries() bool { return len(t.phrases) > 0 }

// Match appends the hits in a sentence to dst, each once, by token. A token is compared as it is and without the
// punctuation around it; a value without capitals matches forms in any case. g may be nil without dictionaries.
func (t *Triggers) Match(dst []Hit, forms []string, g kind.Gazetteer) []Hit {
	first := len(dst)
	t.words0 = t.words0[:0]
	for i, f := range forms {
		bare := strings.TrimFunc(f, unicode.IsPunct)
		if bare == "" {
			bare = f
		}
		t.words0 = append(t.words0, bare)
		dst = t.word(dst, int32(i), f, bare)
	}
	if g != nil && len(t.phrases) > 0 {
		dst = t.phrase(dst, g)
	}
	if len(t.patterns) > 0 {
		dst = t.pattern(dst, forms)
	}
	return unique(dst, first)
}

func (t *Triggers) word(dst []Hit, i int32, form, bare string) []Hit {
	for k, s := range [...]string{form, bare, strings.ToLower(form), strings.ToLower(bare)} {
		if k > 0 && s == form || k > 1 && s == bare {
			continue
		}
		for _, id := range t.words[s] {
			dst = append(dst, Hit{id, i})
		}
	}
	return dst
}

// phrase finds the longest phrases, from left to right.
func (t *Triggers) phrase(dst []Hit, g kind.Gazetteer) []Hit {
	for i := 0; i < len(t.words0); {
		n, labels := g.Match(t.words0, i)
		for _, l := range labels {
			for _, id := range t.phrases[l] {
				for k := range n {
					dst = append(dst, Hit{id, int32(i + k)})
				}
			}
		}
		i += max(n, 1)
	}
	return dst
}

func (t *Triggers) pattern(dst []Hit, forms []string) []Hit {
	for _, p := range t.patterns {
		for i := 0; i+len(p.items) <= len(forms); i++ {
			if p.start && i > 0 {
				break
			}
			if p.end && i+len(p.items) < len(forms) || !t.matches(&p, forms, i) {
				continue
			}
			for k, item := range p.items {
				if item.slot {
					dst = append(dst, Hit{p.trigger, int32(i + k)})
				}
			}
		}
	}
	return dst
}

func (t *Triggers) matches(p *pattern, forms []string, at int) bool {
	for k, item := range p.items {
		if item.number >= 0 && !t.itemsOf(forms[at+k], t.words0[at+k])[item.number] {
			return false
		}
	}
	return true
}

// itemsOf tells which items of patterns a form matches.
func (t *Triggers) itemsOf(form, bare string) []bool {
	if m, ok := t.known[form]; ok {
		return m
	}
	m := make([]bool, len(t.items))
	for i, re := range t.items {
		m[i] = re.MatchString(form) || re.MatchString(bare)
	}
	if len(t.known) >= mostKnown {
		clear(t.known)
	}
	t.known[strings.Clone(form)] = m
	return m
}

// unique sorts the hits from first on by token and trigger and drops repeated ones.
func unique(hits []Hit, first int) []Hit {
	list := hits[first:]
	sortHits(list)
	k := 0
	for i, h := range list {
		if i == 0 || h != list[i-1] {
			list[k] = h
			k++
		}
	}
	return hits[:first+k]
}
