package tuples

import (
	"fmt"
	"strings"

	"parlance/algo/kind"
)

var tableNames = [tables]string{"tuples", "clauses", "paths", "surface"}

// encode writes vocabularies, documents and tables.
func (s *store) encode(w *kind.Writer) error {
	ids, sentences := make([]string, len(s.docs)), make([]uint32, len(s.docs))
	for i, d := range s.docs {
		ids[i], sentences[i] = d.id, uint32(d.sentences)
	}
	forms := make([]uint32, 0, 3*len(s.forms))
	for _, f := range s.forms {
		forms = append(forms, f.first, f.second, f.conn)
	}
	steps := []func() error{
		func() error { return w.Strings("nouns", s.nouns) },
		func() error { return w.Uint32s("frequencies", s.freq) },
		func() error { return w.Strings("templates", s.templates) },
		func() error { return w.Strings("connectives", s.conns) },
		func() error { return w.Uint32s("forms", forms) },
		func() error { return w.Strings("documents", ids) },
		func() error { return w.Uint32s("sentences", sentences) },
		func() error { return w.Strings("paths", s.patterns[ofPaths]) },
		func() error { return w.Strings("patterns", s.patterns[ofSurface]) },
	}
	sizes := s.sizes()
	for k := range s.table {
		t, section := &s.table[k], tableNames[k]
		rows := make([]uint32, sizes[k]) // of each pattern, which comes in order
		for _, p := range t.pattern {
			rows[p]++
		}
		evidence := make([]byte, t.len()) // sentences of each row, at most maxEvidence
		for i := range evidence {
			evidence[i] = byte(t.end[i] - t.begin(i))
		}
		steps = append(steps, func() error { return w.Uint32s(section+".rows", rows) },
			func() error { return w.Bytes(section+".evidence", evidence) },
			func() error { return w.Uint32s(section+".noun1", t.noun1) },
			func() error { return w.Uint32s(section+".count", t.count) },
			func() error { return w.Uint32s(section+".refs", t.refs) })
		if k != ofTuples {
			steps = append(steps, func() error { return w.Uint32s(section+".noun2", t.noun2) })
		}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// maxEvidence is the most sentences of a row, which a byte holds.
const maxEvidence = 100

// sizes are the numbers of patterns of each table.
func (s *store) sizes() [tables]int {
	return [tables]int{len(s.templates), len(s.forms), len(s.patterns[ofPaths]), len(s.patterns[ofSurface])}
}

// decode reads a table: patterns and ends follow from the numbers of rows and of sentences.
func (t *rows) decode(r *kind.Reader, k, patterns int) error {
	sizes, err := r.Uint32s(tableNames[k] + ".rows")
	if err != nil {
		return err
	}
	evidence, err := r.Bytes(tableNames[k] + ".evidence")
	if err != nil {
		return err
	}
	columns := map[string]*[]uint32{".noun1": &t.noun1, ".count": &t.count, ".refs": &t.refs, ".noun2": &t.noun2}
	if k == ofTuples {
		delete(columns, ".noun2")
		t.noun2 = make([]uint32, len(evidence))
	}
	for name, column := range columns {
		if *column, err = r.Uint32s(tableNames[k] + name); err != nil {
			return err
		}
	}
	all := uint64(0)
	for _, n := range sizes {
		all += uint64(n)
	}
	if len(sizes) != patterns || all != uint64(len(evidence)) {
		return kind.Corrupt(tableNames[k]+".rows", "has another number of rows")
	}
	for p, n := range sizes {
		for range n {
			t.pattern = append(t.pattern, uint32(p))
		}
	}
	end := uint32(0)
	for _, n := range evidence {
		end += uint32(n)
		t.end = append(t.end, end)
	}
	return nil
}

// decode reads what encode wrote, and refuses numbers that name nothing.
func decode(r *kind.Reader) (*store, error) {
	s := &store{}
	var ids []string
	var forms, sentences []uint32
	var err error
	texts := func(section string, to *[]string) {
		if err == nil {
			*to, err = r.Strings(section)
		}
	}
	ints := func(section string, to *[]uint32) {
		if err == nil {
			*to, err = r.Uint32s(section)
		}
	}
	texts("nouns", &s.nouns)
	ints("frequencies", &s.freq)
	texts("templates", &s.templates)
	texts("connectives", &s.conns)
	ints("forms", &forms)
	texts("documents", &ids)
	ints("sentences", &sentences)
	texts("paths", &s.patterns[ofPaths])
	texts("patterns", &s.patterns[ofSurface])
	if err != nil {
		return nil, err
	}
	if len(s.freq) != len(s.nouns) || len(ids) != len(sentences) || len(forms)%3 != 0 {
		return nil, kind.Corrupt("nouns", "has another length than what belongs to it")
	}
	for i, id := range ids {
		s.docs = append(s.docs, document{id, int(sentences[i])})
	}
	for i := 0; i < len(forms); i += 3 {
		s.forms = append(s.forms, clauseForm{forms[i], forms[i+1], forms[i+2]})
	}
	for k, n := range s.sizes() {
		if err := s.table[k].decode(r, k, n); err != nil {
			return nil, err
		}
	}
	return s, s.check()
}

// check tells of numbers that are too large.
func (s *store) check() error {
	for _, key := range s.templates {
		if f := strings.Split(key, "\t"); len(f) != 3 || len(f[2]) != 2 {
			return kind.Corrupt("templates", "has a text that is none")
		}
	}
	for _, f := range s.forms {
		if int(f.first) >= len(s.templates) || int(f.second) >= len(s.templates) || int(f.conn) >= len(s.conns) {
			return kind.Corrupt("forms", "names what is not there")
		}
	}
	sizes := s.sizes()
	all := uint32(s.sentences())
	for k := range s.table {
		t := &s.table[k]
		n := t.len()
		if len(t.noun1) != n || len(t.noun2) != n || len(t.count) != n || len(t.end) != n {
			return kind.Corrupt(tableNames[k], "has columns of different lengths")
		}
		last := uint32(0)
		for i := range n {
			if int(t.pattern[i]) >= sizes[k] || int(t.noun1[i]) >= len(s.nouns) || k != ofTuples &&
				int(t.noun2[i]) >= len(s.nouns) ||
				t.end[i] < last || int(t.end[i]) > len(t.refs) || i > 0 && compareRows(t.at(i-1), t.at(i)) >= 0 {
				return kind.Corrupt(tableNames[k], fmt.Sprintf("has a wrong row %d", i+1))
			}
			last = t.end[i]
		}
		for _, ref := range t.refs {
			if ref >= all {
				return kind.Corrupt(tableNames[k], "names a sentence that is not there")
			}
		}
	}
	return nil
}
