package repl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// branches are the \if that have begun, the inner ones last.
type branches []branch

// branch is where an \if is.
type branch struct {
	on     bool // what stands here is wanted
	taken  bool // a branch of it was wanted, or all of it is not
	behind bool // \else
}

// conditional tells whether a command says what is run.
func conditional(name string) bool {
	return slices.Contains([]string{`\if`, `\elif`, `\else`, `\endif`}, name)
}

// on tells whether what stands here is wanted.
func (b branches) on() bool { return len(b) == 0 || b[len(b)-1].on }

// asks tells whether a command decides by its words what is wanted.
func (b branches) asks(name string) bool {
	return name == `\elif` && len(b) > 0 && !b[len(b)-1].taken
}

// condition follows a command such as \if; failed is what is wrong with its words.
func (b *branches) condition(words []string, failed error) error {
	if words[0] == `\if` {
		if !b.on() {
			*b = append(*b, branch{taken: true})
			return nil
		}
		is, err := truthOf(words, failed)
		*b = append(*b, branch{on: is, taken: is})
		return err
	}
	if len(*b) == 0 {
		return fmt.Errorf(`%s: no matching \if`, words[0])
	}
	top := &(*b)[len(*b)-1]
	if words[0] == `\endif` {
		*b = (*b)[:len(*b)-1]
		return nil
	}
	if top.behind {
		return fmt.Errorf(`%s: cannot occur after \else`, words[0])
	}
	is := !top.taken
	var err error
	if top.behind = words[0] == `\else`; !top.behind && is {
		is, err = truthOf(words, failed)
	}
	top.on, top.taken = is, top.taken || is
	return err
}

// truthOf is what the words behind \if or \elif say.
func truthOf(words []string, failed error) (bool, error) {
	if failed != nil {
		return false, failed
	}
	said := strings.Join(words[1:], " ")
	is, ok := boolean(said)
	if !ok {
		return false, fmt.Errorf("unrecognized value %q for %s: it takes true, false, yes, no, on, off, 1 or 0", said,
			words[0])
	}
	return is, nil
}

// errNoEndif is the error of a script that ends within a branch.
var errNoEndif = errors.New(`reached the end without \endif`)
