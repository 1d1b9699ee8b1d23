package repl

import (
	"bytes"
	"context"
	"io"
)

// endingReader reads a stream until a context ends, even while the stream has nothing to give.
type endingReader struct {
	ctx   context.Context
	r     io.Reader
	parts chan part // nil before the first Read
	last  part      // what is left of the part before
}

// part is what a Read of the stream returned.
type part struct {
	bytes []byte
	err   error
}

func newEndingReader(ctx context.Context, r io.Reader) *endingReader {
	return &endingReader{ctx: ctx, r: r}
}

func (e *endingReader) Read(p []byte) (int, error) {
	if e.parts == nil {
		e.parts = make(chan part)
		go e.run()
	}
	for len(e.last.bytes) == 0 {
		if e.last.err != nil {
			return 0, e.last.err
		}
		select {
		case e.last = <-e.parts:
		case <-e.ctx.Done():
			return 0, e.ctx.Err()
		}
	}
	n := copy(p, e.last.bytes)
	e.last.bytes = e.last.bytes[n:]
	return n, nil
}

// run reads one part ahead. A Read that never returns keeps it until the program ends.
func (e *endingReader) run() {
	for {
		b := make([]byte, 64<<10)
		n, err := e.r.Read(b)
		select {
		case e.parts <- part{b[:n], err}:
		case <-e.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// endingWriter writes to a stream until a context ends, even while nobody takes what is written.
type endingWriter struct {
	ctx context.Context
	w   io.Writer
}

func (e *endingWriter) Write(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	done := make(chan part, 1)
	b := bytes.Clone(p) // which a Write that is left behind may still read
	go func() {
		n, err := e.w.Write(b)
		done <- part{b[:n], err}
	}()
	select {
	case d := <-done:
		return len(d.bytes), d.err
	case <-e.ctx.Done():
		return 0, e.ctx.Err()
	}
}
