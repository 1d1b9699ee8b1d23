package agreement

// Table counts pairs of labels numbered from 0, those of the first rater by those of the second.
type Table struct {
	n     int
	cells []float64
}

// NewTable returns an empty table of n labels.
func NewTable(n int) *Table { return &Table{n, make([]float64, n*n)} }

// Add counts a pair of labels as often as times says.
func (t *Table) Add(a, b int32, times float64) { t.cells[int(a)*t.n+int(b)] += times }

// Clear removes all counts.
func (t *Table) Clear() { clear(t.cells) }

// Kappa returns the agreement of two raters beyond chance (Cohen 1960),
//
//	κ = (p_o − p_e) / (1 − p_e),  p_o = Σ_l n_ll / n,  p_e = Σ_l n_l· n_·l / n²,
//
// at most 1; 0 without pairs, and 1 where both raters always give the same one label.
func (t *Table) Kappa() float64 {
	total, same := 0.0, 0.0
	rows, columns := make([]float64, t.n), make([]float64, t.n)
	for i := range t.n {
		for j := range t.n {
			c := t.cells[i*t.n+j]
			total += c
			rows[i] += c
			columns[j] += c
		}
		same += t.cells[i*t.n+i]
	}
	if total == 0 {
		return 0
	}
	chance := 0.0
	for l := range rows {
		chance += rows[l] / total * (columns[l] / total)
	}
	return beyond(same/total, chance)
}

// beyond is (observed − chance) / (1 − chance).
func beyond(observed, chance float64) float64 {
	switch {
	case chance < 1:
		return (observed - chance) / (1 - chance)
	case observed == 1:
		return 1
	}
	return 0
}

// Cohen returns the kappa of two raters who labelled the same items with labels from 0 to n−1.
func Cohen(a, b []int32, n int) float64 {
	t := NewTable(n)
	for i := range a {
		t.Add(a[i], b[i], 1)
	}
	return t.Kappa()
}

// Fleiss returns the agreement of many raters beyond chance (Fleiss 1971). A row counts how many
// raters gave an item each label; rows of fewer than two raters do not count. With r_i raters of
// item i, N items and n_il of its raters for label l,
//
//	P_i = Σ_l n_il (n_il − 1) / (r_i (r_i − 1)),  p_l = Σ_i n_il / Σ_i r_i,
//	κ = (mean P_i − Σ_l p_l²) / (1 − Σ_l p_l²).
//
// It returns 0 without such items.
func Fleiss(rows [][]int) float64 {
	items, agreeing, raters := 0, 0.0, 0.0
	var labels []float64
	for _, row := range rows {
		n, pairs := 0, 0
		for _, c := range row {
			n += c
			pairs += c * (c - 1)
		}
		if n < 2 {
			continue
		}
		items++
		raters += float64(n)
		agreeing += float64(pairs) / float64(n*(n-1))
		for l, c := range row {
			for l >= len(labels) {
				labels = append(labels, 0)
			}
			labels[l] += float64(c)
		}
	}
	if items == 0 {
		return 0
	}
	chance := 0.0
	for _, c := range labels {
		chance += c / raters * (c / raters)
	}
	return beyond(agreeing/float64(items), chance)
}
