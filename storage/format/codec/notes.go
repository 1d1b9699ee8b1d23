package codec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Topic is something that a reader or writer reports with a count: One says it of one, Many of several, with %d for
// the number.
type Topic struct{ One, Many string }

// Notes gathers what a codec reports about files and documents. Several goroutines may add to it.
type Notes struct {
	mu    sync.Mutex
	count map[Topic]int
	place map[Topic]notePlace // the first
}

// notePlace is a place of a file or document.
type notePlace struct {
	name string
	line int // 0 without
}

func (p notePlace) compare(o notePlace) int {
	return cmp.Or(cmp.Compare(p.name, o.name), cmp.Compare(p.line, o.line))
}

// Tell counts n more of a topic, met at a line of a file, or at line 0 of the document of an id.
func (t *Notes) Tell(what Topic, n int, name string, line int) {
	if n == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count == nil {
		t.count, t.place = map[Topic]int{}, map[Topic]notePlace{}
	}
	at := notePlace{name, line}
	if t.count[what] == 0 || at.compare(t.place[what]) < 0 {
		t.place[what] = at
	}
	t.count[what] += n
}

// noted gives the notes of a codec that embeds them.
func (t *Notes) noted() *Notes { return t }

// notices are the sentences that report all of it, the same whatever the order in which it was added.
func (t *Notes) notices() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]string, 0, len(t.count))
	for what, n := range t.count {
		s := what.One
		if n != 1 {
			s = what.Many
		}
		if strings.Contains(s, "%d") {
			s = fmt.Sprintf(s, n)
		}
		at := t.place[what]
		switch {
		case at.line > 0:
			s += fmt.Sprintf(" (the first at %s:%d)", at.name, at.line)
		case at.name != "":
			s += fmt.Sprintf(" (the first in document %s)", at.name)
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// Notices returns what a codec has to report about what it has read or written: what a layer or the format cannot hold,
// with counts.
func Notices(c Codec) []string {
	if t, ok := c.(interface{ notices() []string }); ok {
		return t.notices()
	}
	return nil
}
