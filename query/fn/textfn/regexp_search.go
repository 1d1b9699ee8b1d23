package textfn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"

	"parlance/query/fn"
)

// Pattern is a regular expression (RE2). Its searches end with their context, however long the text.
type Pattern struct {
	*regexp.Regexp
	size int // instructions; a search takes time proportional to size times the bytes of the text
	// later finds the first match that begins behind the first code point of a text, as its group 1
	later func() (*regexp.Regexp, error)
}

// patterns are kept for the next call, as many as have this many instructions together.
var patterns struct {
	sync.Mutex
	m    map[string]*Pattern
	size int
}

// Bounds of patterns: the length of one in bytes, and the instructions of those that are kept.
const (
	longestPattern = 100_000
	patternsKept   = 1 << 20
)

// ErrEscape is what is wrong with a pattern of LIKE that ends with a character that takes the next one as it is.
var ErrEscape = errors.New("the pattern ends with its escape, which takes the next character as it is")

// Regexp returns the compiled pattern, kept for the next call.
func Regexp(pattern string) (*Pattern, error) {
	if len(pattern) > longestPattern {
		return nil, &fn.Fault{Code: "54001", Msg: fmt.Sprintf("a pattern of %d bytes is too long", len(pattern)),
			Hint: fmt.Sprintf("patterns have %d bytes at most", longestPattern)}
	}
	patterns.Lock()
	p := patterns.m[pattern]
	patterns.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := compile(pattern)
	if err != nil {
		return nil, &fn.Fault{Code: "2201B", Msg: fmt.Sprintf("regular expression '%s': %s", pattern,
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))}
	}
	patterns.Lock()
	defer patterns.Unlock()
	if patterns.m == nil || len(patterns.m) >= 1000 || patterns.size+p.size > patternsKept {
		patterns.m, patterns.size = map[string]*Pattern{}, 0
	}
	if patterns.m[pattern] == nil {
		patterns.m[pattern] = p
		patterns.size += p.size
	}
	return p, nil
}

func compile(pattern string) (*Pattern, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	return &Pattern{Regexp: re, size: len(prog.Inst), later: sync.OnceValues(func() (*regexp.Regexp, error) {
		return regexp.Compile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`) // pattern may end within a quotation
	})}, nil
}

// longSearch is the work, in instructions times bytes, from which on a search looks at its context: some
// ten milliseconds.
var longSearch = 1 << 21

// Matches reports whether the text has a match.
func (p *Pattern) Matches(ctx context.Context, s string) (bool, error) {
	if ctx == nil || len(s) < longSearch/p.size {
		return p.MatchString(s), nil
	}
	if prefix, _ := p.LiteralPrefix(); !strings.Contains(s, prefix) {
		return false, ctx.Err()
	}
	r := &codePoints{ctx: ctx, s: s}
	found := p.MatchReader(r)
	return found, r.err
}

// Find returns the bounds of the first n matches, of all for a negative n, and of their groups, as
// regexp.Regexp.FindAllStringSubmatchIndex does.
func (p *Pattern) Find(ctx context.Context, s string, n int) ([][]int, error) {
	if ctx == nil || len(s) < longSearch/p.size {
		return p.FindAllStringSubmatchIndex(s, n), nil
	}
	var out [][]int
	err := p.each(ctx, s, 0, n, func(m []int) error {
		if len(out) == fn.MaxItems {
			return fmt.Errorf("the regular expression matches more than %d times", fn.MaxItems)
		}
		out = append(out, m)
		return nil
	})
	return out, err
}

// each calls f with the matches that Find returns, one after the other, if they begin at byte from or behind it.
func (p *Pattern) each(ctx context.Context, s string, from, n int, f func([]int) error) error {
	if ctx == nil {
		ctx = context.Background()
	}
	if from == 0 && len(s) < longSearch/p.size {
		for _, m := range p.FindAllStringSubmatchIndex(s, n) {
			if err := f(m); err != nil {
				return err
			}
		}
		return nil
	}
	if prefix, _ := p.LiteralPrefix(); !strings.Contains(s, prefix) {
		return ctx.Err()
	}
	r := &codePoints{ctx: ctx}
	for end := -1; from <= len(s) && n != 0; {
		m, err := p.next(r, s, from)
		if m == nil || err != nil {
			return err
		}
		if from = m[1]; m[0] == m[1] {
			from += width(s[m[1]:])
		}
		if m[1] > m[0] || m[0] != end { // an empty match behind a match is none
			if err := f(m); err != nil {
				return err
			}
			n--
		}
		end = m[1]
	}
	return nil
}

// next returns the first match that begins at byte from or behind it, nil for none.
func (p *Pattern) next(r *codePoints, s string, from int) ([]int, error) {
	re, skip := p.Regexp, 0
	if from > 0 { // begin one code point before, which \b and (?m)^ look at
		_, skip = utf8.DecodeLastRuneInString(s[:from])
		var err error
		if re, err = p.later(); err != nil {
			return nil, fmt.Errorf("regular expression: %w", err)
		}
	}
	r.s, r.at = s[from-skip:], 0
	m := re.FindReaderSubmatchIndex(r)
	if r.err != nil || m == nil {
		return nil, r.err
	}
	if from > 0 {
		m = m[2:]
	}
	for i := range m {
		if m[i] >= 0 {
			m[i] += from - skip
		}
	}
	return m, nil
}

// width is the number of bytes of the first code point; 1 for an empty text.
func width(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return max(n, 1)
}

// codePoints reads a text until its context ends.
type codePoints struct {
	ctx context.Context
	s   string
	at  int
	n   uint // that were read
	err error
}

func (r *codePoints) ReadRune() (rune, int, error) {
	if r.n++; r.n%1024 == 0 && r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.at >= len(r.s) || r.err != nil {
		return 0, 0, io.EOF
	}
	c, n := rune(r.s[r.at]), 1
	if c >= utf8.RuneSelf {
		c, n = utf8.DecodeRuneInString(r.s[r.at:])
	}
	r.at += n
	return c, n, nil
}
