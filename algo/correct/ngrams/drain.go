package ngrams

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"parlance/algo/engine/count"
)

// drain keeps the nodes of a level in a temporary file while they come, so that memory for them is taken once, when
// their number is known.
type drain struct {
	file *os.File
	out  *bufio.Writer
	n    int
	last uint32 // end of the children of the node that came last
	buf  []byte
}

func newDrain() (*drain, error) {
	f, err := count.TemporaryFile("")
	if err != nil {
		return nil, err
	}
	return &drain{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (d *drain) close() error { return d.file.Close() }

// add takes the last word of a node, the end of its children and its count.
func (d *drain) add(word, end uint32, n uint64) error {
	b := binary.LittleEndian.AppendUint32(d.buf[:0], word)
	b = binary.LittleEndian.AppendUint32(b, end)
	d.buf = binary.AppendUvarint(b, n)
	d.n++
	_, err := d.out.Write(d.buf)
	return err
}

// fill adds nodes without a count, up to a number of nodes.
func (d *drain) fill(to int) error {
	for d.n < to {
		if err := d.add(0, d.last, 0); err != nil {
			return err
		}
	}
	return nil
}

// node is what add took.
type node struct {
	word, end uint32
	n         uint64
}

// nodes yields what was added; an error goes to err.
func (d *drain) nodes(err *error) iter.Seq[node] {
	return func(yield func(node) bool) {
		if _, *err = d.file.Seek(0, io.SeekStart); *err != nil {
			return
		}
		in := bufio.NewReaderSize(d.file, 1<<18)
		var b [8]byte
		for range d.n {
			var x node
			if _, *err = io.ReadFull(in, b[:]); *err == nil {
				x.n, *err = binary.ReadUvarint(in)
			}
			if *err != nil {
				*err = fmt.Errorf("temporary file of n-grams: %w", *err)
				return
			}
			x.word, x.end = binary.LittleEndian.Uint32(b[:]), binary.LittleEndian.Uint32(b[4:])
			if !yield(x) {
				return
			}
		}
	}
}

// level reads the nodes, with their words and ends where they have such.
func (d *drain) level(words, ends bool) (o open, err error) {
	if err = d.out.Flush(); err != nil {
		return o, err
	}
	o.n = d.n
	if words {
		o.words = make([]uint32, 0, d.n)
	}
	if ends {
		o.ends = make([]uint32, 0, d.n)
	}
	for x := range d.nodes(&err) {
		if words {
			o.words = append(o.words, x.word)
		}
		if ends {
			o.ends = append(o.ends, x.end)
		}
	}
	if err != nil {
		return o, err
	}
	var failed error
	o.counts = newCounts(d.n, func(yield func(uint64) bool) {
		for x := range d.nodes(&err) {
			if !yield(x.n) {
				return
			}
		}
		failed = errors.Join(failed, err)
	})
	return o, failed
}
