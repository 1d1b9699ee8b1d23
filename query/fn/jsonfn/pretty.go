package jsonfn

import (
	"context"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// jsonPretty writes JSON with a line for each member. What is longer than a text may be is not built.
func jsonPretty(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	p := prettyJSON{Steps: fn.Steps{Ctx: ctx}, s: string(raw)}
	for p.s != "" && !p.b.Over {
		if err := p.Next(); err != nil {
			return value.Value{}, err
		}
		p.token()
	}
	return p.b.Result()
}

// prettyJSON writes the tokens of valid JSON, which it takes off the front of s.
type prettyJSON struct {
	fn.Steps
	b     fn.TextBuilder
	s     string
	depth int
}

func (p *prettyJSON) token() {
	switch c := p.s[0]; c {
	case ' ', '\t', '\r', '\n':
		p.s = p.s[1:]
	case '{', '[':
		p.s = strings.TrimLeft(p.s[1:], " \t\r\n")
		if p.b.Append(string(c)); p.s[0] == '}' || p.s[0] == ']' {
			p.take(1)
			return
		}
		p.depth++
		p.line()
	case '}', ']':
		p.depth--
		p.line()
		p.take(1)
	case ',':
		p.take(1)
		p.line()
	case ':':
		p.take(1)
		p.b.Append(" ")
	case '"':
		p.take(stringEnd(p.s))
	default:
		n := strings.IndexAny(p.s, ",]} \t\r\n")
		if n < 0 {
			n = len(p.s)
		}
		p.take(n)
	}
}

// take writes the first n bytes as they are.
func (p *prettyJSON) take(n int) {
	p.b.Append(p.s[:n])
	p.s = p.s[n:]
}

// line begins a line.
func (p *prettyJSON) line() {
	p.b.Append("\n")
	p.b.Append(strings.Repeat("    ", p.depth))
}
