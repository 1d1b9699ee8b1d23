// Package feature turns tokens and documents into attributes by templates that are data.
//
// A set is a list of templates, separated by commas, semicolons or line ends; # starts a
// comment. A template is one or more atoms joined by |; an atom is a name with arguments in
// parentheses and, for tokens, an offset in brackets: form[-1]|form[0], suffix(3)[0].
// form[-2..2] stands for one template an offset. A template whose offset falls outside the
// sentence, or whose atom has no value there, gives nothing.
package feature

import (
	"fmt"
	"strconv"
	"strings"

	"parlance/algo/kind"
)

// atom is what a template reads at an offset.
type atom struct {
	column int // of the set
	offset int // in tokens from the present one
}

// template is a conjunction of atoms. With labels of tokens before, the other atoms, or bias
// where there are none, make its static part.
type template struct {
	atoms   []atom
	history History
}

// History is which labels of tokens before a template reads: bit 0 for the last token, bit 1
// for the one before it.
type History uint8

// Order is how many tokens back the labels are, 0 for none.
func (h History) Order() int {
	switch {
	case h&2 != 0:
		return 2
	case h != 0:
		return 1
	}
	return 0
}

// column is a function of a token (or of a document) with text values.
type column struct {
	name string
	args []string
	def  *atomDef
	size int // first argument of prefix, suffix, ngram, …
	from int // offsets of a window
	to   int
}

func (c column) String() string {
	if len(c.args) == 0 {
		return c.name
	}
	return c.name + "(" + strings.Join(c.args, ", ") + ")"
}

// Set is compiled templates. It never changes.
type Set struct {
	columns   []column
	templates []template
	many      []int  // templates with several values a token
	weight    string // of document sets: binary, count, log, tfidf
	norm      string // of document sets: none, l2
	document  bool
}

// Error tells what is wrong with a notation.
type Error struct {
	Offset int // in bytes, 0-based
	Char   int // the same in characters, 1-based
	Msg    string
	Hint   string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("feature templates, character %d: %s", e.Char, e.Msg)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// name is a template as text.
func (s *Set) name(t template) string {
	var parts []string
	for k := 2; k >= 1; k-- {
		if t.history&(1<<(k-1)) != 0 {
			parts = append(parts, "label[-"+strconv.Itoa(k)+"]")
		}
	}
	for _, a := range t.atoms {
		c := s.columns[a.column]
		if s.bare(t) {
			break
		}
		part := c.String()
		if !c.def.document && (!c.def.fixed || a.offset != 0) {
			part += "[" + strconv.Itoa(a.offset) + "]"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "|")
}

// bare reports whether a template reads labels alone.
func (s *Set) bare(t template) bool {
	return t.history != 0 && len(t.atoms) == 1 && t.atoms[0].offset == 0 && s.columns[t.atoms[0].column].name == bias
}

// History returns which labels of tokens before any template reads.
func (s *Set) History() History {
	h := History(0)
	for _, t := range s.templates {
		h |= t.history
	}
	return h
}

// String returns the canonical notation: one template a place, ranges written out.
func (s *Set) String() string {
	parts := make([]string, 0, len(s.templates)+2)
	for _, t := range s.templates {
		parts = append(parts, s.name(t))
	}
	if s.document {
		parts = append(parts, "weight("+s.weight+")", "norm("+s.norm+")")
	}
	return strings.Join(parts, ", ")
}

// Document reports whether the set describes whole documents rather than tokens.
func (s *Set) Document() bool { return s.document }

// UnitLength reports whether the values of a document have the length 1, as norm(l2) says.
func (s *Set) UnitLength() bool { return s.norm == "l2" }

// Columns returns the columns of the tokens layer that are read.
func (s *Set) Columns() []string {
	var out []string
	for _, c := range s.columns {
		if c.def.reads != "" && !contains(out, c.def.reads) {
			out = append(out, c.def.reads)
		}
	}
	return out
}

// Layers returns what must be there to extract: the columns of tokens, nothing for sets that
// read the text of documents alone.
func (s *Set) Layers() []kind.LayerUse {
	cols := s.Columns()
	if cols == nil {
		if s.document {
			return nil
		}
		cols = []string{"form"}
	}
	return []kind.LayerUse{{Layer: "tokens", Columns: cols}}
}

// Resources returns the gazetteers and lexicons that are named.
func (s *Set) Resources() []kind.Resource {
	var out []kind.Resource
	seen := map[kind.Resource]bool{}
	for _, c := range s.columns {
		if c.def.resource == "" {
			continue
		}
		r := kind.Resource{Kind: c.def.resource, Name: c.args[0]}
		if !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}
