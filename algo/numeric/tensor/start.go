package tensor

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/numeric/parallel"

	"gonum.org/v1/gonum/blas"
)

// start sets A.
func (f *fit) start(ctx context.Context) error {
	if f.Init == Random {
		random := rand.New(rand.NewPCG(f.Seed, 1))
		for i := range f.a {
			f.a[i] = random.NormFloat64() / math.Sqrt(float64(f.r))
		}
		return nil
	}
	_, vectors, err := f.t.symmetric().top(ctx, f.r, f.Seed, f.workers)
	f.a = vectors
	return err
}

// symmetric is a sparse symmetric matrix, row after row.
type symmetric struct {
	n       int
	offsets []int32
	cols    []int32
	values  []float64
}

// symmetric is Σ_k (X_k + X_k').
func (t *tensor) symmetric() *symmetric {
	var cells []cell
	for k := range t.slices {
		s := &t.slices[k]
		for i, e := range s.rows {
			for c := s.offsets[i]; c < s.offsets[i+1]; c++ {
				cells = append(cells, cell{e, s.cols[c], s.value(c)}, cell{s.cols[c], e, s.value(c)})
			}
		}
	}
	slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	m := &symmetric{n: t.n, offsets: make([]int32, t.n+1)}
	for x, c := range cells {
		if x > 0 && cells[x-1].i == c.i && cells[x-1].j == c.j {
			m.values[len(m.values)-1] += c.value
			continue
		}
		m.cols, m.values = append(m.cols, c.j), append(m.values, c.value)
		m.offsets[c.i+1]++
	}
	for i := range t.n {
		m.offsets[i+1] += m.offsets[i]
	}
	return m
}

// Matrices of at most smallOrder are decomposed densely; others by iterating on a subspace of spare
// more columns than wanted.
const (
	smallOrder = 256
	spare      = 16
	maxSweeps  = 20
	settled    = 1e-3
)

// top finds the k eigenvalues of largest size and their vectors (n×k, orthonormal columns), by
// falling size, of two that differ in sign only the positive one first. The largest component of a
// vector is positive.
func (m *symmetric) top(ctx context.Context, k int, seed uint64, workers int) (values, vectors []float64, err error) {
	if m.n <= max(smallOrder, k+spare) {
		values, vectors, err = m.dense()
	} else {
		values, vectors, err = m.subspace(ctx, k, seed, workers)
	}
	if err != nil {
		return nil, nil, err
	}
	values, vectors = largest(values, vectors, m.n, k)
	return values, vectors, nil
}

func (m *symmetric) dense() (values, vectors []float64, err error) {
	d := make([]float64, m.n*m.n)
	for i := range m.n {
		for x := m.offsets[i]; x < m.offsets[i+1]; x++ {
			d[i*m.n+int(m.cols[x])] = m.values[x]
		}
	}
	values, err = eigen(d, m.n)
	return values, d, err
}

// largest picks k of the columns.
func largest(values, vectors []float64, n, k int) ([]float64, []float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(values[b]), math.Abs(values[a])) })
	for i := 1; i < len(order); i++ {
		a, b := values[order[i-1]], values[order[i]]
		if a < 0 && b > 0 && b >= -a*(1-1e-9) {
			order[i-1], order[i] = order[i], order[i-1]
		}
	}
	c := len(values)
	picked, out := make([]float64, k), make([]float64, n*k)
	for to, from := range order[:k] {
		picked[to] = values[from]
		peak := 0.0
		for i := range n {
			if x := vectors[i*c+from]; math.Abs(x) > math.Abs(peak)*(1+1e-9) {
				peak = x
			}
		}
		for i := range n {
			out[i*k+to] = math.Copysign(1, peak) * vectors[i*c+from]
		}
	}
	return picked, out
}

