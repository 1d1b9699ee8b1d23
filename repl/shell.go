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
	"parlance/query/ast"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
	"golang.org/x/term"
)

// shell reads statements and commands and runs them.
type shell struct {
	*runner
	s         *streams
	stdin     *bufio.Reader // standard input that is no terminal
	read      func(prompt string) (string, error)
	terminal  *term.State // as it was; nil if standard input is none
	completer *completer  // nil without a terminal
	src       *source     // that is read
	failed    error       // the last error of a statement or command
	failures  int         // number of errors
	ended     bool        // an error ends the input, or there is no session any more
	last      string      // the statement that ran last
	scripts   int         // \i that run, one in the other
	inline    *inline     // data that follow their statement in standard input; nil if it is no script
	at        ast.Pos     // of the command that runs
}

// source is what statements and commands are read from.
type source struct {
	name  string
	in    *bufio.Reader // nil for a terminal
	ended bool          // \q
	gather
}

// newShell returns a shell that reads standard input.
func newShell(conn session, s *streams, look look) *shell {
	sh := newScripts(conn, s, look)
	f, ok := s.in.(*os.File)
	if !ok || !isTerminal(s.in) {
		return sh
	}
	if st, err := term.GetState(int(f.Fd())); err == nil {
		sh.terminal = st
	}
	if dumb() {
		sh.read = sh.plain
	} else {
		sh.completer = &completer{sh.conn, &sh.quiet, sh.vars}
		sh.read = terminal(sh.completer, sh.suspend)
	}
	sh.pager = newPager(s.out)
	fmt.Fprintf(s.out, "parlance %s: %s\nStatements end with ; and \\? helps.\n", db.Version, conn.Address())
	return sh
}

// newScripts returns a shell that reads scripts, and standard input line by line as one of them.
func newScripts(conn session, s *streams, look look) *shell {
	sh := &shell{runner: newRunner(conn, s, look), s: s, stdin: bufio.NewReader(s.in)}
	sh.vars.values["VERSION"] = "parlance " + db.Version
	sh.src = sh.source("shell", nil)
	if sh.keys != nil {
		sh.conn.Stdin(sh.keys)
	} else {
		sh.conn.Stdin(sh.stdin)
	}
	sh.read = func(string) (string, error) { return readLine(sh.stdin) }
	return sh
}

func (sh *shell) source(name string, in *bufio.Reader) *source {
	return &source{name: name, in: in, gather: gather{vars: sh.vars}}
}

// readLine reads a line without its end; the last one may have none.
func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return strings.TrimSuffix(line, "\n"), err
}

// terminal edits statements of several lines, with a history that is kept.
func terminal(c *completer, suspend func()) func(string) (string, error) {
	rl := readline.NewShell()
	rl.Config.Vars["cursor-position-probe"] = false // keys that arrive with the terminal's answer would be lost
	// a text with tabs and line ends comes as it is, to be looked at before it runs
	rl.Config.Vars["enable-bracketed-paste"] = true
	insertCharacters(rl)
	bindSuspend(rl, suspend)
	bindArrows(rl)
	prompt := ""
	rl.Prompt.Primary(func() string { return prompt })
	rl.Prompt.Secondary(func() string { return "       -> " })
	rl.AcceptMultiline = func(typed []rune) bool { return plainWord(string(typed)) != "" || whole(string(typed)) }
	rl.Completer = c.offer
	colours := &highlighter{completer: c}
	if coloured(os.Stdout) {
		rl.SyntaxHighlighter = colours.colour
	}
	rl.Config.Vars["menu-complete-display-prefix"] = true // Tab completes as far as is clear and lists the rest
	if dir := stateDir(); dir != "" && os.MkdirAll(dir, 0o700) == nil {
		rl.History.Add("statements", newHistory(filepath.Join(dir, "history")))
	}
	return func(p string) (string, error) {
		prompt = p
		colours.renew()
		fmt.Print("\n\x1b[A") // on the last row of the screen the prompt would be drawn over the row above
		return rl.Readline()
	}
}

