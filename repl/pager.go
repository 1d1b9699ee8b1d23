package repl

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"

	"parlance/db"

	"golang.org/x/term"
)

// pager shows an answer on a terminal: one that is longer than the screen by a program that turns pages. While the
// program runs, Ctrl-C belongs to it; when it ends, the statement does.
type pager struct {
	screen  *os.File
	program string
	rows    int    // of the screen
	kept    []byte // what fits on it so far
	lines   int
	leave   func()         // ends the statement
	in      io.WriteCloser // of the program, once it runs
	cmd     *exec.Cmd
	ended   chan error // how the program ended
	runs    atomic.Bool
}

// newPager is a pager for a terminal that can be paged; nil for others.
func newPager(w io.Writer) *pager {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &pager{screen: f, program: cmp.Or(os.Getenv("PSQL_PAGER"), os.Getenv("PAGER"), "less")}
}

// begin prepares for an answer and tells whether it can be paged; leave ends the statement.
func (p *pager) begin(leave func()) bool {
	_, rows, err := term.GetSize(int(p.screen.Fd()))
	p.rows, p.kept, p.lines, p.leave, p.in, p.cmd = rows, p.kept[:0], 0, leave, nil, nil
	return err == nil && rows > 0
}

func (p *pager) Write(b []byte) (int, error) {
	if p.in != nil {
		return p.in.Write(b)
	}
	p.kept = append(p.kept, b...)
	if p.lines += bytes.Count(b, []byte{'\n'}); p.lines < p.rows {
		return len(b), nil
	}
	if err := p.start(); err != nil {
		return 0, err
	}
	if _, err := p.in.Write(p.kept); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (p *pager) start() error {
	p.cmd = exec.Command("sh", "-c", p.program)
	p.cmd.Stdout, p.cmd.Stderr = p.screen, p.screen
	if os.Getenv("LESS") == "" {
		p.cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	p.runs.Store(true) // first, for a reader may press Ctrl-C as soon as the program has written
	if err := p.cmd.Start(); err != nil {
		p.runs.Store(false)
		return err
	}
	p.in, p.ended = in, make(chan error, 1)
	go func(cmd *exec.Cmd, leave func()) {
		err := cmd.Wait()
		leave()
		p.runs.Store(false)
		p.ended <- err
	}(p.cmd, p.leave)
	return nil
}

// running tells whether the program turns pages.
func (p *pager) running() bool { return p != nil && p.runs.Load() }

// end shows what is left and waits until the reader has left the pages.
func (p *pager) end() error {
	if p.in == nil {
		_, err := p.screen.Write(p.kept)
		return err
	}
	closed := p.in.Close()
	var exit *exec.ExitError
	if err := <-p.ended; errors.As(err, &exit) && exit.ExitCode() >= notFound {
		return errors.New(p.program + ": " + err.Error() + "; PAGER names another program, \\pset pager off does without")
	}
	if errors.Is(closed, os.ErrClosed) {
		return nil
	}
	return closed
}

// notFound is the exit code from which on a program of the system's shell did not run; it tells its other errors
// itself.
const notFound = 126

// left tells whether an error is that the reader has left before the last page.
func (p *pager) left(err error) bool {
	if p == nil || p.in == nil {
		return false
	}
	var e *db.Error
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) ||
		!p.runs.Load() && errors.As(err, &e) && e.Code == cancelled
}

// cancelled is the code of statements that are cancelled.
const cancelled = "57014"
