package check

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"parlance/algo/text"
)

// Finding is one thing found, or the count of those that were left out.
type Finding struct {
	Severity Severity
	Rule     string
	Document string // id, "" if it is about the corpus
	Place    string // such as "entities sent 3, tok 4-5", "" if none
	Message  string // what is wrong and what would be right
	Count    int    // 1, or how many were left out
	order    int    // findings of a rule are sorted by it
}

// Checker gathers findings over passes through the same documents in the same order: Add each
// document, then Next; while that is true, pass again. Its memory does not grow with the
// number of findings, and with that of documents only by their sizes.
type Checker struct {
	Options
	// ID names a document by its sequence number.
	ID func(seq uint64) string
	// Learns limits the columns of labels that are counted; nil for all.
	Learns func(layer, column string) bool

	want    []bool // by rule
	found   []findings
	all     []detector
	active  []detector
	ordinal int // of the document at hand, from 0
}

// findings are those of one rule: the first by order, and how many there were.
type findings struct {
	list  []Finding
	total int
}

// detector looks for what one or more rules describe.
type detector interface {
	add(d *view)
	// finish ends a pass and asks whether another one is needed.
	finish() (again bool)
}

// detectors lists the makers with their rules; one is made if any of its rules is wanted.
var detectors = []struct {
	rules string
	make  func(c *Checker, documents int) detector
}{
	{"empty-document no-sentences no-tokens huge-document", newSizes},
	{"split-duplicate split-near-duplicate duplicate near-duplicate", newDuplicates},
	{"invalid-utf8 replacement-character mojibake control-character byte-order-mark surrogate-escape " +
		"character-reference mixed-script whitespace", newEncoding},
	{"sentence-order long-sentence", newSentences},
	{"token-number token-offsets token-overlap token-gap token-space token-form", newTokens},
	{"span-bounds span-empty span-offsets span-inside-token span-order span-duplicate span-crossing " +
		"span-nested span-label", newSpans},
	{"tree-head tree-incomplete tree-no-root tree-roots tree-cycle tree-label tree-crossing", newTrees},
	{"phrase-parent phrase-crossing", newPhrases},
	{"mention-single", newMentions},
	{"span-parts mention-empty", newNoted},
	{"label-missing-in-train label-rare", newLabels},
	{"label-inconsistent", newConsistency},
}

// New returns a checker for about as many documents as given. With a layer named, rules about
// documents and texts rest unless they are named too.
func New(o Options, documents int) *Checker {
	c := &Checker{Options: o, want: make([]bool, len(rules)), found: make([]findings, len(rules))}
	for i, r := range rules {
		c.want[i] = len(o.Rules) == 0 && (o.Layer == "" || r.About != "documents" && r.About != "text") ||
			slices.Contains(o.Rules, r.Name)
	}
	for _, d := range detectors {
		if slices.ContainsFunc(strings.Fields(d.rules), c.Wants) {
			c.all = append(c.all, d.make(c, documents))
		}
	}
	c.active = c.all
	return c
}

// Wants reports whether a rule is followed.
func (c *Checker) Wants(rule string) bool { return c.want[ruleIndex(rule)] }

// reads reports whether findings about a layer are wanted.
func (c *Checker) reads(layer string) bool { return c.Layer == "" || c.Layer == layer }

// Add looks at a document of a split.
func (c *Checker) Add(d *text.Document, split string) {
	v := newView(d, split)
	for _, x := range c.active {
		x.add(v)
	}
	c.ordinal++
}

// Next ends a pass and reports whether another one is needed.
func (c *Checker) Next() bool {
	var again []detector
	for _, x := range c.active {
		if x.finish() {
			again = append(again, x)
		}
	}
	c.active, c.ordinal = again, 0
	return len(again) > 0
}

// report notes a finding about a document; place may be empty.
func (c *Checker) report(rule string, d *view, place, format string, args ...any) {
	c.note(rule, c.ordinal, func() Finding {
		return Finding{Document: d.ID, Place: place, Message: fmt.Sprintf(format, args...)}
	})
}

// note counts a finding and makes it if it may be among the first.
func (c *Checker) note(rule string, order int, make func() Finding) {
	i := ruleIndex(rule)
	if !c.want[i] {
		return
	}
	f := &c.found[i]
	f.total++
	if len(f.list) >= c.Limit && (c.Limit == 0 || order >= f.list[len(f.list)-1].order) {
		return
	}
	x := make()
	x.Rule, x.Severity, x.Count, x.order = rule, rules[i].Severity, 1, order
	at := sort.Search(len(f.list), func(k int) bool { return f.list[k].order > order })
	f.list = slices.Insert(f.list, at, x)
	f.list = f.list[:min(len(f.list), c.Limit)]
}

// Damage reports damage of the file.
func (c *Checker) Damage(msg string) {
	c.note(Storage, c.found[0].total, func() Finding {
		return Finding{Message: msg + "; restore a backup, or COPY what can be read into a new database"}
	})
}

// Total is how often a rule was broken.
func (c *Checker) Total(rule string) int { return c.found[ruleIndex(rule)].total }

// Findings returns what was found, by rule, then in the order of documents; a last row a rule
// counts what Limit left out.
func (c *Checker) Findings() []Finding {
	var out []Finding
	for i, f := range c.found {
		out = append(out, f.list...)
		if n := f.total - len(f.list); n > 0 {
			left := fmt.Sprintf("%d more", n)
			if len(f.list) == 0 {
				left = count(n, "finding", "findings")
			}
			out = append(out, Finding{Severity: rules[i].Severity, Rule: rules[i].Name, Count: n,
				Message: fmt.Sprintf("%s; WITH (rules = ('%s'), limit = %d) lists all", left, rules[i].Name,
					min(f.total, maxLimit))})
		}
	}
	return out
}

// excerpt quotes a text, shortened to some characters.
func excerpt(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		n := 0
		for i := range s {
			if n++; n > most {
				s = s[:i] + "…"
				break
			}
		}
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' {
			return '␣'
		}
		return r
	}, s)
	return "'" + s + "'"
}

// count puts a number before a noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
