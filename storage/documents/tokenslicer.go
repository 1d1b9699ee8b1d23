package documents

// tokenSlicer slices the forms of tokens from the texts of a segment by their offsets.
type tokenSlicer struct {
	texts      []string
	starts     []int32 // rows of the documents
	start, end []int32
	whole      []bool   // whether a document has offsets
	given      []string // forms after a mark, which differ from the text; nil for none
}

func (p *Parts) slices(v reading, l *Layer, lp *layerPart, given []string) (*tokenSlicer, error) {
	if err := p.text(); err != nil {
		return nil, err
	}
	start, err := p.column(v, l, lp, 2)
	if err != nil {
		return nil, err
	}
	end, err := p.column(v, l, lp, 3)
	if err != nil {
		return nil, err
	}
	n := lp.total()
	s := &tokenSlicer{texts: p.texts, starts: lp.starts, start: start.col.Ints, end: end.col.Ints,
		whole: make([]bool, len(p.texts)), given: given}
	for d := range s.whole {
		s.whole[d] = len(s.start) == n && len(s.end) == n && !lp.lacks(2, d) && !lp.lacks(3, d)
	}
	return s, nil
}

// all calls f with the form of each row in order; "" where there is none.
func (s *tokenSlicer) all(f func(row int, form string)) {
	for d, t := range s.texts {
		for i := s.starts[d]; i < s.starts[d+1]; i++ {
			form := ""
			if s.given != nil && s.given[i] != "" {
				form = s.given[i][1:]
			} else if s.whole[d] {
				if a, z := s.start[i], s.end[i]; a >= 0 && a <= z && int(z) <= len(t) {
					form = t[a:z]
				}
			}
			f(int(i), form)
		}
	}
}

func (s *tokenSlicer) rows() int { return int(s.starts[len(s.starts)-1]) }

// spell fills a column with its texts and returns their memory in bytes.
func (cp *columnPart) spell() int {
	switch {
	case cp.col.Strs != nil:
		return 0
	case cp.dict != nil:
		cp.col.Strs = make([]string, len(cp.codes))
		for i, w := range cp.codes {
			cp.col.Strs[i] = cp.dict.Words[w]
		}
	case cp.cut != nil:
		cp.col.Strs = make([]string, cp.cut.rows())
		cp.cut.all(func(i int, s string) { cp.col.Strs[i] = s })
	}
	return 16 * len(cp.col.Strs)
}

// code gives a column a dictionary and codes, and returns their memory in bytes.
func (cp *columnPart) code() int {
	if cp.dict != nil || cp.cut == nil {
		return 0
	}
	in := newInterner(cp.cut.rows())
	cp.cut.all(in.add)
	cp.codes, cp.dict = in.codes, &in.dict
	return 4*len(cp.codes) + 16*len(cp.dict.Words)
}
