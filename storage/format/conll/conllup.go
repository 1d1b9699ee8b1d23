package conll

import (
	"fmt"
	"io"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
)

// conllup is CoNLL-U Plus, see plusColumns. A file that does not name its columns is one of
// Universal Propositions, whose columns after MISC are the sense of a predicate, and for each
// predicate a column of arguments that marks it as V.
type conllup struct {
	conllu
	header string // that was written
}

func (c *conllup) Parse(b codec.Block) ([]*text.Document, error) {
	r := c.reader(b)
	r.args = &argumentTable{}
	r.plus = &plusReader{}
	if _, columns, ok := strings.Cut(b.Carried, "\n"); ok && columns != "" {
		if err := r.plus.begin(columns); err != nil {
			return nil, b.Fault(0, 0, "%v", err)
		}
		r.args = nil
	}
	return r.parse()
}

// Document writes a document with the columns of the file that it was read from, else with those of propositions.
func (c *conllup) Document(w io.Writer, d *text.Document) error {
	if done, err := c.writePlus(w, d); done || err != nil {
		return err
	}
	all, ok := frames(d)
	if !ok {
		return fmt.Errorf("document %s: its roles name no tokens", d.ID)
	}
	bounds := d.SentenceTokens()
	senses := map[int32]string{} // by row of the predicate
	columns := map[int32][][]string{}
	for s := int32(1); int(s) < len(bounds); s++ {
		fs, cols, err := argumentColumns(d, all[s], bounds[s]-bounds[s-1], true)
		if err != nil {
			return err
		}
		columns[s] = cols
		for _, f := range fs {
			if f.sense == "" {
				return fmt.Errorf("document %s: the predicate at token %d of sentence %d has no sense; FORMAT conll2009 holds such",
					d.ID, f.predicate, s)
			}
			senses[bounds[s-1]+f.predicate-1] = f.sense
		}
	}
	return c.write(w, d, func(sent, row int) string {
		cells := []string{"_"}
		if row >= 0 {
			cells[0] = orBar(senses[int32(row)])
		}
		for _, col := range columns[int32(sent)] {
			if row < 0 {
				cells = append(cells, "_")
			} else {
				cells = append(cells, col[row-int(bounds[sent-1])])
			}
		}
		return "\t" + strings.Join(cells, "\t")
	})
}
