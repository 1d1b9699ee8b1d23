package latentclasses

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"parlance/algo/lexical/cooccurrence"
)

// Files of shards, parameters and sums, for rounds of EM in several processes. Numbers are little endian or variable,
// zeros of the sums and parameters, most of them after some iterations, are runs.

// errFile is wrapped by errors of files that are no such file, or damaged.
var errFile = errors.New("damaged file of EM")

// Write writes the shard.
func (s *Shard) Write(to io.Writer) error {
	w := &fileWriter{w: bufio.NewWriter(to)}
	w.number(uint64(s.rows.Len()))
	w.number(uint64(len(s.rows.IDs)))
	w.number(uint64(s.contexts))
	w.number(uint64(len(s.words)))
	w.float(s.total)
	for i := range s.rows.Len() {
		w.number(uint64(len(s.names[i])))
		w.text(s.names[i])
		ids, counts := s.rows.Row(i)
		w.number(uint64(len(ids)))
		for k, f := range ids {
			w.number(uint64(f))
			w.float(counts[k])
		}
	}
	w.floats(s.words)
	return w.flush()
}

// Read reads what Write wrote.
func (s *Shard) Read(from io.Reader) error {
	r := &fileReader{r: bufio.NewReader(from)}
	words, pairs, contexts := r.count(math.MaxInt32), r.count(math.MaxInt32), r.count(math.MaxInt32)
	parameters := r.count(1 << 40)
	s.total, s.contexts = r.float(), contexts
	s.rows, s.names = &cooccurrence.Index{Start: []int{0}}, nil
	for i := 0; i < words && r.err == nil; i++ {
		s.names = append(s.names, r.text(r.count(1<<20)))
		for n := r.count(pairs); n > 0 && r.err == nil; n-- {
			f := r.count(math.MaxInt32)
			if f >= contexts {
				r.fail("a context out of range")
			}
			s.rows.IDs, s.rows.Counts = append(s.rows.IDs, uint32(f)), append(s.rows.Counts, r.float())
		}
		s.rows.Start = append(s.rows.Start, len(s.rows.IDs))
	}
	if r.err == nil && (len(s.rows.IDs) != pairs || words > 0 && parameters%words != 0) {
		r.fail("counts that do not add up")
	}
	s.words, s.active = r.floats(parameters), newActive(words)
	if r.err == nil && parameters > 0 && words > 0 {
		s.find(parameters / words)
	}
	return r.err
}

// Write writes the parameters.
func (c *Contexts) Write(to io.Writer) error {
	w := &fileWriter{w: bufio.NewWriter(to)}
	w.number(uint64(c.Classes))
	w.number(uint64(len(c.start)))
	w.number(uint64(len(c.p)))
	w.floats(c.start)
	w.floats(c.p)
	return w.flush()
}

// Read reads what Write wrote.
func (c *Contexts) Read(from io.Reader) error {
	r := &fileReader{r: bufio.NewReader(from)}
	c.Classes = r.count(math.MaxInt32)
	start, n := r.count(math.MaxInt32), r.count(1<<40)
	if r.err == nil && (c.Classes == 0 || n%c.Classes != 0 || start != 0 && start != c.Classes) {
		r.fail("numbers that do not fit the classes")
	}
	c.start = r.floats(start)
	if start == 0 {
		c.start = nil
	}
	c.p = r.floats(n)
	return r.err
}

// Write writes the sums.
func (s *Sums) Write(to io.Writer) error {
	w := &fileWriter{w: bufio.NewWriter(to)}
	w.integers([]int64{s.likelihood, s.skipped, int64(len(s.classes)), int64(len(s.counts))})
	w.integers(s.classes)
	w.integers(s.counts)
	return w.flush()
}

// Read reads what Write wrote.
func (s *Sums) Read(from io.Reader) error {
	r := &fileReader{r: bufio.NewReader(from)}
	head := r.integers(4)
	if r.err == nil && (head[2] < 0 || head[3] < 0 || head[2] > 1<<31 || head[3] > 1<<40) {
		r.fail("a size out of range")
	}
	if r.err != nil {
		return r.err
	}
	s.likelihood, s.skipped = head[0], head[1]
	s.classes, s.counts = r.integers(int(head[2])), r.integers(int(head[3]))
	return r.err
}

// fileWriter writes numbers; the first error stays.
type fileWriter struct {
	w   *bufio.Writer
	buf [10]byte
	err error
}

func (w *fileWriter) bytes(p []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(p)
	}
}

func (w *fileWriter) text(s string)   { w.bytes([]byte(s)) }
func (w *fileWriter) number(n uint64) { w.bytes(binary.AppendUvarint(w.buf[:0], n)) }
func (w *fileWriter) float(v float64) {
	w.bytes(binary.LittleEndian.AppendUint64(w.buf[:0], math.Float64bits(v)))
}

// zeros writes how many zeros come next, and returns that.
func (w *fileWriter) zeros(n int, zero func(i int) bool) int {
	k := 0
	for k < n && zero(k) {
		k++
	}
	w.number(uint64(k))
	return k
}

// floats writes numbers, each behind the number of zeros before it.
func (w *fileWriter) floats(v []float64) {
	for i := 0; i < len(v); i++ {
		i += w.zeros(len(v)-i, func(k int) bool { return v[i+k] == 0 })
		if i < len(v) {
			w.float(v[i])
		}
	}
}

// integers does the same.
func (w *fileWriter) integers(v []int64) {
	for i := 0; i < len(v); i++ {
		i += w.zeros(len(v)-i, func(k int) bool { return v[i+k] == 0 })
		if i < len(v) {
			w.bytes(binary.AppendVarint(w.buf[:0], v[i]))
		}
	}
}

func (w *fileWriter) flush() error {
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return w.err
}

// fileReader reads what a fileWriter wrote; the first error stays, and all is 0 then.
type fileReader struct {
	r   *bufio.Reader
	err error
}

func (r *fileReader) fail(what string) { r.err = fmt.Errorf("%w: %s", errFile, what) }

// ended notes that the file ends too early.
func (r *fileReader) ended(err error) {
	if r.err == nil && err != nil {
		r.fail("it ends too early")
	}
}

// count reads a number up to a limit.
func (r *fileReader) count(limit int) int {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.r)
	if r.ended(err); r.err == nil && n > uint64(limit) {
		r.fail("a number out of range")
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

func (r *fileReader) float() float64 {
	var b [8]byte
	if r.err == nil {
		_, err := io.ReadFull(r.r, b[:])
		r.ended(err)
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

func (r *fileReader) text(n int) string {
	b := make([]byte, n)
	if r.err == nil {
		_, err := io.ReadFull(r.r, b)
		r.ended(err)
	}
	return string(b)
}

// grown is how many numbers are made room for at once, so that a damaged size takes no more memory than its file is
// long.
const grown = 1 << 16

func (r *fileReader) floats(n int) []float64 {
	v := make([]float64, 0, min(n, grown))
	for len(v) < n && r.err == nil {
		for k := r.count(n - len(v)); k > 0; k-- {
			v = append(v, 0)
		}
		if len(v) < n && r.err == nil {
			v = append(v, r.float())
		}
	}
	return v
}

func (r *fileReader) integers(n int) []int64 {
	v := make([]int64, 0, min(n, grown))
	for len(v) < n && r.err == nil {
		for k := r.count(n - len(v)); k > 0; k-- {
			v = append(v, 0)
		}
		if len(v) < n && r.err == nil {
			x, err := binary.ReadVarint(r.r)
			r.ended(err)
			v = append(v, x)
		}
	}
	return v
}
