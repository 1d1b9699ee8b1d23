package value

// Rows is the rows [From, To) of one of several vectors.
type Rows struct{ Vec, From, To int }

// Interleave returns the rows of vectors of one type in the given order as a new vector.
func Interleave(vecs []Vec, rows []Rows) Vec {
	n := 0
	for _, r := range rows {
		n += r.To - r.From
	}
	out := Vec{Type: vecs[0].Type}
	switch {
	case every(vecs, func(v *Vec) bool { return v.Codes != nil }):
		out.Codes, out.Dict = interleaveCodes(vecs, rows, n)
	case every(vecs, func(v *Vec) bool { return v.Strs != nil }):
		out.Strs = interleave(vecs, rows, n, func(v *Vec) []string { return v.Strs })
	case every(vecs, func(v *Vec) bool { return v.Ints != nil }):
		out.Ints = interleave(vecs, rows, n, func(v *Vec) []int64 { return v.Ints })
	case every(vecs, func(v *Vec) bool { return v.Floats != nil }):
		out.Floats = interleave(vecs, rows, n, func(v *Vec) []float64 { return v.Floats })
	default: // of different forms
		col := make([]Value, 0, n)
		for _, r := range rows {
			for i := r.From; i < r.To; i++ {
				col = append(col, vecs[r.Vec].At(i))
			}
		}
		return FromValues(out.Type, col)
	}
	if !every(vecs, func(v *Vec) bool { return v.Null == nil }) {
		out.Null = make([]bool, 0, n)
		for _, r := range rows {
			if null := vecs[r.Vec].Null; null != nil {
				out.Null = append(out.Null, null[r.From:r.To]...)
			} else {
				out.Null = append(out.Null, make([]bool, r.To-r.From)...)
			}
		}
	}
	return out
}

func every(vecs []Vec, f func(*Vec) bool) bool {
	for i := range vecs {
		if !f(&vecs[i]) {
			return false
		}
	}
	return true
}

func interleave[T any](vecs []Vec, rows []Rows, n int, of func(*Vec) []T) []T {
	out := make([]T, 0, n)
	for _, r := range rows {
		out = append(out, of(&vecs[r.Vec])[r.From:r.To]...)
	}
	return out
}

// interleaveCodes does so for codes, with a dictionary of the words that come, of each vector apart.
func interleaveCodes(vecs []Vec, rows []Rows, n int) ([]uint32, *Dict) {
	dict := &Dict{}
	codes := make([][]uint32, len(vecs)) // of the words of each, from 1; 0 for those that did not come yet
	for i := range vecs {
		codes[i] = make([]uint32, len(vecs[i].Dict.Words))
	}
	out := make([]uint32, 0, n)
	for _, r := range rows {
		v, known := &vecs[r.Vec], codes[r.Vec]
		for _, c := range v.Codes[r.From:r.To] {
			if known[c] == 0 {
				dict.Words = append(dict.Words, v.Dict.Words[c])
				known[c] = uint32(len(dict.Words))
			}
			out = append(out, known[c]-1)
		}
	}
	return out, dict
}
