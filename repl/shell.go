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

	"parlance/db"
	"parlance/query/parse"

	"github.com/reeflective/readline"
	"golang.org/x/term"
)

const help = `Statements end with a semicolon and may take several lines.
  \?            this help
  \d            list corpora, models, feature sets, gazetteers, lexicons
  \d name       describe an object, name.layer a layer or relation
  \i file       run a script
  \format f     show rows as table, vertical, markdown, csv, tsv or jsonl
  \timing       show how long statements take, or stop it
  \q            leave
Ctrl-C cancels the statement that runs.
`

// shell reads statements and shows what they give.
type shell struct {
	*runner
	s    *streams
	read func(prompt string) (string, error)
}

func newShell(d *db.DB, s *streams) *shell {
	sh := &shell{runner: newRunner(d, s, "table"), s: s}
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		sh.read = terminal()
		fmt.Fprintf(s.out, "parlance %s: %s\nStatements end with ; and \\? helps.\n", db.Version, d.Path())
		return sh
	}
	in := bufio.NewReader(s.in)
	sh.read = func(string) (string, error) {
		line, err := in.ReadString('\n')
		if err == io.EOF && line != "" {
			err = nil
		}
		return strings.TrimRight(line, "\r\n"), err
	}
	return sh
}

// terminal edits lines, with a history that is kept.
func terminal() func(string) (string, error) {
	rl := readline.NewShell()
	prompt := ""
	rl.Prompt.Primary(func() string { return prompt })
	if dir, err := os.UserCacheDir(); err == nil {
		dir = filepath.Join(dir, "parlance")
		if os.MkdirAll(dir, 0o700) == nil {
			rl.History.AddFromFile("statements", filepath.Join(dir, "history"))
		}
	}
	return func(p string) (string, error) {
		prompt = p
		return rl.Readline()
	}
}

// run reads until the end.
func (sh *shell) run(ctx context.Context) error {
	var text strings.Builder
	for {
		prompt := "parlance> "
		if text.Len() > 0 {
			prompt = "       -> "
		}
		line, err := sh.read(prompt)
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
		if line != "" {
			text.WriteString(line + "\n")
		}
		if end := errors.Is(err, io.EOF); parse.Complete(text.String()) || end && strings.TrimSpace(text.String()) != "" {
			sh.interruptible(ctx, func(ctx context.Context) {
				_ = sh.script(ctx, "shell", text.String()) // printed already
			})
			text.Reset()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

// interruptible runs f under a context that Ctrl-C cancels.
func (sh *shell) interruptible(ctx context.Context, f func(context.Context)) {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt)
	defer stop()
	f(ctx)
}

// meta runs a command of the shell and reports whether it ends.
func (sh *shell) meta(ctx context.Context, words []string) (end bool) {
	run := func(text string) {
		sh.interruptible(ctx, func(ctx context.Context) { _ = sh.script(ctx, "shell", text) })
	}
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	switch words[0] {
	case `\q`:
		return true
	case `\?`:
		fmt.Fprint(sh.s.out, help)
	case `\timing`:
		sh.timing = !sh.timing
		fmt.Fprintln(sh.s.out, "Timing is", map[bool]string{true: "on.", false: "off."}[sh.timing])
	case `\format`:
		switch arg {
		case "table", "vertical", "markdown", "csv", "tsv", "jsonl":
			sh.format = arg
		default:
			fmt.Fprintln(sh.s.err, `\format takes table, vertical, markdown, csv, tsv or jsonl`)
		}
	case `\d`:
		if arg != "" {
			run("DESCRIBE " + strings.TrimSuffix(arg, ";"))
			break
		}
		run("SELECT 'corpus' AS kind, name FROM system.corpora UNION ALL SELECT 'model', name FROM system.models UNION ALL " +
			"SELECT 'features', name FROM system.features WHERE NOT builtin UNION ALL SELECT 'gazetteer', name FROM system.gazetteers UNION ALL SELECT 'lexicon', name FROM system.lexicons")
	case `\i`:
		text, err := os.ReadFile(arg)
		if err != nil {
			fmt.Fprintln(sh.s.err, "parlance:", err)
			break
		}
		sh.interruptible(ctx, func(ctx context.Context) { _ = sh.script(ctx, arg, string(text)) })
	default:
		fmt.Fprintf(sh.s.err, "there is no %s; \\? helps\n", words[0])
	}
	return false
}
