package extract

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
)

// Find returns the spans of d that the pattern matches, by sentence, and consolidated. No
// match is empty or leaves its sentence.
//
// Leftmost takes one pass over the rest of a sentence for each match; its cost is tokens times
// instructions. The other policies look at every start. Errors are that of ctx and ErrTooMany.
func (p *Pattern) Find(ctx context.Context, d *text.Document, policy Policy) ([]Span, error) {
	s := newSearch(p, d)
	var out []Span
	for i := 0; i+1 < len(s.bounds); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.sentence(i)
		if policy == Leftmost {
			out = s.leftmost(out)
			continue
		}
		found, err := s.all(ctx, maxMatches-len(out))
		if err != nil {
			return nil, err
		}
		out = append(out, Consolidate(found, policy)...)
	}
	return out, nil
}

// maxMatches bounds the matches and the paths of one document.
const maxMatches = 1 << 20

// ErrTooMany is that a document has more matches or paths than are kept.
var ErrTooMany = fmt.Errorf("a document has more than %d matches", maxMatches)

// Matches reports whether a sentence of d holds a match.
func (p *Pattern) Matches(d *text.Document) bool {
	s := newSearch(p, d)
	for i := 0; i+1 < len(s.bounds); i++ {
		s.sentence(i)
		if _, _, ok := s.first(0); ok {
			return true
		}
	}
	return false
}

// search is the state of a pattern over a document. Positions are tokens of the sentence,
// 0-based; n is its end.
type search struct {
	p       *Pattern
	bounds  []int32
	columns map[string][]string
	ends    []map[int32][]int32 // of each spec: for a row where a span starts the rows after its ends, the farthest first
	base, n int32
	words   int        // of a set of instructions
	seen    []uint64   // instructions reached, a set a position
	roots   [][]thread // instructions to follow, by position
	runs    [][]thread // instructions that consume, by position
}

// thread is an instruction that a match beginning at start has come to.
type thread struct{ pc, start int32 }

func newSearch(p *Pattern, d *text.Document) *search {
	s := &search{p: p, bounds: d.SentenceTokens(), columns: map[string][]string{}, words: (len(p.prog) + 63) / 64}
	if toks := d.Layer("tokens"); toks != nil {
		for _, c := range tokenColumns() {
			if c != deprel {
				s.columns[c] = toks.Strs(c)
			}
		}
		s.columns[deprel] = relations(d, s.bounds, toks.N)
	}
	for _, sp := range p.specs {
		s.ends = append(s.ends, spanEnds(d, sp, s.bounds))
	}
	return s
}

// relations lays the relations of the layer dependencies out by row of tokens.
func relations(d *text.Document, bounds []int32, n int) []string {
	l := d.Layer("dependencies")
	if l == nil {
		return nil
	}
	out := make([]string, n)
	sent, tok, rel := l.Ints("sent"), l.Ints("tok"), l.Strs("deprel")
	for i := range min(l.N, len(sent), len(tok), len(rel)) {
		if r, ok := row(bounds, sent[i], tok[i]); ok {
			out[r] = rel[i]
		}
	}
	return out
}

// row returns the row of a token, if there is one.
func row(bounds []int32, sent, tok int32) (int32, bool) {
	if sent < 1 || int(sent) >= len(bounds) || tok < 1 || tok > bounds[sent]-bounds[sent-1] {
		return 0, false
	}
	return bounds[sent-1] + tok - 1, true
}

// spanEnds indexes the spans of a layer that have one of the labels. The label of a layer is
// its column label, or kind.
func spanEnds(d *text.Document, sp spec, bounds []int32) map[int32][]int32 {
	l := d.Layer(sp.layer)
	if l == nil {
		return nil
	}
	labels := l.Strs("label")
	if l.Def.Index("label") < 0 {
		labels = l.Strs("kind")
	}
	sent, first, last := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end")
	out := map[int32][]int32{}
	for i := range min(l.N, len(sent), len(first), len(last)) {
		from, ok := row(bounds, sent[i], first[i])
		to, ok2 := row(bounds, sent[i], last[i])
		if !ok || !ok2 || to < from || len(sp.labels) > 0 && (i >= len(labels) || !slices.Contains(sp.labels, labels[i])) {
			continue
		}
		out[from] = append(out[from], to+1)
	}
	for from, ends := range out {
		slices.SortFunc(ends, func(a, b int32) int { return cmp.Compare(b, a) })
		out[from] = slices.Compact(ends)
	}
	return out
}

