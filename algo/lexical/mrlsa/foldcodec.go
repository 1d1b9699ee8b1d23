package mrlsa

import (
	"fmt"

	"parlance/algo/kind"
)

func (f *folding) encode(w *kind.Writer) error {
	if err := w.Strings("fold.rows", f.rows); err != nil {
		return err
	}
	if err := w.Float32s("fold.left", f.left); err != nil {
		return err
	}
	if err := w.Float32s("fold.right", f.right); err != nil {
		return err
	}
	for k, s := range f.core {
		if err := w.Float32s(fmt.Sprintf("fold.core.%d", k), s); err != nil {
			return err
		}
	}
	return encodeMatrices(w, f.cells)
}

func decodeFolding(r *kind.Reader, s *shape, words int) (f *folding, err error) {
	f = &folding{}
	if f.rows, err = r.Strings("fold.rows"); err != nil {
		return nil, err
	}
	if len(f.rows) == 0 || len(f.rows) != int(s.Rows) {
		return nil, kind.Corrupt("fold.rows", "has not one name a row")
	}
	if f.left, err = r.Float32s("fold.left"); err != nil {
		return nil, err
	}
	if f.right, err = r.Float32s("fold.right"); err != nil {
		return nil, err
	}
	for k := range s.Count {
		section := fmt.Sprintf("fold.core.%d", k)
		core, err := r.Float32s(section)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			f.inner = len(core) / s.Rank
		}
		if f.inner < 1 || len(core) != f.inner*s.Rank {
			return nil, kind.Corrupt(section, "does not fit the vectors")
		}
		f.core = append(f.core, core)
	}
	if n := s.Count * len(f.core[0]); len(f.left) != n || len(f.right) != n {
		return nil, kind.Corrupt("fold.left", "or fold.right does not fit the vectors")
	}
	if f.cells, err = decodeMatrices(r, s.Count, len(f.rows), words); err != nil {
		return nil, err
	}
	f.ready()
	return f, nil
}