// whole reports whether what was typed can be run: statements to their end, a command behind them, or nothing.
func whole(typed string) bool {
	var g gather
	command := false
	for line := range strings.SplitSeq(typed, "\n") {
		g.add(line)
		for e := g.next(); e != nil; e = g.next() {
			command = e.words != nil
		}
		command = command && strings.TrimSpace(line) != ""
	}
	return command || !g.open()
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

// bindArrows makes the arrows move between the lines of a statement before they move through the history.
func bindArrows(rl *readline.Shell) {
	for _, keymap := range []string{"emacs", "emacs-standard", "vi-insert", "vi-command"} {
		for _, begin := range []string{`\M-[`, `\M-O`, `\e[`, `\eO`} {
			_ = rl.Config.Bind(keymap, inputrc.Unescape(begin+"A"), "up-line-or-history", false) // of a keymap that there is not
			_ = rl.Config.Bind(keymap, inputrc.Unescape(begin+"B"), "down-line-or-history", false)
		}
	}
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

// shell reads until the end. Errors of statements do not end it, but are its result where nobody
// sees them: if standard input is no terminal.
func (sh *shell) shell(ctx context.Context) error {
	if sh.terminal != nil { // Ctrl-C, however often, belongs to the statement, the pager or the editor
		interrupts := make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
	}
	err := errors.Join(sh.standard(ctx), sh.close())
	if err != nil || sh.terminal != nil {
		return err
	}
	return sh.failed
}

// close ends what is written to, what was opened to read, and the session.
func (sh *shell) close() error { return errors.Join(sh.redirect(""), sh.keys.Close(), sh.conn.Close()) }

// prompt asks for a statement. It tells, as that of psql does, which file is open, whether a transaction block is (*)
// or has failed (!), and whether what is typed does not count (@).
func (sh *shell) prompt() string {
	mark := ""
	switch sh.conn.Block() {
	case db.OpenBlock:
		mark = "*"
	case db.FailedBlock:
		mark = "!"
	}
	if !sh.src.on() {
		mark += "@"
	}
	prompt := sh.conn.Title() + mark + "> "
	if sh.src.open() {
		return fmt.Sprintf("%*s", text.StringWidth(prompt), "-> ")
	}
	return prompt
}

// standard reads standard input.
func (sh *shell) standard(ctx context.Context) error {
	if sh.terminal != nil {
		sh.src.note = func(what string) {
			fmt.Fprintf(sh.errs, "%s ignored; \\endif or Ctrl-C ends the branch\n", what)
		}
	} else {
		was := sh.src
		sh.src = sh.source("stdin", sh.stdin)
		sh.inline = &inline{in: sh.stdin} // LOAD STDIN reads what follows its statement
		sh.conn.Stdin(sh.inline)
		defer func() { sh.src, sh.inline = was, nil; sh.conn.Stdin(sh.stdin) }()
	}
	for !sh.ended && !sh.src.ended {
		typed, err := sh.line(ctx, sh.prompt())
		if errors.Is(err, readline.ErrInterrupt) {
			sh.src.interrupt()
			continue
		}
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return err
		}
		if sh.terminal != nil && !sh.src.open() {
			sh.src.at = ast.Pos{}
		}
		if sh.terminal != nil && !sh.src.open() && plainWord(typed) != "" {
			typed = plainWord(typed)
		}
		if !end || typed != "" {
			sh.feed(ctx, typed, false)
		}
		if end {
			sh.finish(ctx)
			return nil
		}
	}
	return nil
}

// script runs a script until its first error where that ends it.
func (sh *shell) script(ctx context.Context, name string, text io.Reader) {
	was := sh.src
	defer func() { sh.src = was }()
	sh.src = sh.source(name, bufio.NewReader(text))
	for !sh.ended && !sh.src.ended {
		line, err := readLine(sh.src.in)
		if err == io.EOF {
			sh.finish(ctx)
			return
		}
		if err != nil {
			sh.complain(sh.src.at, err)
			return
		}
		if !sh.feed(ctx, line, sh.scripts > 0) {
			return
		}
	}
}

// feed runs what lines complete. It reports whether more may run: no error ended the script.
func (sh *shell) feed(ctx context.Context, lines string, firstError bool) bool {
	for line := range strings.SplitSeq(lines, "\n") {
		if sh.terminal == nil && sh.vars.values["ECHO"] == "all" {
			if err := sh.runner.echo(line); err != nil {
				sh.complain(sh.src.at, err)
				return false
			}
		}
		src := sh.src
		src.add(line)
		for e := src.next(); e != nil; e = src.next() {
			if !sh.entry(ctx, e) && (firstError || sh.ended || src.ended) {
				return false
			}
		}
	}
	return true
}

// finish runs what has not ended at the end of a script.
func (sh *shell) finish(ctx context.Context) {
	for e := sh.src.left(); e != nil; e = sh.src.left() {
		if !sh.entry(ctx, e) {
			return
		}
	}
	if len(sh.src.branches) > 0 {
		sh.complain(sh.src.at, errNoEndif)
	}
}

// entry runs a statement or a command. It reports whether there was no error and the shell goes on.
func (sh *shell) entry(ctx context.Context, e *entry) bool {
	before := sh.failures
	switch {
	case e.words != nil:
		sh.meta(ctx, e)
	case e.err != nil:
		sh.complain(e.at, e.err)
	default:
		sh.last = e.text
		sh.statements(ctx, e)
	}
	return sh.failures == before && !sh.ended && !sh.src.ended
}

// stops tells whether an error ends the input.
func (sh *shell) stops() bool { return sh.terminal == nil && sh.vars.on("ON_ERROR_STOP") }

// run runs the script in a file to its first error.
func (sh *shell) run(ctx context.Context, name string) error {
	if sh.scripts == deepest {
		return fmt.Errorf(`\i %s: scripts call each other more than %d deep`, name, deepest)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	sh.scripts++
	defer func() { sh.scripts-- }()
	sh.script(ctx, name, f)
	return f.Close()
}

// beside is a path relative to the folder of a script.
func beside(script, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(script), name)
}

// deepest bounds scripts that call each other.
const deepest = 16

// statements runs statements, which Ctrl-C cancels. Their errors are printed.
func (sh *shell) statements(ctx context.Context, e *entry) {
	ctx, stop := sh.interruptible(ctx)
	defer stop()
	err := sh.part(ctx, sh.src.name, e)
	if sh.inline != nil {
		sh.src.at.Line += sh.inline.over()
	}
	if err != nil {
		sh.fail(err)
		sh.restore(ctx)
	}
}

// interruptible returns a context that Ctrl-C cancels, unless the pager runs, to which it belongs then.
func (sh *shell) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	if sh.pager == nil {
		return interruptible(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		for {
			select {
			case <-interrupts:
				if !sh.pager.running() {
					cancel()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(interrupts); cancel() }
}

func (sh *shell) fail(err error) {
	sh.failed = err
	sh.failures++
	sh.ended = sh.ended || sh.stops()
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
		sh.complain(ast.Pos{}, err)
		return
	}
	fmt.Fprintln(sh.s.out, "Connected again; the settings of the session are the defaults.")
}

// complain prints the error of a command, with its place in a script.
func (sh *shell) complain(at ast.Pos, err error) {
	if sh.src.in != nil {
		sh.fail(sh.print(sh.src.name, ast.Pos{Line: at.Line + 1, Col: at.Col + 1}, "", err.Error(), ""))
		return
	}
	sh.fail(&shownError{err})
	fmt.Fprintln(sh.errs, "parlance:", err)
}
