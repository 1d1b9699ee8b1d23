package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"parlance/db"

	"github.com/reeflective/readline"
	"golang.org/x/term"
)

// shell reads statements and shows what they give.
type shell struct {
	*runner
	s        *streams
	read     func(prompt string) (string, error)
	terminal *term.State // as it was; nil if standard input is none
	failed   error       // the last error of a statement or command
	failures int         // number of errors
	ended    bool        // \q, or there is no session any more
	last     string      // the statements that ran last
	scripts  int         // \i that run, one in the other
}

// newShell returns a shell; place tells what database it is on.
func newShell(conn session, place string, s *streams) *shell {
	sh := &shell{runner: newRunner(conn, s, "table"), s: s}
	if f, ok := s.in.(*os.File); ok && isTerminal(s.in) {
		if st, err := term.GetState(int(f.Fd())); err == nil {
			sh.terminal = st
		}
		if dumb() {
			sh.read = sh.plain
		} else {
			sh.read = terminal(&completer{sh.conn, &sh.quiet}, sh.suspend)
		}
		sh.pager = newPager(s.out)
		fmt.Fprintf(s.out, "parlance %s: %s\nStatements end with ; and \\? helps.\n", db.Version, place)
		return sh
	}
	in := bufio.NewReader(s.in)
	sh.conn.Stdin(in) // LOAD STDIN reads what follows its statement
	sh.read = func(string) (string, error) {
		line, err := in.ReadString('\n')
		if err == io.EOF && line != "" {
			err = nil
		}
		return strings.TrimRight(line, "\r\n"), err
	}
	return sh
}

// terminal edits statements of several lines, with a history that is kept.
func terminal(c *completer, suspend func()) func(string) (string, error) {
	rl := readline.NewShell()
	rl.Config.Vars["cursor-position-probe"] = false // keys that arrive with the terminal's answer would be lost
	rl.Config.Vars["enable-bracketed-paste"] = true // a text with tabs and line ends comes as it is, to be looked at before it runs
	insertCharacters(rl)
	bindSuspend(rl, suspend)
	prompt := ""
	rl.Prompt.Primary(func() string { return prompt })
	rl.Prompt.Secondary(func() string { return "       -> " })
	rl.AcceptMultiline = func(typed []rune) bool { return whole(string(typed)) }
	rl.Completer = c.offer
	rl.Config.Vars["menu-complete-display-prefix"] = true // Tab completes as far as is clear and lists the rest
	if dir := stateDir(); dir != "" && os.MkdirAll(dir, 0o700) == nil {
		rl.History.Add("statements", newHistory(filepath.Join(dir, "history")))
	}
	return func(p string) (string, error) {
		prompt = p
		fmt.Print("\n\x1b[A") // on the last row of the screen the prompt would be drawn over the row above
		return rl.Readline()
	}
}

// whole reports whether what was typed can be run: statements to their end, a command, or nothing.
func whole(typed string) bool {
	var g gather
	for line := range strings.SplitSeq(typed, "\n") {
		g.add(line)
	}
	return !g.open()
}

// insertCharacters inserts characters beyond ASCII as they were typed. By default those of Latin-1 are keys with Meta,
// and of a character of several code points the first is inserted.
func insertCharacters(rl *readline.Shell) {
	rl.Config.Vars["convert-meta"] = false
	ascii := rl.Keymap.Commands()["self-insert"]
	rl.Keymap.Register(map[string]func(){"self-insert": func() {
		typed := rl.Keys.Caller()
		if len(typed) == 1 && typed[0] < utf8.RuneSelf {
			ascii()
			return
		}
		rl.History.SkipSave()
		rl.Cursor().InsertAt(typed...)
	}})
}

// stateDir is the folder of the history, by the XDG base directory specification; "" without.
func stateDir() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "parlance")
}

// line reads a line until ctx ends. A read that is under way then ends with the program: one of
// a terminal cannot be taken back.
func (sh *shell) line(ctx context.Context, prompt string) (line string, err error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	done := make(chan struct{})
	var text string
	var failed error
	go func() {
		defer close(done)
		text, failed = sh.read(prompt)
	}()
	select {
	case <-done:
		return text, failed
	case <-ctx.Done():
		if f, ok := sh.s.in.(*os.File); ok && sh.terminal != nil {
			return "", errors.Join(context.Cause(ctx), term.Restore(int(f.Fd()), sh.terminal))
		}
		return "", context.Cause(ctx)
	}
}