// sentence chooses the sentence, 0-based.
func (s *search) sentence(i int) {
	s.base = s.bounds[i]
	s.n = s.bounds[i+1] - s.base
	if size := (int(s.n) + 1) * s.words; len(s.seen) < size {
		s.seen = make([]uint64, size)
	}
	for len(s.roots) <= int(s.n) {
		s.roots, s.runs = append(s.roots, nil), append(s.runs, nil)
	}
}

func (s *search) column(name string) []string { return s.columns[name] }

// passes tests the token at a position.
func (s *search) passes(t *test, pos int32) bool {
	return t.eval(int(s.base+pos), s.column) > 0
}

// mark adds an instruction to those reached at a position; false if it was there.
func (s *search) mark(pos, pc int32) bool {
	w := &s.seen[int(pos)*s.words+int(pc>>6)]
	bit := uint64(1) << (pc & 63)
	if *w&bit != 0 {
		return false
	}
	*w |= bit
	return true
}

func (s *search) addThread(pos int32, a thread) {
	s.roots[pos] = append(s.roots[pos], a)
}

// clear empties the sets of positions from..n.
func (s *search) clear(from int32) {
	clear(s.seen[int(from)*s.words : (int(s.n)+1)*s.words])
	for pos := from; pos <= s.n; pos++ {
		s.roots[pos], s.runs[pos] = s.roots[pos][:0], s.runs[pos][:0]
	}
}

// follow goes from an instruction at a position to those that consume, and reports whether it
// meets the end of the pattern.
func (s *search) follow(pos int32, a thread, stack []int32) (bool, []int32) {
	matched := false
	stack = append(stack[:0], a.pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !s.mark(pos, pc) {
			continue
		}
		switch in := &s.p.prog[pc]; in.code {
		case codeToken, codeSpan:
			s.runs[pos] = append(s.runs[pos], thread{pc, a.start})
		case codeSplit:
			stack = append(stack, in.y, in.x)
		case codeSave:
			stack = append(stack, in.x)
		case codeStart:
			if pos == 0 {
				stack = append(stack, in.x)
			}
		case codeEnd:
			if pos == s.n {
				stack = append(stack, in.x)
			}
		case codeMatch:
			matched = true
		}
	}
	return matched, stack
}

// step moves what consumes at a position on.
func (s *search) step(pos int32) {
	if pos == s.n {
		return
	}
	for _, a := range s.runs[pos] {
		in := &s.p.prog[a.pc]
		if in.code == codeToken {
			if s.passes(in.test, pos) {
				s.addThread(pos+1, thread{in.x, a.start})
			}
			continue
		}
		for _, end := range s.ends[in.slot][s.base+pos] {
			s.addThread(end-s.base, thread{in.x, a.start})
		}
	}
}

// first returns the leftmost match from a position on, of these the longest. Of the matches
// that come to one instruction at one position only the one that starts first goes on: what
// the others find there it finds, too.
func (s *search) first(from int32) (start, end int32, ok bool) {
	s.clear(from)
	start = s.n + 1
	var stack []int32
	for pos := from; pos <= s.n; pos++ {
		if !ok {
			s.addThread(pos, thread{s.p.start, pos})
		}
		here := s.roots[pos]
		slices.SortStableFunc(here, func(a, b thread) int { return cmp.Compare(a.start, b.start) })
		for _, a := range here {
			if a.start > start {
				continue
			}
			var matched bool
			if matched, stack = s.follow(pos, a, stack); matched && pos > a.start {
				start, end, ok = a.start, pos, true
			}
		}
		s.step(pos)
	}
	return start, end, ok
}

// leftmost appends the matches of the sentence from left to right.
func (s *search) leftmost(out []Span) []Span {
	for from := int32(0); from < s.n; {
		start, end, ok := s.first(from)
		if !ok {
			break
		}
		out = append(out, s.span(start, end))
		from = end
	}
	return out
}

// all returns the match of every start and end.
func (s *search) all(ctx context.Context, most int) (out []Span, err error) {
	var stack []int32
	for start := range s.n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) > most {
			return nil, ErrTooMany
		}
		s.clear(start)
		s.addThread(start, thread{s.p.start, start})
		var ends []int32
		for pos := start; pos <= s.n; pos++ {
			found := false
			for _, a := range s.roots[pos] {
				var matched bool
				matched, stack = s.follow(pos, a, stack)
				found = found || matched
			}
			if found && pos > start {
				ends = append(ends, pos)
			}
			s.step(pos)
		}
		for _, end := range ends {
			out = append(out, s.span(start, end))
		}
	}
	return out, nil
}

func (s *search) span(start, end int32) Span {
	out := Span{Range: Range{s.base + start, s.base + end}}
	if len(s.p.groups) > 0 {
		out.Groups = s.groups(start, end)
	}
	return out
}
