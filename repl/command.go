// Package repl is the command: scripts, single statements and the plain shell, and the
// formats in which results are shown.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"parlance/db"
	"parlance/db/bench"

	"github.com/alecthomas/kong"
)

// command is the flags of the program.
type command struct {
	Shell   shellCommand   `cmd:"" default:"withargs" help:"Open a database in the shell."`
	Exec    execCommand    `cmd:"" help:"Run scripts and statements, in the order given, or what standard input holds."`
	Bench   benchCommand   `cmd:"" help:"Measure speed and accuracy on the corpora in the folder that PARLANCE_DATA names."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

type shellCommand struct {
	File     string `arg:"" optional:"" help:"Database file; without it a temporary database."`
	ReadOnly bool   `help:"Open the file read-only."`
}

type execCommand struct {
	DB       string   `name:"db" help:"Database file; without it a temporary database." placeholder:"FILE"`
	Script   []string `short:"f" help:"Script to run; may be repeated." placeholder:"SCRIPT" sep:"none"`
	Command  []string `short:"c" help:"Statements to run; may be repeated." placeholder:"STATEMENT" sep:"none"`
	Format   string   `enum:"table,vertical,markdown,csv,tsv,jsonl" default:"table" help:"How rows are shown: ${enum}."`
	Set      []string `help:"Setting of the session." placeholder:"NAME=VALUE" sep:"none"`
	ReadOnly bool     `help:"Open the file read-only."`
}

type benchCommand struct {
	Data  string `env:"PARLANCE_DATA" help:"Folder with the corpora." placeholder:"FOLDER"`
	Only  string `help:"Measure what begins so: crf, tagging, load, spans, accuracy, large." placeholder:"NAME"`
	Large bool   `help:"Also what needs a file of 1 GB."`
}

type versionCommand struct{}

// streams are where the command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	args     []string
}

// Exit codes.
const (
	exitError = 1
	exitUsage = 2
)

// Main runs the command and returns its exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	var cmd command
	code := -1
	parser, err := kong.New(&cmd, kong.Name("parlance"), kong.Description("A database for language data that trains and serves the models that read it."),
		kong.Writers(out, errs), kong.Exit(func(c int) { code = c }), kong.UsageOnError())
	if err != nil {
		fmt.Fprintln(errs, "parlance:", err)
		return exitUsage
	}
	k, err := parser.Parse(args)
	if code >= 0 {
		return code // --help
	}
	if err != nil {
		fmt.Fprintln(errs, "parlance:", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k.BindTo(ctx, (*context.Context)(nil))
	err = k.Run(&streams{in, out, errs, args})
	var shown *shownError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &shown):
	default:
		fmt.Fprintln(errs, "parlance:", err)
	}
	return exitError
}

// shownError is an error that has been printed.
type shownError struct{ error }

// Run measures and prints a table.
func (c *benchCommand) Run(ctx context.Context, s *streams) error {
	return bench.Run(ctx, s.out, s.err, bench.Options{Data: c.Data, Only: c.Only, Large: c.Large})
}

func (versionCommand) Run(s *streams) error {
	_, err := fmt.Fprintln(s.out, "parlance", db.Version)
	return err
}

// item is a script or statement of the command line.
type item struct {
	name, text string
}

// items reads scripts and statements in the order of the command line.
func (c *execCommand) items(s *streams) ([]item, error) {
	var out []item
	scripts, commands := c.Script, c.Command
	for _, a := range s.args {
		flag, _, _ := strings.Cut(a, "=")
		switch {
		case len(scripts) > 0 && (flag == "--script" || strings.HasPrefix(a, "-f")):
			text, err := os.ReadFile(scripts[0])
			if err != nil {
				return nil, err
			}
			out = append(out, item{scripts[0], string(text)})
			scripts = scripts[1:]
		case len(commands) > 0 && (flag == "--command" || strings.HasPrefix(a, "-c")):
			out = append(out, item{"command", commands[0]})
			commands = commands[1:]
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	text, err := io.ReadAll(s.in)
	return []item{{"stdin", string(text)}}, err
}

// Run runs scripts and statements until the first error.
func (c *execCommand) Run(ctx context.Context, s *streams) (err error) {
	items, err := c.items(s)
	if err != nil {
		return err
	}
	d, err := db.Open(c.DB, db.Options{ReadOnly: c.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	r := newRunner(d, s, c.Format)
	for _, set := range c.Set {
		name, v, ok := strings.Cut(set, "=")
		if !ok {
			return fmt.Errorf("--set %s: NAME=VALUE is wanted", set)
		}
		if _, err := r.conn.Exec(ctx, "SET "+name+" = "+setting(v)); err != nil {
			return fmt.Errorf("--set %s: %w", set, err)
		}
	}
	for _, it := range items {
		if err := r.script(ctx, it.name, it.text); err != nil {
			return err
		}
	}
	return nil
}

// setting writes the value of a setting as the language does.
func setting(v string) string {
	for i, c := range v {
		if (c < '0' || c > '9') && c != '.' && (c != '-' || i > 0) {
			return "'" + strings.ReplaceAll(v, "'", "''") + "'"
		}
	}
	if v == "" {
		return "''"
	}
	return v
}

// Run opens the shell.
func (c *shellCommand) Run(ctx context.Context, s *streams) (err error) {
	d, err := db.Open(c.File, db.Options{ReadOnly: c.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return newShell(d, s).run(ctx)
}
