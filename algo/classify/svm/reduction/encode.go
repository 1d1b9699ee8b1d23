package reduction

import (
	"math"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// header is what the sections begin with.
type header struct {
	Scheme   Scheme
	Classes  int
	Label    []uint16 `json:",omitempty"`
	Kernel   solver.Kernel
	Width    int
	Valued   bool
	Sigmoids bool
}

// Encode writes the machines in sections that begin with "machines." and "chain.".
func (m *Machines) Encode(w *kind.Writer) error {
	h := header{Scheme: m.Scheme, Classes: m.Classes, Label: m.Label, Kernel: m.Kernel, Sigmoids: m.Sigmoids != nil}
	if !m.Linear() {
		h.Width, h.Valued = m.Pool.Rows().Width, m.Pool.Rows().Values != nil
	}
	if err := w.JSON("machines", h); err != nil {
		return err
	}
	if h.Sigmoids {
		var ab []float64
		for _, s := range m.Sigmoids {
			ab = append(ab, s.A, s.B)
		}
		if err := w.Float64s("machines.sigmoids", ab); err != nil {
			return err
		}
	}
	if m.Linear() {
		return tagger.Encode(w, m.Weights)
	}
	return m.encodeVectors(w)
}

func (m *Machines) encodeVectors(w *kind.Writer) error {
	x, sizes, places, coefs := m.Pool.Rows(), []uint32(nil), []uint32(nil), []float64(nil)
	for k, v := range m.vectors {
		sizes, places, coefs = append(sizes, uint32(len(v))), append(places, v...), append(coefs, m.coefs[k]...)
	}
	for _, s := range []struct {
		name string
		v    []uint32
	}{{"machines.offsets", x.Offsets}, {"machines.columns", x.Columns}, {"machines.sizes", sizes},
		{"machines.vectors", places}} {
		if err := w.Uint32s(s.name, s.v); err != nil {
			return err
		}
	}
	if x.Values != nil {
		if err := w.Float32s("machines.values", x.Values); err != nil {
			return err
		}
	}
	if err := w.Float64s("machines.coefficients", coefs); err != nil {
		return err
	}
	return w.Float64s("machines.b", m.offset)
}

// Decode reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func Decode(r *kind.Reader) (*Machines, error) {
	var h header
	if err := r.JSON("machines", &h); err != nil {
		return nil, err
	}
	if h.Classes < 1 || h.Classes > math.MaxUint16 || h.Scheme > CrammerSinger || h.Kernel.Shape > solver.Radial ||
		h.Width < 0 || h.Width > math.MaxUint32 || h.Kernel.Degree > maxDegree {
		return nil, kind.Corrupt("machines", "has numbers out of range")
	}
	if h.Label != nil && (len(h.Label) != h.Classes || h.Scheme != Pairwise) {
		return nil, kind.Corrupt("machines", "has other labels than classes")
	}
	m := &Machines{Scheme: h.Scheme, Classes: h.Classes, Label: h.Label, Kernel: h.Kernel}
	count := m.Scheme.Count(m.Classes)
	if h.Sigmoids {
		ab, err := r.Float64s("machines.sigmoids")
		if err != nil {
			return nil, err
		}
		if len(ab) != 2*count {
			return nil, kind.Corrupt("machines.sigmoids", "a pair for each machine is wanted")
		}
		for k := range count {
			m.Sigmoids = append(m.Sigmoids, solver.Sigmoid{A: ab[2*k], B: ab[2*k+1]})
		}
	}
	if h.Kernel.Shape != solver.Dot {
		return m, m.decodeVectors(r, h, count)
	}
	var err error
	if m.Weights, err = tagger.Decode(r); err != nil {
		return nil, err
	}
	if m.Weights.Labels() != max(1, count) || m.Weights.Attributes() < 1 {
		return nil, kind.Corrupt("chain.size", "a column for each machine is wanted")
	}
	return m, nil
}

// maxDegree is the largest degree of a polynomial kernel.
const maxDegree = 20

func (m *Machines) decodeVectors(r *kind.Reader, h header, count int) (err error) {
	x := &solver.Rows{Width: h.Width}
	var sizes, places []uint32
	for _, s := range []struct {
		name string
		v    *[]uint32
	}{{"machines.offsets", &x.Offsets}, {"machines.columns", &x.Columns}, {"machines.sizes", &sizes},
		{"machines.vectors", &places}} {
		if *s.v, err = r.Uint32s(s.name); err != nil {
			return err
		}
	}
	if h.Valued {
		if x.Values, err = r.Float32s("machines.values"); err != nil {
			return err
		}
	}
	coefs, err := r.Float64s("machines.coefficients")
	if err != nil {
		return err
	}
	if m.offset, err = r.Float64s("machines.b"); err != nil {
		return err
	}
	if len(m.offset) != count || len(sizes) != count || len(coefs) != len(places) {
		return kind.Corrupt("machines.sizes", "one for each machine is wanted")
	}
	if len(x.Offsets) == 0 || x.Offsets[0] != 0 || h.Width > maxWidth(x) {
		return kind.Corrupt("machines.offsets", "are those of no rows")
	}
	for i := 1; i < len(x.Offsets); i++ {
		if x.Offsets[i] < x.Offsets[i-1] {
			return kind.Corrupt("machines.offsets", "fall")
		}
	}
	if err := x.Check(); err != nil {
		return kind.Corrupt("machines.columns", err.Error())
	}
	for _, n := range sizes {
		if int(n) > len(places) {
			return kind.Corrupt("machines.sizes", "are too large")
		}
		for _, p := range places[:n] {
			if int(p) >= x.Len() {
				return kind.Corrupt("machines.vectors", "names an unknown vector")
			}
		}
		m.vectors, m.coefs = append(m.vectors, places[:n]), append(m.coefs, coefs[:n])
		places, coefs = places[n:], coefs[n:]
	}
	m.Pool = solver.NewPool(m.Kernel, x)
	return nil
}

// maxWidth is one more than the largest column.
func maxWidth(x *solver.Rows) int {
	n := 0
	for _, c := range x.Columns {
		n = max(n, int(c)+1)
	}
	return n
}
