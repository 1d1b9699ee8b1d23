package repl

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/term"
)

// pager shows an answer on a terminal: one that is longer than the screen by a program that turns pages.
type pager struct {
	screen  *os.File
	program string
	rows    int    // of the screen
	kept    []byte // what fits on it so far
	lines   int
	in      io.WriteCloser // of the program, once it runs
	cmd     *exec.Cmd
}

// newPager is a pager for a terminal that can be paged; nil for others.
func newPager(w io.Writer) *pager {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &pager{screen: f, program: cmp.Or(os.Getenv("PSQL_PAGER"), os.Getenv("PAGER"), "less")}
}

// begin prepares for an answer and tells whether it can be paged.
func (p *pager) begin() bool {
	_, rows, err := term.GetSize(int(p.screen.Fd()))
	*p = pager{screen: p.screen, program: p.program, rows: rows, kept: p.kept[:0]}
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

func (p *pager) start() (err error) {
	p.cmd = exec.Command("sh", "-c", p.program)
	p.cmd.Stdout, p.cmd.Stderr = p.screen, p.screen
	if os.Getenv("LESS") == "" {
		p.cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	return p.cmd.Start()
}

// end shows what is left and waits until the reader has left the pages.
func (p *pager) end() error {
	if p.in == nil {
		_, err := p.screen.Write(p.kept)
		return err
	}
	closed := p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		return errors.New(p.program + ": " + err.Error() + "; PAGER names another program, \\pset pager off does without")
	}
	if errors.Is(closed, os.ErrClosed) {
		return nil
	}
	return closed
}

// left tells whether an error is that the reader has left before the last page.
func (p *pager) left(err error) bool { return p != nil && p.in != nil && errors.Is(err, syscall.EPIPE) }
