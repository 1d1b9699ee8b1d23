package optimize

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
)

// State is a minimisation between two iterations: the point, its gradient and the
// curvature seen so far.
type State struct {
	X           []float64 // the point
	G           []float64 // gradient at X, without the L1 penalty
	Objective   float64   // value at X, with the L1 penalty
	Iteration   int       // iterations finished
	Evaluations int       // evaluations so far

	s, y  [][]float64 // ring of differences of points and gradients
	ys    []float64   // s·y by slot
	alpha []float64   // scratch of the two-loop recursion
	next  int         // slot of the next pair
	pairs int         // pairs held
	gamma float64     // s·y / y·y of the newest pair
	past  []float64   // objectives, by iteration modulo length
}

func newState(x []float64, memory, past int) *State {
	n := len(x)
	st := &State{X: x, G: make([]float64, n), ys: make([]float64, memory), past: make([]float64, past)}
	st.allocate(n)
	return st
}

func (st *State) allocate(n int) {
	m := len(st.ys)
	st.alpha = make([]float64, m)
	st.s, st.y = make([][]float64, m), make([][]float64, m)
	for i := range m {
		st.s[i], st.y[i] = make([]float64, n), make([]float64, n)
	}
}

// push adds the difference to the previous point in the place of the oldest pair. A pair without positive
// curvature would make the direction ascend: it is left out.
func (st *State) push(v *vectors, xp, gp []float64) {
	j := st.next
	ys, yy := v.pair(st.s[j], st.y[j], st.X, xp, st.G, gp)
	if !(ys > 0) || !(yy > 0) {
		st.pairs = min(st.pairs, len(st.ys)-1) // the pair that was here is gone
		return
	}
	st.ys[j], st.gamma = ys, ys/yy
	st.next = (j + 1) % len(st.ys)
	st.pairs = min(st.pairs+1, len(st.ys))
}

// slot is where the pair is kept that was pushed n pairs before the newest.
func (st *State) slot(age int) int { return (st.next - 1 - age + 2*len(st.ys)) % len(st.ys) }

// forget drops the curvature.
func (st *State) forget() { st.next, st.pairs = 0, 0 }

const stateMagic = "LBFGS\x00\x00\x01"

// Encode writes the state. The same state gives the same bytes.
func (st *State) Encode(w io.Writer) error {
	sum := crc32.NewIEEE()
	buf := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	if _, err := buf.WriteString(stateMagic); err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	head := []int{len(st.X), len(st.ys), len(st.past), st.Iteration, st.Evaluations, st.next, st.pairs}
	var word [8]byte
	for _, v := range head {
		binary.LittleEndian.PutUint64(word[:], uint64(v))
		buf.Write(word[:]) // errors stick to the buffer
	}
	put := func(p []float64) {
		for _, v := range p {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
			buf.Write(word[:])
		}
	}
	put([]float64{st.Objective, st.gamma})
	put(st.past)
	put(st.ys)
	put(st.X)
	put(st.G)
	for b := range st.pairs {
		j := st.slot(b)
		put(st.s[j])
		put(st.y[j])
	}
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	binary.LittleEndian.PutUint32(word[:4], sum.Sum32())
	if _, err := w.Write(word[:4]); err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	return nil
}

// stateReader reads words and sums them up; the first error sticks.
type stateReader struct {
	r   io.Reader
	sum hash.Hash32
	buf [4096]byte
	err error
}

func (r *stateReader) bytes(n int) []byte {
	p := r.buf[:n]
	if r.err == nil {
		_, r.err = io.ReadFull(r.r, p)
		r.sum.Write(p)
	}
	return p
}

func (r *stateReader) int(limit uint64) int {
	v := binary.LittleEndian.Uint64(r.bytes(8))
	if r.err == nil && v > limit {
		r.err = fmt.Errorf("number %d exceeds %d", v, limit)
	}
	if r.err != nil {
		return 0
	}
	return int(v)
}

// floats reads n values; memory grows only with what is really there.
func (r *stateReader) floats(n int) []float64 {
	var out []float64
	for len(out) < n && r.err == nil {
		k := min(n-len(out), len(r.buf)/8)
		p := r.bytes(8 * k)
		for i := range k {
			out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(p[8*i:])))
		}
	}
	return out
}

// DecodeState reads a state written by Encode. Damaged bytes give an error.
func DecodeState(r io.Reader) (*State, error) {
	in := &stateReader{r: r, sum: crc32.NewIEEE()}
	if magic := in.bytes(len(stateMagic)); in.err == nil && string(magic) != stateMagic {
		return nil, fmt.Errorf("%w: state begins with %q, want %q", ErrInvalid, magic, stateMagic)
	}
	const most = 1 << 40
	n, m, past := in.int(most), in.int(1<<16), in.int(1<<20)
	st := &State{Iteration: in.int(most), Evaluations: in.int(most), next: in.int(1 << 16), pairs: in.int(1 << 16)}
	if in.err == nil && (m < 1 || st.next >= m || st.pairs > m) {
		in.err = fmt.Errorf("ring of %d pairs at %d in %d slots", st.pairs, st.next, m)
	}
	if v := in.floats(2); in.err == nil {
		st.Objective, st.gamma = v[0], v[1]
	}
	st.past, st.ys, st.X, st.G = in.floats(past), in.floats(m), in.floats(n), in.floats(n)
	if in.err == nil {
		st.alpha, st.s, st.y = make([]float64, m), make([][]float64, m), make([][]float64, m)
	}
	for b := 0; b < st.pairs && in.err == nil; b++ {
		j := (st.next - 1 - b + 2*m) % m
		st.s[j], st.y[j] = in.floats(n), in.floats(n)
	}
	want := in.sum.Sum32()
	if got := binary.LittleEndian.Uint32(in.bytes(4)); in.err == nil && got != want {
		in.err = fmt.Errorf("checksum %08x, want %08x", got, want)
	}
	if in.err != nil {
		return nil, fmt.Errorf("%w: damaged state: %w", ErrInvalid, in.err)
	}
	for j := range st.s {
		if st.s[j] == nil {
			st.s[j], st.y[j] = make([]float64, n), make([]float64, n)
		}
	}
	return st, nil
}
