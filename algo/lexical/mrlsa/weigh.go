package mrlsa

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"parlance/algo/numeric/lowrank"
	"parlance/algo/option"
)

// factors reads name=number.
func factors(list []string) (map[string]float64, error) {
	pairs, err := assignments("scales", list)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, p := range pairs {
		x, err := strconv.ParseFloat(p[1], 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("option scales: '%s' is no positive factor of %s", p[1], p[0])
		}
		out[p[0]] = x
	}
	return out, nil
}

// weigh makes a matrix of each slice (section 3.2):
//
//	W[i,j,k] = c_k · tf[i,j,k] · idf[j,k],  idf = ln(rows / df)
//
// With idf = joint the df of a word is the number of rows that list it under any symmetric relation,
// so that synonyms less antonyms are the matrix of PILSA; other slices have their own.
func (m *model) weigh(d *data) ([]*lowrank.Matrix, error) {
	scale, err := factors(m.opt.scales)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(scale)) {
		if !slices.Contains(d.relations, name) {
			return nil, fmt.Errorf("option scales: there is no relation %s%s", name, option.DidYouMean(name, d.relations))
		}
	}
	idf := m.rarity(d)
	var out []*lowrank.Matrix
	for k, name := range d.relations {
		s := slice{Name: name, Symmetric: slices.Contains(m.opt.symmetric, name), Scale: 1}
		if c, ok := scale[name]; ok {
			s.Scale = c
		}
		w, err := lowrank.NewMatrix(len(d.rows.names), len(d.words.names), d.cells[k])
		if err != nil {
			return nil, fmt.Errorf("relation %s: %w", name, err)
		}
		for i, c := range w.Columns {
			w.Values[i] *= s.Scale * idf[k][c]
			if w.Values[i] != 0 {
				s.Nonzeros++
			}
		}
		m.Slices, out = append(m.Slices, s), append(out, w)
	}
	if m.opt.rowNorm {
		normalize(out)
	}
	m.Pivot = slices.Index(d.relations, m.opt.pivot)
	m.Words, m.Rows = d.words.names, uint32(len(d.rows.names))
	m.IDF = idf[m.Pivot]
	m.DF = frequencies(d, func(int) bool { return true })
	return out, nil
}

// normalize gives each row of the tensor, over all slices, length 1.
func normalize(w []*lowrank.Matrix) {
	for i := range w[0].Rows {
		sum := 0.0
		for _, x := range w {
			_, values := x.Row(i)
			for _, v := range values {
				sum += v * v
			}
		}
		if length := math.Sqrt(sum); length > 0 && !math.IsInf(length, 0) {
			for _, x := range w {
				_, values := x.Row(i)
				for n := range values {
					values[n] /= length
				}
			}
		}
	}
}

// rarity returns the weight of each word in each slice.
func (m *model) rarity(d *data) [][]float64 {
	joint := frequencies(d, func(k int) bool { return slices.Contains(m.opt.symmetric, d.relations[k]) })
	out := make([][]float64, len(d.relations))
	for k, name := range d.relations {
		df := joint
		if m.opt.idf == sliceIDF || !slices.Contains(m.opt.symmetric, name) {
			df = frequencies(d, func(l int) bool { return l == k })
		}
		out[k] = make([]float64, len(df))
		for j, n := range df {
			switch rows := float64(len(d.rows.names)); {
			case m.opt.idf == noIDF:
				out[k][j] = 1
			case n > 0 && m.opt.smooth:
				out[k][j] = math.Log((rows + 1) / float64(n))
			case n > 0:
				out[k][j] = math.Log(rows / float64(n))
			}
		}
	}
	return out
}

// frequencies counts for each word the rows that list it under one of some relations.
func frequencies(d *data, of func(k int) bool) []uint32 {
	var places [][2]uint32
	for k, cells := range d.cells {
		if of(k) {
			for _, c := range cells {
				places = append(places, [2]uint32{c.Col, c.Row})
			}
		}
	}
	slices.SortFunc(places, func(a, b [2]uint32) int {
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		return int(a[1]) - int(b[1])
	})
	df := make([]uint32, len(d.words.names))
	for i, p := range places {
		if i == 0 || p != places[i-1] {
			df[p[0]]++
		}
	}
	return df
}
