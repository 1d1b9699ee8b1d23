package table

import (
	"errors"
	"fmt"
	"strings"

	"parlance/storage/format/codec"
)

// textColumn looks for the column that may be meant where a file names no column of texts: the one with the longest
// values.
type textColumn struct {
	of    *separated
	names []string
	rows  [][]part
	line  int // of the first record
}

// errSeen ends the reading of records.
var errSeen = errors.New("enough records were seen")

// see adds a record; after some it ends the reading.
func (t *textColumn) see(names []string, record []part, line int) error {
	if t.names == nil {
		t.names, t.line = names, line
	}
	if t.rows = append(t.rows, append([]part(nil), record...)); len(t.rows) == 100 {
		return errSeen
	}
	return nil
}

// fault is the error of the file, with a hint that names the column; err itself for a file that has a column of texts.
func (t *textColumn) fault(src *codec.Source, err error) error {
	if t.names == nil {
		return err
	}
	return &codec.Error{File: src.Name, Line: t.line, Hint: t.hint(),
		Msg: fmt.Sprintf("there is no column %s; columns are %s", t.of.content, strings.Join(t.names, ", "))}
}

// hint says how the file may be meant.
func (t *textColumn) hint() string {
	if len(t.names) == 1 {
		for _, other := range []string{";", "\t", ",", "|"} {
			if strings.Contains(t.names[0], other) {
				return fmt.Sprintf("WITH (delimiter = '%s')", strings.ReplaceAll(other, "\t", "tab"))
			}
		}
	}
	meant := t.names[longestColumn(t.rows)]
	return "WITH (text = '" + strings.ReplaceAll(meant, "'", "''") + "') reads the texts from column " + meant +
		", which has the longest"
}
