package repl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// inline are data that follow their statement in a script: lines up to one that is \., or to the end.
type inline struct {
	in     *bufio.Reader
	begun  bool // something was read
	ended  bool // \. was, or there is no more
	within bool // the next bytes go on with a line
	left   []byte
}

func (d *inline) Read(b []byte) (int, error) {
	d.begun = true
	if len(d.left) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		line, err := d.in.ReadSlice('\n')
		if !d.within && string(bytes.TrimRight(line, "\r\n")) == `\.` {
			d.ended = true
			return 0, io.EOF
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && len(line) == 0 {
			d.ended = true
			return 0, err
		}
		d.within, d.left = !bytes.HasSuffix(line, []byte{'\n'}), line
	}
	n := copy(b, d.left)
	d.left = d.left[n:]
	return n, nil
}

// over ends the data of a statement: what it has left unread of them is no statement.
func (d *inline) over() {
	if d.begun {
		_, _ = io.Copy(io.Discard, d) // errors come again with the next line
	}
	*d = inline{in: d.in}
}
