package attributes

import (
	"math"

	"parlance/algo/kind"
)

// Encode writes the classes and their candidates, column by column.
func (m *model) Encode(w *kind.Writer) error {
	var names, nouns []string
	var numbers []uint32
	var counts []float64
	for _, x := range m.classes {
		names, numbers = append(names, x.name), append(numbers, uint32(x.documents), uint32(len(x.candidates)))
		for _, c := range x.candidates {
			nouns, counts = append(nouns, c.noun), append(counts, c.n, c.f, c.t, float64(c.df), float64(c.all))
		}
	}
	numbers = append(numbers, uint32(m.documents))
	if err := w.Strings("classes", names); err != nil {
		return err
	}
	if err := w.Strings("nouns", nouns); err != nil {
		return err
	}
	if err := w.Uint32s("numbers", numbers); err != nil {
		return err
	}
	return w.Float64s("counts", counts)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	names, err := r.Strings("classes")
	if err != nil {
		return err
	}
	nouns, err := r.Strings("nouns")
	if err != nil {
		return err
	}
	numbers, err := r.Uint32s("numbers")
	if err != nil {
		return err
	}
	counts, err := r.Float64s("counts")
	if err != nil {
		return err
	}
	if len(numbers) != 2*len(names)+1 || len(counts) != 5*len(nouns) {
		return kind.Corrupt("numbers", "two a class and five counts a noun are wanted")
	}
	for _, x := range counts {
		if math.IsNaN(x) || x < 0 || x > math.MaxInt32 {
			return kind.Corrupt("counts", "has what is no count")
		}
	}
	m.documents = int(numbers[len(numbers)-1])
	m.classes = make([]class, len(names))
	at := 0
	for i, n := range names {
		k := int(numbers[2*i+1])
		if k > len(nouns)-at || i > 0 && names[i-1] >= n {
			return kind.Corrupt("classes", "are not as they were written")
		}
		x := class{name: n, documents: int(numbers[2*i]), candidates: make([]candidate, k)}
		for j := range x.candidates {
			c := counts[5*(at+j):]
			x.candidates[j] = candidate{noun: nouns[at+j], n: c[0], f: c[1], t: c[2], df: int(c[3]), all: int(c[4])}
		}
		m.classes[i], at = x, at+k
	}
	if at != len(nouns) {
		return kind.Corrupt("nouns", "has more than the classes")
	}
	return nil
}
