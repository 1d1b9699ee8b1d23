package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"parlance/db"
	"parlance/query/parse"

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
	ended    bool        // there is no session any more
	last     string      // the statements that ran last
}

// newShell returns a shell; place tells what database it is on.
func newShell(conn session, place string, s *streams) *shell {
	sh := &shell{runner: newRunner(conn, s, "table"), s: s}
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		sh.read = terminal(&completer{sh.conn})
		if st, err := term.GetState(int(f.Fd())); err == nil {
			sh.terminal = st
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
func terminal(c *completer) func(string) (string, error) {
	rl := readline.NewShell()
	rl.Config.Vars["cursor-position-probe"] = false // keys that arrive with the terminal's answer would be lost
	insertCharacters(rl)
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
	first := strings.TrimSpace(typed)
	return first == "" || strings.HasPrefix(first, `\`) || strings.Contains(typed, ";") && parse.Complete(typed)
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
	err := errors.Join(sh.loop(ctx), sh.redirect(""))
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
	var text strings.Builder
	for {
		prompt := sh.prompt()
		if text.Len() > 0 {
			prompt = fmt.Sprintf("%*s", len(prompt), "-> ")
		}
		line, err := sh.line(ctx, prompt)
		if errors.Is(err, readline.ErrInterrupt) {
			text.Reset()
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if text.Len() == 0 && strings.HasPrefix(strings.TrimSpace(line), `\`) {
			if sh.meta(ctx, strings.Fields(line)) {
				return nil
			}
			continue
		}
		if line != "" || text.Len() > 0 {
			text.WriteString(line + "\n")
		}
		end := errors.Is(err, io.EOF)
		if end || strings.Contains(line, ";") && parse.Complete(text.String()) {
			sh.last = text.String()
			sh.statements(ctx, "shell", sh.last)
			text.Reset()
		}
		if end || sh.ended {
			return nil
		}
	}
}

// statements runs statements, which Ctrl-C cancels. Their errors are printed.
func (sh *shell) statements(ctx context.Context, name, text string) {
	ctx, stop := interruptible(ctx)
	defer stop()
	if err := sh.script(ctx, name, text); err != nil {
		sh.failed = err
		sh.restore(ctx)
	}
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
	sh.failed = &shownError{fmt.Errorf(format, args...)}
	fmt.Fprintln(sh.errs, "parlance:", sh.failed)
}
