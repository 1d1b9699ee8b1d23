package repl

import (
	"bufio"
	"bytes"
	"io"
)

// inline are data that follow their statement in a script: lines up to one that is \., or to the end.
type inline struct {
	in     *bufio.Reader
	begun  bool // something was read
	ended  bool // \. was, or there is no more
	lines  int  // that were read
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
		if bytes.HasSuffix(line, []byte{'\n'}) {
			d.lines++
		}
		if !d.within && string(bytes.TrimRight(line, "\r\n")) == `\.` {
			d.ended = true
			return 0, io.EOF
		}
		if len(line) == 0 {
			d.ended = true
			return 0, err
		}
		d.within, d.left = !bytes.HasSuffix(line, []byte{'\n'}), line
	}
	n := copy(b, d.left)
	d.left = d.left[n:]
	return n, nil
}

// over ends the data of a statement: what it has left unread of them is no statement. It returns how many lines
// they are.
func (d *inline) over() (lines int) {
	if d.begun {
		_, _ = io.Copy(io.Discard, d) // errors come again with the next line
	}
	lines = d.lines
	*d = inline{in: d.in}
	return lines
}
