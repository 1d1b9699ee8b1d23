package labelhistory

import (
	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/seq/tagger"
)

// Transfer gives the weights of a model the numbers of other attributes, joint ones among them,
// and labels; what they do not know is left out. j is nil where no template reads labels.
func Transfer(old *Trained, labels []string, a *feature.Alphabet, j *feature.Joint) (*chain.Model, error) {
	c, err := tagger.Transfer(old.Chain, old.Alphabet, old.Labels, a, labels)
	if err != nil || j == nil {
		return c, err
	}
	known := map[string]uint32{}
	if old.Joint != nil {
		for i := old.Alphabet.Len(); i < old.Joint.Attributes(); i++ {
			known[old.Name(uint32(i))] = uint32(i)
		}
	}
	number := map[string]int{}
	for i, l := range labels {
		number[l] = i
	}
	p, row := c.Parts(), make([]float64, len(labels))
	p.AttrStart = append([]uint32{}, p.AttrStart...)
	for i := a.Len(); i < j.Attributes(); i++ {
		if attr, ok := known[j.Name(uint32(i), labels)]; ok {
			clear(row)
			ys, ws := old.Chain.Row(attr)
			for k, y := range ys {
				if n, ok := number[old.Labels[y]]; ok {
					row[n] = ws[k]
				}
			}
			for y, w := range row {
				if w != 0 {
					p.PairLabel, p.Weights = append(p.PairLabel, uint16(y)), append(p.Weights, w)
				}
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.PairLabel)))
	}
	p.Attributes = j.Attributes()
	return chain.NewModel(p)
}
