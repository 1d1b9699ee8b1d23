// Package repl is the command: scripts, single statements and the plain shell, and the
// formats in which results are shown.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"parlance/algo/option"
	"parlance/db"

	"github.com/alecthomas/kong"
)

// command is the flags of the program.
type command struct {
	Shell    shellCommand    `cmd:"" default:"withargs" help:"Open a database in the shell."`
	Exec     execCommand     `cmd:"" help:"Run scripts and statements, in the order given, or what standard input holds."`
	Serve    serveCommand    `cmd:"" help:"Serve a database to clients of PostgreSQL."`
	Connect  connectCommand  `cmd:"" help:"Open the shell on a server."`
	Annotate annotateCommand `cmd:"" help:"Annotate files of documents, each into a file of its own, with models of a database."`
	Version  versionCommand  `cmd:"" help:"Print the version."`

	PrintVersion versionFlag `name:"version" short:"V" help:"Print the version."`
}

type shellCommand struct {
	File     string     `arg:"" optional:"" help:"Database file; without it a temporary database."`
	ReadOnly bool       `help:"Open the file read-only."`
	Empty    bool       `help:"Make a database of a file of 0 bytes."`
	Shown    shownFlags `embed:""`
}

type execCommand struct {
	DB       string     `name:"db" help:"Database file; without it a temporary database." placeholder:"FILE" xor:"where"`
	Connect  string     `help:"Server to run on instead, such as postgres://user@host:5477/name." placeholder:"URL" xor:"where,access"`
	Script   []string   `short:"f" type:"script" help:"Script to run, - for standard input; may be repeated." placeholder:"SCRIPT"`
	Command  []string   `short:"c" type:"statements" help:"Statements to run; may be repeated." placeholder:"STATEMENT"`
	Set      []string   `help:"Setting of the session." placeholder:"NAME=VALUE" sep:"none"`
	ReadOnly bool       `help:"Open the file read-only." xor:"access"`
	Empty    bool       `help:"Make a database of a file of 0 bytes."`
	Single   bool       `short:"1" name:"single-transaction" help:"Run all in one transaction block, which an error rolls back."`
	Shown    shownFlags `embed:""`
}

type versionCommand struct{}

// versionFlag prints the version and ends the program, whatever else the command line has.
type versionFlag bool

// BeforeReset runs before the rest of the command line is read.
func (versionFlag) BeforeReset(k *kong.Kong) error {
	_, err := fmt.Fprintln(k.Stdout, "parlance", db.Version)
	k.Exit(0)
	return err
}

// streams are where the command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	items    []item // of the command line
}

// Exit codes.
const (
	exitError = 1
	exitUsage = 2
)

// Main runs the command and returns its exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	defer reserve(reservedByCommand, 50)() // with 50 % a LOAD takes a quarter less memory, and no more time
	var cmd command
	s := &streams{in: in, out: out, err: errs}
	code := -1
	parser, err := kong.New(&cmd, named(), kong.Name("parlance"),
		kong.Description("A database for language data that trains and serves the models that read it."),
		kong.Writers(out, errs), kong.Exit(func(c int) { code = c }), kong.UsageOnError(),
		kong.NamedMapper("script", s.mapper(true)), kong.NamedMapper("statements", s.mapper(false)))
	if err != nil {
		fmt.Fprintln(errs, "parlance:", err)
		return exitUsage
	}
	k, err := parser.Parse(args)
	if code >= 0 {
		return code // --help
	}
	if err != nil {
		if like := unknownCommand(args); like != nil { // flags of a command that is mistyped are not known
			err = like
		}
		fmt.Fprintln(errs, "parlance:", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	k.BindTo(ctx, (*context.Context)(nil))
	err = k.Run(s)
	var shown *shownError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &shown):
	default:
		fmt.Fprintln(&harmless{w: errs}, "parlance:", err)
	}
	return exitError
}

// named are the names in the help of flags.
func named() kong.Vars {
	return kong.Vars{"formats": strings.Join(formats, ","),
		"looks": strings.Join(lookNames(), ", ")}
}

// shownError is an error that has been printed.
type shownError struct{ error }

func (versionCommand) Run(s *streams) error {
	_, err := fmt.Fprintln(s.out, "parlance", db.Version)
	return err
}

