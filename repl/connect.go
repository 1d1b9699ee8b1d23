package repl

import (
	"context"
	"errors"
	"fmt"
	"os"

	"parlance/repl/remote"

	"golang.org/x/term"
)

type connectCommand struct {
	URL   string     `arg:"" optional:"" name:"url" default:"postgres://127.0.0.1:5477" help:"Server, such as postgres://user@host:5477/name?sslmode=require; PGPASSWORD and the other variables of PostgreSQL's clients complete it."`
	Shown shownFlags `embed:""`
}

// Run opens the shell on a server.
func (c *connectCommand) Run(ctx context.Context, s *streams) (err error) {
	conn, err := dial(ctx, c.URL, s)
	if err != nil {
		return err
	}
	far := newDistant(conn)
	defer func() { err = errors.Join(err, far.Close()) }()
	return c.Shown.shell(ctx, far, s)
}

// dial connects to a server. Ctrl-C gives up.
func dial(ctx context.Context, url string, s *streams) (*remote.Conn, error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	return remote.Connect(ctx, url, s.password())
}

// password reads a password from the terminal without showing it; nil if there is none.
func (s *streams) password() func(prompt string) (string, error) {
	f, ok := s.in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(prompt string) (string, error) {
		fmt.Fprint(s.err, prompt)
		p, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(s.err)
		return string(p), err
	}
}
