package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// current is what has begun and not ended, without blanks around it, else the last statement that ran; "" for none.
func (sh *shell) current() string {
	if text := strings.TrimSpace(sh.src.text.String()); sh.src.begun {
		return text
	}
	return strings.TrimSpace(sh.last)
}

// pending takes what has begun to be run, else the last statement.
func (sh *shell) pending(command string) (*entry, error) {
	e := &entry{text: sh.last, at: sh.at}
	if sh.src.begun {
		e = &entry{text: sh.src.text.String(), at: sh.src.start}
		sh.src.reset()
	}
	if e.text == "" {
		return nil, fmt.Errorf("%s runs the statement before it, or the last one; there is none", command)
	}
	sh.last = e.text
	return e, nil
}

// runTo runs a statement with its rows in a file, or shown as vertical.
func (sh *shell) runTo(ctx context.Context, words []string) (err error) {
	e, err := sh.pending(words[0])
	if err != nil {
		return err
	}
	if name := word(words, 1); name != "" {
		back, err := sh.divert(name)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, back()) }()
	}
	if words[0] == `\gx` {
		was := sh.look
		sh.look.expanded = "on"
		defer func() { sh.look = was }()
	}
	sh.statements(ctx, e)
	return err
}

// runInto runs a statement and keeps the columns of its only row in variables; those of NULL are removed.
func (sh *shell) runInto(ctx context.Context, words []string) error {
	return sh.taking(ctx, words[0], func(rows rows) error {
		if !rows.Next() {
			return errors.Join(rows.Err(), errors.New(`no rows returned for \gset`))
		}
		row := slices.Clone(rows.Values())
		if rows.Next() {
			return errors.New(`more than one row returned for \gset`)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		return sh.vars.row(word(words, 1), rows.Columns(), row)
	})
}

// taking runs a statement whose rows a function takes.
func (sh *shell) taking(ctx context.Context, command string, take func(rows) error) error {
	e, err := sh.pending(command)
	if err != nil {
		return err
	}
	sh.take = take
	defer func() { sh.take = nil }()
	sh.statements(ctx, e)
	return nil
}

// runEach runs a statement, then what its rows hold.
func (sh *shell) runEach(ctx context.Context, words []string) error {
	var made []string
	failures := sh.failures
	err := sh.taking(ctx, words[0], func(rows rows) error {
		for rows.Next() {
			for _, v := range rows.Values() {
				if !v.IsNull() {
					made = append(made, v.String())
				}
			}
		}
		return rows.Err()
	})
	if err != nil || sh.failures > failures {
		return err
	}
	for _, text := range made {
		sh.statements(ctx, &entry{text: text, at: sh.at})
		if sh.ended {
			break
		}
	}
	return nil
}

func (sh *shell) printStatement(context.Context, []string) error {
	_, err := fmt.Fprintln(onScreen(sh.s.out), cmp.Or(sh.current(), "Query buffer is empty."))
	return err
}

func (sh *shell) forget(context.Context, []string) error {
	sh.src.reset()
	sh.say("Query buffer reset (cleared).")
	return nil
}

func (sh *shell) writeStatement(_ context.Context, words []string) error {
	if len(words) == 1 {
		return errors.New(`\w needs the name of a file`)
	}
	return os.WriteFile(words[1], []byte(sh.current()+"\n"), 0o666)
}

// edit opens the statement, or a script, in an editor and runs what was written.
func (sh *shell) edit(ctx context.Context, words []string) (err error) {
	if sh.terminal == nil {
		return errors.New(`\e needs a terminal`)
	}
	script := word(words, 1)
	name := script
	if name == "" {
		f, err := os.CreateTemp("", "parlance-*.sql")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
		_, err = io.WriteString(f, sh.current())
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		name = f.Name()
	}
	editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, editor, name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = sh.s.in, sh.s.out, sh.s.err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w; EDITOR names another one", editor, err)
	}
	text, err := os.ReadFile(name)
	if err != nil || strings.TrimSpace(string(text)) == "" {
		return err
	}
	sh.src.reset()
	sh.last = string(text)
	fmt.Fprintln(sh.s.out, strings.TrimRight(sh.last, "\n"))
	sh.script(ctx, cmp.Or(script, sh.src.name), strings.NewReader(sh.last))
	return nil
}

// watch runs a statement again and again, until Ctrl-C or an error.
func (sh *shell) watch(ctx context.Context, words []string) error {
	pause, err := strconv.ParseFloat(cmp.Or(word(words, 1), "2"), 64)
	if err != nil || pause < 0.1 || pause > 86400 {
		return errors.New(`\watch takes seconds from 0.1 to 86400`)
	}
	e, err := sh.pending(words[0])
	if err != nil {
		return err
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	pager := sh.pager
	sh.pager = nil
	defer func() { sh.pager = pager }()
	for {
		fmt.Fprintf(sh.s.out, "%s (every %g s)\n", time.Now().Format(time.DateTime), pause)
		if err := sh.part(ctx, sh.src.name, e); err != nil {
			if ctx.Err() == nil {
				sh.fail(err)
				sh.restore(ctx)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(pause * float64(time.Second))):
		}
	}
}
