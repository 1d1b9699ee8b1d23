package kind

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"unsafe"
)

// Writer receives the named sections of a model. Sections are written one after the other;
// a name comes once.
type Writer struct {
	sink func(section string, p []byte) error
	hash hash.Hash
	seen map[string]bool
	n    int64
	buf  []byte
}

// NewWriter returns a writer that hands every piece to sink.
func NewWriter(sink func(section string, p []byte) error) *Writer {
	return &Writer{sink: sink, hash: sha256.New(), seen: map[string]bool{}}
}

// Sum returns the hash of names and contents written so far.
func (w *Writer) Sum() [32]byte {
	var out [32]byte
	copy(out[:], w.hash.Sum(nil))
	return out
}

// Size returns the bytes written so far.
func (w *Writer) Size() int64 { return w.n }

// begin opens a section of the given length.
func (w *Writer) begin(section string, size int) error {
	if w.seen[section] {
		return fmt.Errorf("section %s written twice", section)
	}
	w.seen[section] = true
	fmt.Fprintf(w.hash, "%s:%d:", section, size)
	return nil
}

func (w *Writer) put(section string, p []byte) error {
	w.hash.Write(p)
	w.n += int64(len(p))
	return w.sink(section, p)
}

// Bytes writes a section.
func (w *Writer) Bytes(section string, p []byte) error {
	if err := w.begin(section, len(p)); err != nil {
		return err
	}
	return w.put(section, p)
}

// Section writes a section of a size in pieces, which write hands to put one after the other.
func (w *Writer) Section(section string, size int, write func(put func(p []byte) error) error) error {
	if err := w.begin(section, size); err != nil {
		return err
	}
	return write(func(p []byte) error { return w.put(section, p) })
}

// JSON writes v as JSON; maps have sorted keys there, so equal values give equal bytes.
func (w *Writer) JSON(section string, v any) error {
	p, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.Bytes(section, p)
}

const pieceBytes = 1 << 20

// words writes n fixed-size words in pieces of at most 1 MB.
func (w *Writer) words(section string, n, size int, put func(dst []byte, i int)) error {
	if err := w.begin(section, n*size); err != nil {
		return err
	}
	if w.buf == nil {
		w.buf = make([]byte, pieceBytes)
	}
	for i := 0; i < n || i == 0; {
		k := min(n-i, pieceBytes/size)
		for j := range k {
			put(w.buf[j*size:], i+j)
		}
		if err := w.put(section, w.buf[:k*size]); err != nil {
			return err
		}
		if i += k; k == 0 {
			break
		}
	}
	return nil
}

// Uint32s writes a section of 32-bit words, little endian.
func (w *Writer) Uint32s(section string, v []uint32) error {
	return w.words(section, len(v), 4, func(b []byte, i int) { binary.LittleEndian.PutUint32(b, v[i]) })
}

// Uint64s writes a section of 64-bit words, little endian.
func (w *Writer) Uint64s(section string, v []uint64) error {
	return w.words(section, len(v), 8, func(b []byte, i int) { binary.LittleEndian.PutUint64(b, v[i]) })
}

// Float64s writes a section of float64 values.
func (w *Writer) Float64s(section string, v []float64) error {
	return w.words(section, len(v), 8, func(b []byte, i int) { binary.LittleEndian.PutUint64(b, math.Float64bits(v[i])) })
}

// Float32s writes a section of float32 values.
func (w *Writer) Float32s(section string, v []float32) error {
	return w.words(section, len(v), 4, func(b []byte, i int) { binary.LittleEndian.PutUint32(b, math.Float32bits(v[i])) })
}

// Strings writes a section of strings: count, lengths, bytes.
func (w *Writer) Strings(section string, v []string) error {
	head := binary.AppendUvarint(nil, uint64(len(v)))
	size := 0
	for _, s := range v {
		head = binary.AppendUvarint(head, uint64(len(s)))
		size += len(s)
	}
	if err := w.begin(section, len(head)+size); err != nil {
		return err
	}
	if err := w.put(section, head); err != nil {
		return err
	}
	piece := make([]byte, 0, min(size, pieceBytes))
	for i, s := range v {
		for piece = append(piece, s...); len(piece) >= pieceBytes || i == len(v)-1 && len(piece) > 0; {
			k := min(len(piece), pieceBytes)
			if err := w.put(section, piece[:k]); err != nil {
				return err
			}
			piece = piece[:copy(piece, piece[k:])]
		}
	}
	return nil
}

// Chunks writes a section of bytes that lie in several places, one after the other.
func (w *Writer) Chunks(section string, chunks [][]byte) error {
	size := 0
	for _, p := range chunks {
		size += len(p)
	}
	if err := w.begin(section, size); err != nil {
		return err
	}
	if size == 0 {
		return w.put(section, nil)
	}
	for _, p := range chunks {
		if err := w.put(section, p); err != nil {
			return err
		}
	}
	return nil
}

