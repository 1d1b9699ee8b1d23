package metrics

import "parlance/algo/metrics/agreement"

// Kappa is the agreement of gold and predicted labels beyond chance (Cohen 1960), item by item.
func Kappa(label string, gold, predicted []string) Metric {
	p := &labelPairs{ids: map[string]int32{}}
	for i := range gold {
		p.x, p.y = append(p.x, p.id(gold[i])), append(p.y, p.id(predicted[i]))
	}
	return Metric{Name: "kappa", Label: label, Combine: Resample, Sample: p, Support: float64(len(gold))}
}

// labelPairs is items with a gold and a predicted label.
type labelPairs struct {
	ids  map[string]int32
	x, y []int32
}

func (p *labelPairs) id(label string) int32 {
	id, ok := p.ids[label]
	if !ok {
		id = int32(len(p.ids))
		p.ids[label] = id
	}
	return id
}

func (p *labelPairs) Len() int { return len(p.x) }

func (p *labelPairs) Weighted() func([]float64) float64 {
	t := agreement.NewTable(len(p.ids))
	return func(times []float64) float64 {
		t.Clear()
		for i, n := range times {
			t.Add(p.x[i], p.y[i], n)
		}
		return t.Kappa()
	}
}

// Swapped swaps the predicted labels of an item.
func (p *labelPairs) Swapped(other Sample) func([]bool) (float64, float64) {
	o, ok := other.(*labelPairs)
	if !ok || len(o.x) != len(p.x) {
		return nil
	}
	ids, names := map[string]int32{}, [2][]string{p.labels(), o.labels()}
	translate := func(side int, list []int32) []int32 {
		out := make([]int32, len(list))
		for i, x := range list {
			name := names[side][x]
			if _, known := ids[name]; !known {
				ids[name] = int32(len(ids))
			}
			out[i] = ids[name]
		}
		return out
	}
	x, u, v := translate(0, p.x), translate(0, p.y), translate(1, o.y)
	a, b := agreement.NewTable(len(ids)), agreement.NewTable(len(ids))
	return func(swap []bool) (float64, float64) {
		a.Clear()
		b.Clear()
		for i, s := range swap {
			first, second := u[i], v[i]
			if s {
				first, second = second, first
			}
			a.Add(x[i], first, 1)
			b.Add(x[i], second, 1)
		}
		return a.Kappa(), b.Kappa()
	}
}

// labels returns the names of the labels by number.
func (p *labelPairs) labels() []string {
	out := make([]string, len(p.ids))
	for name, id := range p.ids {
		out[id] = name
	}
	return out
}