// interruptible returns a context that Ctrl-C cancels. A second Ctrl-C ends the program.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Run runs scripts and statements until the first error.
func (c *execCommand) Run(ctx context.Context, s *streams) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	items, err := s.texts()
	if err != nil {
		return err
	}
	conn, closing, err := c.session(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	sh := newScripts(conn, s, c.Shown.look())
	defer func() { err = errors.Join(err, sh.close()) }()
	sh.vars.values["ON_ERROR_STOP"] = "on"
	if err := c.Shown.apply(sh); err != nil {
		return err
	}
	for _, set := range c.Set {
		name, v, ok := strings.Cut(set, "=")
		if !ok {
			return fmt.Errorf("--set %s: NAME=VALUE is wanted", set)
		}
		if err := sh.setting(ctx, name, v); err != nil {
			return fmt.Errorf("--set %s: %w", set, err)
		}
	}
	return sh.items(ctx, items, c.Single)
}

// items runs what the command line names, in a transaction block or without.
func (sh *shell) items(ctx context.Context, items []item, single bool) error {
	if single {
		sh.silent(ctx, "BEGIN")
	}
	for _, it := range items {
		if sh.ended {
			break
		}
		if !it.stdin {
			sh.script(ctx, it.name, strings.NewReader(it.text))
		} else if err := sh.standard(ctx); err != nil {
			return err
		}
	}
	if single && sh.failed == nil {
		sh.silent(ctx, "COMMIT")
	} else if single && sh.conn.Block() != db.NoBlock {
		sh.silent(ctx, "ROLLBACK")
	}
	return sh.failed
}

// silent runs a statement of the command itself without its tag.
func (sh *shell) silent(ctx context.Context, text string) {
	was := sh.vars.values["QUIET"]
	sh.vars.values["QUIET"] = "on"
	sh.own(ctx, text)
	sh.vars.values["QUIET"] = was
}

// session opens the database, or connects to the server, and returns what closes it.
func (c *execCommand) session(ctx context.Context, s *streams) (session, func() error, error) {
	if c.Connect != "" {
		conn, err := dial(ctx, c.Connect, s)
		if err != nil {
			return nil, nil, err
		}
		far := newDistant(conn)
		return far, far.Close, nil
	}
	d, err := db.Open(c.DB, // a mistyped name leaves no file
		db.Options{ReadOnly: c.ReadOnly, Empty: c.Empty, RemoveUnwritten: true})
	if err != nil {
		return nil, nil, err
	}
	return newLocal(d, c.DB, c.ReadOnly), d.Close, nil
}

// setting sets a setting of the session.
func (r *runner) setting(ctx context.Context, name, v string) error {
	rows, err := r.conn.Query(ctx, "SET "+name+" = "+settingValue(v))
	if err != nil {
		return err
	}
	return rows.Close()
}

// plain are values of settings that need no quotes: numbers and lists.
var plain = regexp.MustCompile(`^(-?\d+(\.\d+)?|\(.*\))$`)

// settingValue writes the value of a setting as the language does.
func settingValue(v string) string {
	if plain.MatchString(v) {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", "''") + "'"
}

// Run opens the shell.
func (c *shellCommand) Run(ctx context.Context, s *streams) (err error) {
	if err := c.mistyped(); err != nil {
		return err
	}
	d, err := db.Open(c.File, db.Options{ReadOnly: c.ReadOnly, Empty: c.Empty})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return c.Shown.shell(ctx, newLocal(d, c.File, c.ReadOnly), s)
}

// unknownCommand is the error of a command line that begins with the name of no command and no file; nil for others.
func unknownCommand(args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	return (&shellCommand{File: args[0]}).mistyped()
}

// programCommands are the commands that can be meant.
var programCommands = []string{"shell", "exec", "serve", "connect", "annotate", "version", "help"}

// mistyped refuses to make a new database of a name that may be a command: without a dot or a folder in it.
func (c *shellCommand) mistyped() error {
	if c.File == "" || strings.ContainsAny(c.File, "./"+string(os.PathSeparator)) {
		return nil
	}
	if _, err := os.Stat(c.File); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if c.File != "help" && slices.Contains(programCommands, c.File) { // help is a flag
		return nil
	}
	meant := "commands are " + strings.Join(programCommands[:len(programCommands)-1], ", ") + "."
	if like := option.Closest(c.File, programCommands); like == "help" {
		meant = "did you mean --help?"
	} else if like != "" {
		meant = "did you mean " + like + "?"
	}
	return fmt.Errorf("there is no command %s; %s A new database of this name is ./%s or %s.parlance", c.File,
		meant, c.File, c.File)
}
