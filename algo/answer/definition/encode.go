package definition

import (
	"slices"

	"parlance/algo/kind"
)

// header is what stands beside the lists.
type header struct {
	Bias  float64
	Sizes [2]int // definitions and other sentences of the training
}

// Encode writes patterns and weights, or the machine of windows.
func (m *model) Encode(w *kind.Writer) error {
	h := header{m.bias, m.sizes}
	if m.machine != nil {
		h.Bias = m.machine.bias
	}
	if err := w.JSON("header", h); err != nil {
		return err
	}
	if m.opt.method == byWindows {
		return m.machine.encode(w)
	}
	n := len(m.kept)
	hashes, texts, what, counts := make([]uint64, n), make([]string, n), make([]byte, n), make([]uint32, 2*n)
	for i, p := range m.kept {
		hashes[i], texts[i], what[i] = p.hash, p.text, p.kind*reps+p.rep
		counts[2*i], counts[2*i+1] = p.pos, p.neg
	}
	for _, write := range []func() error{
		func() error { return w.Uint64s("hashes", hashes) },
		func() error { return w.Strings("patterns", texts) },
		func() error { return w.Bytes("types", what) },
		func() error { return w.Uint32s("counts", counts) },
		func() error { return w.Float64s("weights", m.weights) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	var h header
	if err = r.JSON("header", &h); err != nil {
		return err
	}
	m.sizes = h.Sizes
	if m.opt.method == byWindows {
		if m.machine, err = decodeMachine(r, &m.opt); err == nil {
			m.machine.bias = h.Bias
		}
		return err
	}
	m.bias = h.Bias
	var hashes []uint64
	var texts []string
	var what []byte
	var counts []uint32
	for _, read := range []func() error{
		func() (err error) { hashes, err = r.Uint64s("hashes"); return },
		func() (err error) { texts, err = r.Strings("patterns"); return },
		func() (err error) { what, err = r.Bytes("types"); return },
		func() (err error) { counts, err = r.Uint32s("counts"); return },
		func() (err error) { m.weights, err = r.Float64s("weights"); return },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	n := len(hashes)
	if len(texts) != n || len(what) != n || len(counts) != 2*n || len(m.weights) != n || !slices.IsSorted(hashes) {
		return kind.Corrupt("hashes", "has not one pattern a weight, by rising hash")
	}
	m.kept = make([]pattern, n)
	for i := range m.kept {
		if int(what[i]) >= reps*len(patternTypes) {
			return kind.Corrupt("types", "has an unknown type")
		}
		m.kept[i] = pattern{hash: hashes[i], kind: what[i] / reps, rep: what[i] % reps, pos: counts[2*i],
			neg: counts[2*i+1], text: texts[i]}
	}
	m.index = indexOf(m.kept)
	return nil
}
