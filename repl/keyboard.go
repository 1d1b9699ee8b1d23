package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// keyboard is what LOAD STDIN and COPY … FROM STDIN read from a terminal: lines, until Ctrl-D or Ctrl-C.
type keyboard struct {
	in     io.Reader
	tty    *os.File // in, if reading it can be ended; else nil
	screen io.Writer
	ctx    context.Context // of the statement that reads
	hinted bool            // it was said how the data end
}

// newKeyboard opens the terminal of the process once more: a read of standard input cannot be taken back.
func newKeyboard(in io.Reader, screen io.Writer) *keyboard {
	k := &keyboard{in: in, screen: screen, ctx: context.Background()}
	if tty, err := os.Open("/dev/tty"); err == nil {
		if tty.SetReadDeadline(time.Time{}) == nil {
			k.in, k.tty = tty, tty
		} else {
			_ = tty.Close()
		}
	}
	return k
}

// until bounds reads by a context, until the result is called.
func (k *keyboard) until(ctx context.Context) (end func()) {
	k.ctx, k.hinted = ctx, false
	if k.tty == nil {
		return func() {}
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		_ = k.tty.SetReadDeadline(time.Unix(1, 0))
	})
	return func() {
		if !stop() {
			<-ended
		}
		_ = k.tty.SetReadDeadline(time.Time{})
	}
}

func (k *keyboard) Read(b []byte) (int, error) {
	if !k.hinted {
		k.hinted = true
		fmt.Fprintln(k.screen, "Ctrl-D at the beginning of a line ends the data, Ctrl-C cancels.")
	}
	n, err := k.in.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		fmt.Fprintln(k.screen) // behind ^C
		err = context.Cause(k.ctx)
	}
	return n, err
}

// Close closes what the keyboard has opened.
func (k *keyboard) Close() error {
	if k == nil || k.tty == nil {
		return nil
	}
	return k.tty.Close()
}
