package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// shownFlags are the flags that say how rows are shown and what variables are set, by psql's names.
type shownFlags struct {
	Format    string   `enum:"${formats}" default:"table" help:"How rows are shown: ${enum}."`
	NoAlign   bool     `short:"A" name:"no-align" help:"Show rows unaligned, as --format unaligned does."`
	CSV       bool     `name:"csv" help:"Show rows as CSV, as --format csv does."`
	Separator string   `short:"F" name:"field-separator" default:"|" help:"What separates the columns of unaligned rows, ${default} by default." placeholder:"TEXT"`
	Tuples    bool     `short:"t" name:"tuples-only" help:"Show rows alone, without names and number."`
	Expanded  bool     `short:"x" help:"Show rows of tables as vertical."`
	Pset      []string `short:"P" sep:"none" help:"How rows are shown, as \\pset does: ${looks}." placeholder:"NAME=VALUE"`
	Output    string   `short:"o" help:"File that takes rows." placeholder:"FILE"`
	Quiet     bool     `short:"q" help:"Show no tags such as INSERT 3."`
	EchoAll   bool     `short:"a" name:"echo-all" help:"Show each line of scripts before it runs, as \\set ECHO all does."`
	Echo      bool     `short:"e" name:"echo-queries" help:"Show each statement before it runs, as \\set ECHO queries does."`
	Variable  []string `short:"v" sep:"none" help:"Set a variable of scripts and of the shell, as \\set does; may be repeated." placeholder:"NAME=VALUE"`
}

// look is how rows are shown at first.
func (f *shownFlags) look() look {
	l := newLook(f.Format)
	if f.NoAlign {
		l.format = "unaligned"
	}
	if f.CSV {
		l.format = "csv"
	}
	if f.Expanded {
		l.expanded = "on"
	}
	l.bare, l.fieldsep = f.Tuples, f.Separator
	return l
}

// apply does what the flags say.
func (f *shownFlags) apply(sh *shell) error {
	for _, p := range f.Pset {
		name, value, given := strings.Cut(p, "=")
		o, err := lookNamed(name)
		if err == nil {
			err = o.change(&sh.look, value, given)
		}
		if err != nil {
			return fmt.Errorf("--pset %s: %w", p, err)
		}
	}
	if f.Quiet {
		sh.vars.values["QUIET"] = "on"
	}
	if f.Echo {
		sh.vars.values["ECHO"] = "queries"
	}
	if f.EchoAll {
		sh.vars.values["ECHO"] = "all"
	}
	for _, v := range f.Variable {
		name, value, given := strings.Cut(v, "=")
		if !given {
			sh.vars.unset(name)
		} else if err := sh.vars.set(name, value); err != nil {
			return fmt.Errorf("--variable %s: %w", v, err)
		}
	}
	if f.Output == "" {
		return nil
	}
	return sh.redirect(f.Output)
}

// shell runs the shell over a session.
func (f *shownFlags) shell(ctx context.Context, conn session, s *streams) error {
	sh := newShell(conn, s, f.look())
	if err := f.apply(sh); err != nil {
		return errors.Join(err, sh.close())
	}
	return sh.shell(ctx)
}
