package repl

import (
	"context"
	"fmt"
	"strings"
)

// onOrOff is what a command without or with on or off makes of what is on or not.
func onOrOff(words []string, is bool) (bool, error) {
	if len(words) == 1 {
		return !is, nil
	}
	on, ok := boolean(words[1])
	if !ok {
		return is, fmt.Errorf("%s takes on or off, not %s", words[0], quoted(words[1]))
	}
	return on, nil
}

func (sh *shell) setTiming(_ context.Context, words []string) (err error) {
	if sh.timing, err = onOrOff(words, sh.timing); err == nil {
		sh.say("Timing is %s.", onOff(sh.timing))
	}
	return err
}

// setLook sets an option of how rows are shown and reports it.
func (sh *shell) setLook(name, value string, given bool) error {
	o, err := lookNamed(name)
	if err == nil {
		err = o.change(&sh.look, value, given)
	}
	if err == nil {
		sh.say("%s", o.report(&sh.look))
	}
	return err
}

func (sh *shell) setTuples(_ context.Context, words []string) error {
	return sh.setLook("tuples_only", word(words, 1), len(words) > 1)
}

func (sh *shell) expand(_ context.Context, words []string) error {
	return sh.setLook("expanded", word(words, 1), len(words) > 1)
}

// align turns between tables and unaligned rows.
func (sh *shell) align(context.Context, []string) error {
	if sh.look.format == "table" {
		return sh.setLook("format", "unaligned", true)
	}
	return sh.setLook("format", "table", true)
}

func (sh *shell) separate(_ context.Context, words []string) error {
	if len(words) == 1 {
		sh.say("Field separator is %q.", sh.look.fieldsep)
		return nil
	}
	return sh.setLook("fieldsep", words[1], true)
}

// setFormat chooses a format, as --format does.
func (sh *shell) setFormat(_ context.Context, words []string) error {
	if err := sh.look.setFormat(word(words, 1)); err != nil {
		return err
	}
	if words[1] == "table" {
		sh.look.expanded = sh.look.usual
	}
	return nil
}

// pset shows or sets how rows are shown.
func (sh *shell) pset(_ context.Context, words []string) error {
	if len(words) == 1 {
		var b strings.Builder
		for _, name := range lookNames() {
			value := onOff(sh.pager != nil)
			if name != "pager" {
				o, err := lookNamed(name)
				if err != nil {
					return err
				}
				value = o.get(&sh.look)
			}
			fmt.Fprintf(&b, "%-23s %s\n", name, value)
		}
		_, err := fmt.Fprint(sh.s.out, b.String())
		return err
	}
	if words[1] == "pager" {
		return sh.setPager(words[1:])
	}
	return sh.setLook(words[1], word(words, 2), len(words) > 2)
}

// setPager turns the pager on or off, or over.
func (sh *shell) setPager(words []string) error {
	on, err := onOrOff(words, sh.pager != nil)
	if err != nil {
		return err
	}
	sh.pager = nil
	if on {
		sh.pager = newPager(sh.s.out)
	}
	sh.say("Pager usage is %s.", onOff(sh.pager != nil))
	return nil
}