// Stream writes a section that write makes, which is called twice and must give the same bytes: the length of a section
// comes before it. Of what it writes no more than a piece is in memory.
func (w *Writer) Stream(section string, write func(io.Writer) error) error {
	var size counter
	if err := write(&size); err != nil {
		return err
	}
	if err := w.begin(section, int(size)); err != nil {
		return err
	}
	pieces := bufio.NewWriterSize(&sectionWriter{w, section, &size}, pieceBytes)
	if size == 0 {
		return w.put(section, nil)
	}
	if err := write(pieces); err != nil {
		return err
	}
	if err := pieces.Flush(); err != nil {
		return err
	}
	if size != 0 {
		return fmt.Errorf("section %s: %d bytes fewer than before", section, size)
	}
	return nil
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// sectionWriter writes pieces of an open section, of which some bytes are left.
type sectionWriter struct {
	w       *Writer
	section string
	left    *counter
}

func (s *sectionWriter) Write(p []byte) (int, error) {
	if *s.left -= counter(len(p)); *s.left < 0 {
		return 0, fmt.Errorf("section %s: more bytes than before", s.section)
	}
	if err := s.w.put(s.section, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Within writes the sections that encode writes under names that begin with a prefix and a dot. They are in memory at
// once.
func (w *Writer) Within(prefix string, encode func(*Writer) error) error {
	var names []string
	parts := map[string][]byte{}
	err := encode(NewWriter(func(name string, p []byte) error {
		if _, ok := parts[name]; !ok {
			names = append(names, name)
		}
		parts[name] = append(parts[name], p...)
		return nil
	}))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := w.Bytes(prefix+"."+name, parts[name]); err != nil {
			return err
		}
	}
	return nil
}

// Reader reads named sections. Its errors wrap ErrCorrupt.
type Reader struct {
	section func(name string) ([]byte, error)
}

// NewReader returns a reader over a function that gives the bytes of a section. They belong to the model that is read,
// which may keep and change them.
func NewReader(section func(name string) ([]byte, error)) *Reader { return &Reader{section} }

// Within reads what the Within of a Writer wrote.
func (r *Reader) Within(prefix string) *Reader {
	return NewReader(func(name string) ([]byte, error) { return r.Bytes(prefix + "." + name) })
}

// Bytes returns a section; the caller must not change it.
func (r *Reader) Bytes(section string) ([]byte, error) {
	p, err := r.section(section)
	if errors.Is(err, ErrNoSection) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf("section %s: %w", section, err))
	}
	if err != nil {
		return nil, fmt.Errorf("section %s: %w", section, err)
	}
	return p, nil
}

// Has reports whether there is a section.
func (r *Reader) Has(section string) (bool, error) {
	_, err := r.Bytes(section)
	if errors.Is(err, ErrNoSection) {
		return false, nil
	}
	return err == nil, err
}

// JSON decodes a section into v.
func (r *Reader) JSON(section string, v any) error {
	p, err := r.Bytes(section)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(p, v); err != nil {
		return Corrupt(section, "is not valid JSON")
	}
	return nil
}

// Corrupt returns an error that wraps ErrCorrupt and names the section.
func Corrupt(section, what string) error {
	return fmt.Errorf("%w: section %s %s", ErrCorrupt, section, what)
}

func (r *Reader) wordsOf(section string, size int) ([]byte, error) {
	p, err := r.Bytes(section)
	if err == nil && len(p)%size != 0 {
		err = Corrupt(section, fmt.Sprintf("has %d bytes, no multiple of %d", len(p), size))
	}
	return p, err
}

// Uint32s reads a section of 32-bit words.
func (r *Reader) Uint32s(section string) ([]uint32, error) {
	p, err := r.wordsOf(section, 4)
	if err != nil {
		return nil, err
	}
	return wordsIn(p, binary.LittleEndian.Uint32), nil
}

// Uint64s reads a section of 64-bit words.
func (r *Reader) Uint64s(section string) ([]uint64, error) {
	p, err := r.wordsOf(section, 8)
	if err != nil {
		return nil, err
	}
	return wordsIn(p, binary.LittleEndian.Uint64), nil
}

// Float64s reads a section of float64 values.
func (r *Reader) Float64s(section string) ([]float64, error) {
	p, err := r.wordsOf(section, 8)
	if err != nil {
		return nil, err
	}
	return wordsIn(p, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }), nil
}

// Float32s reads a section of float32 values.
func (r *Reader) Float32s(section string) ([]float32, error) {
	p, err := r.wordsOf(section, 4)
	if err != nil {
		return nil, err
	}
	return wordsIn(p, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }), nil
}

// Strings reads a section of strings; they share one allocation.
func (r *Reader) Strings(section string) ([]string, error) {
	p, err := r.Bytes(section)
	if err != nil {
		return nil, err
	}
	n, k := binary.Uvarint(p)
	if k <= 0 || n > uint64(len(p)) {
		return nil, Corrupt(section, "has a wrong count")
	}
	p = p[k:]
	lens := p
	total := 0
	for range n {
		l, k := binary.Uvarint(p)
		if k <= 0 || l > uint64(len(p)) {
			return nil, Corrupt(section, "has a wrong length")
		}
		p = p[k:]
		if total += int(l); total > len(p)+int(n) {
			return nil, Corrupt(section, "has wrong lengths")
		}
	}
	if total != len(p) {
		return nil, Corrupt(section, "has lengths that do not add up")
	}
	all := unsafe.String(unsafe.SliceData(p), len(p)) // nobody changes the bytes of a section
	out := make([]string, n)
	for i := range out {
		l, k := binary.Uvarint(lens)
		out[i], all, lens = all[:l], all[l:], lens[k:]
	}
	return out, nil
}
