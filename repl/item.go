package repl

import (
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// item is a script or statements of the command line, or what standard input holds.
type item struct {
	name   string // in messages
	text   string
	script bool // name is the path of a file that holds the text, - for standard input
	stdin  bool // the text is standard input
}

// mapper reads a flag that names a script or gives statements, and keeps their order.
func (s *streams) mapper(script bool) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var v string
		if t := ctx.Scan.Peek(); !script && comment(t.Value) {
			v = ctx.Scan.Pop().String()
		} else if err := ctx.Scan.PopValueInto("string", &v); err != nil {
			return err
		}
		it := item{name: "command", text: v}
		if script {
			it = item{name: v, script: true}
		}
		s.items = append(s.items, it)
		target.Set(reflect.Append(target, reflect.ValueOf(v)))
		return nil
	})
}

// comment reports whether an argument is no flag but statements that begin with a comment.
func comment(arg any) bool {
	s, ok := arg.(string)
	return ok && strings.HasPrefix(s, "--") && (len(s) == 2 || strings.ContainsAny(s[2:3], " \t\r\n-"))
}

// texts returns what is to be run, scripts having been read but for standard input.
func (s *streams) texts() ([]item, error) {
	out := append([]item(nil), s.items...)
	if len(out) == 0 {
		out = []item{{name: "-", script: true}}
	}
	for i := range out {
		if !out[i].script {
			continue
		}
		if out[i].name == "-" {
			out[i] = item{name: "stdin", stdin: true}
			continue
		}
		text, err := os.ReadFile(out[i].name)
		if err != nil {
			return nil, err
		}
		out[i].text = string(text)
	}
	return out, nil
}