// run reads until the end. Errors of statements do not end it, but are its result where nobody
// sees them: if standard input is no terminal.
func (sh *shell) run(ctx context.Context) error {
	if sh.terminal != nil { // Ctrl-C, however often, belongs to the statement, the pager or the editor
		interrupts := make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
	}
	err := errors.Join(sh.loop(ctx), sh.redirect(""), sh.keys.Close())
	if err != nil || sh.terminal != nil {
		return err
	}
	return sh.failed
}

// prompt asks for a statement. It tells, as that of psql does, whether a transaction block is open (*) or has failed (!).
func (sh *shell) prompt() string {
	switch sh.conn.Block() {
	case db.OpenBlock:
		return "parlance*> "
	case db.FailedBlock:
		return "parlance!> "
	}
	return "parlance> "
}

func (sh *shell) loop(ctx context.Context) error {
	var g gather
	for !sh.ended {
		prompt := sh.prompt()
		if sh.terminal != nil && g.open() {
			prompt = fmt.Sprintf("%*s", len(prompt), "-> ")
		}
		typed, err := sh.line(ctx, prompt)
		if errors.Is(err, readline.ErrInterrupt) {
			g = gather{}
			continue
		}
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return err
		}
		if !g.begun {
			g = gather{}
		}
		if !end || typed != "" {
			sh.feed(ctx, "shell", &g, typed)
		}
		if end {
			if e := g.rest(); e != nil {
				sh.entry(ctx, "shell", e)
			}
			return nil
		}
	}
	return nil
}

// feed runs what the lines of a text complete, until the first error. It reports whether there was none.
func (sh *shell) feed(ctx context.Context, name string, g *gather, text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		e := g.add(line)
		if e != nil && !sh.entry(ctx, name, e) {
			*g = gather{}
			return false
		}
	}
	return true
}

// entry runs statements or a command, and reports whether more may run: there was no error, and the shell goes on.
func (sh *shell) entry(ctx context.Context, name string, e *entry) bool {
	before := sh.failures
	if e.command {
		sh.meta(ctx, strings.Fields(e.text))
	} else {
		sh.last = e.text
		sh.statements(ctx, name, e.before, e.text)
	}
	return sh.failures == before && !sh.ended
}

// source runs a script until its first error.
func (sh *shell) source(ctx context.Context, name string) {
	if sh.scripts++; sh.scripts > deepest {
		sh.complain(`\i %s: scripts call each other more than %d deep`, name, deepest)
	} else if text, err := os.ReadFile(name); err != nil {
		sh.complain("%w", err)
	} else {
		var g gather
		if sh.feed(ctx, name, &g, strings.TrimSuffix(string(text), "\n")) {
			if e := g.rest(); e != nil {
				sh.entry(ctx, name, e)
			}
		}
	}
	sh.scripts--
}

// deepest bounds scripts that call each other.
const deepest = 16

// statements runs statements, which Ctrl-C cancels. Their errors are printed.
func (sh *shell) statements(ctx context.Context, name string, before int, text string) {
	ctx, stop := interruptible(ctx)
	defer stop()
	if err := sh.part(ctx, name, before, text); err != nil {
		sh.fail(err)
		sh.restore(ctx)
	}
}

func (sh *shell) fail(err error) {
	sh.failed = err
	sh.failures++
}

// restore connects again if the server was lost and a person sees that the session is a new one;
// else the shell ends.
func (sh *shell) restore(ctx context.Context) {
	d, ok := sh.conn.(*distant)
	if !ok || !d.Lost() {
		return
	}
	if sh.ended = sh.terminal == nil; sh.ended {
		return
	}
	if err := d.Reconnect(ctx); err != nil {
		sh.complain("%w", err)
		return
	}
	fmt.Fprintln(sh.s.out, "Connected again; the settings of the session are the defaults.")
}

// complain prints the error of a command.
func (sh *shell) complain(format string, args ...any) {
	sh.fail(&shownError{fmt.Errorf(format, args...)})
	fmt.Fprintln(sh.errs, "parlance:", sh.failed)
}