// subspace iterates Q ← orth(M Q) until ‖M Q‖², which grows to the sum of the squared values, settles,
// and takes the eigenpairs of Q'MQ (Rayleigh-Ritz).
func (m *symmetric) subspace(ctx context.Context, k int, seed uint64,
	workers int) (values, vectors []float64, err error) {
	c := min(m.n, k+spare)
	q, y := make([]float64, m.n*c), make([]float64, m.n*c)
	random := rand.New(rand.NewPCG(seed, 2))
	for i := range q {
		q[i] = random.NormFloat64()
	}
	last := 0.0
	for sweep := range maxSweeps {
		if err := m.times(ctx, y, q, c, workers); err != nil {
			return nil, nil, err
		}
		q, y = y, q
		total, err := orthonormal(ctx, q, m.n, c, workers)
		if err != nil {
			return nil, nil, err
		}
		if sweep > 1 && math.Abs(total-last) <= settled*total {
			break
		}
		last = total
	}
	// The factor of a product is exact to the square of its condition: a second one makes up for it.
	if _, err := orthonormal(ctx, q, m.n, c, workers); err != nil {
		return nil, nil, err
	}
	if err := m.times(ctx, y, q, c, workers); err != nil {
		return nil, nil, err
	}
	small := make([]float64, c*c)
	if err := inner(ctx, small, q, y, m.n, c, workers); err != nil {
		return nil, nil, err
	}
	if values, err = eigen(small, c); err != nil {
		return nil, nil, err
	}
	return values, q, product(ctx, q, small, m.n, c, workers)
}

// times sets y to M q, both n×c.
func (m *symmetric) times(ctx context.Context, y, q []float64, c, workers int) error {
	return parallel.For(ctx, workers, parallel.Blocks(m.n, rowBlock), func(_, b int) error {
		from, to := parallel.Block(b, m.n, rowBlock)
		for i := from; i < to; i++ {
			row := y[i*c : (i+1)*c]
			clear(row)
			for x := m.offsets[i]; x < m.offsets[i+1]; x++ {
				j := int(m.cols[x])
				add(row, m.values[x], q[j*c:(j+1)*c])
			}
		}
		return nil
	})
}

// inner sets small to q'y, or the upper triangle to q'q without y, in parts of a fixed size, added in their order.
func inner(ctx context.Context, small, q, y []float64, n, c, workers int) error {
	size := max(rowBlock, (n+15)/16)
	parts := make([][]float64, parallel.Blocks(n, size))
	err := parallel.For(ctx, workers, len(parts), func(_, i int) error {
		from, to := parallel.Block(i, n, size)
		parts[i] = make([]float64, c*c)
		if y == nil {
			outer(parts[i], q[from*c:], c, to-from, true)
		} else {
			multiply(parts[i], q[from*c:], y[from*c:], c, to-from, c, true, false, false)
		}
		return nil
	})
	for _, p := range parts {
		if err == nil {
			add(small, 1, p)
		}
	}
	return err
}

// product replaces q (n×c) by q m.
func product(ctx context.Context, q, m []float64, n, c, workers int) error {
	return parallel.For(ctx, workers, parallel.Blocks(n, rowBlock), func(_, b int) error {
		from, to := parallel.Block(b, n, rowBlock)
		x := slices.Clone(q[from*c : to*c])
		multiply(q[from*c:], x, m, to-from, c, c, false, false, false)
		return nil
	})
}

// orthonormal makes the columns of q orthonormal: q U⁻¹ with q'q = U'U, or where columns depend on
// each other through the eigenvectors of q'q, with zeros for what is missing. It returns ‖q‖² before.
func orthonormal(ctx context.Context, q []float64, n, c, workers int) (float64, error) {
	g := make([]float64, c*c)
	if err := inner(ctx, g, q, nil, n, c, workers); err != nil {
		return 0, err
	}
	total := 0.0
	for i := range c {
		total += g[i*c+i]
	}
	change := slices.Clone(g)
	if factor(change, c) {
		linear.Dtrtri(blas.Upper, blas.NonUnit, c, change, c)
		for i := range c {
			clear(change[i*c : i*c+i])
		}
		return total, product(ctx, q, change, n, c, workers)
	}
	w, err := eigen(g, c)
	if err != nil {
		return 0, err
	}
	clip(w)
	for j, x := range w {
		if x > 0 {
			x = 1 / math.Sqrt(x)
		}
		for i := range c {
			change[i*c+j] = g[i*c+j] * x
		}
	}
	return total, product(ctx, q, change, n, c, workers)
}
