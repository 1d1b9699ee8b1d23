package foreign

import (
	"parlance/algo/feature"
	"parlance/algo/kind"
)

// Data is what data for templates of a chain consist of: a column for each cell of a feature set, and the labels.
type Data struct {
	Set    *feature.Set
	Label  string // column of tokens, or layer of spans
	Scheme string // of spans; empty for a column
}

// DataOf returns what data for a chain that was trained here consist of, or an error of type *Refusal.
func DataOf(m kind.Model) (*Data, error) {
	x, err := ChainOf(m)
	if err != nil {
		return nil, err
	}
	if x.Foreign != nil {
		return nil, &Refusal{Msg: "it was trained elsewhere, and its templates name the columns that they read",
			Hint: "COPY … FORMAT conll WITH (columns = (form, xpos, …))"}
	}
	set := x.Alphabet.Set()
	if _, err := set.CellNames(); err != nil {
		return nil, &Refusal{Msg: err.Error(), Hint: "FORMAT crfsuite has attributes of any number"}
	}
	d := &Data{Set: set, Label: x.Target.Column}
	if x.Target.Spans() {
		d.Label, d.Scheme = x.Target.Layer.Name, string(x.Target.Scheme)
	}
	return d, nil
}

// Cells gives the cells of documents by column and token, as Templated writes them.
func Cells(columns [][]string) [][]string {
	for _, list := range columns {
		for i, v := range list {
			list[i] = feature.Escaped(v)
		}
	}
	return columns
}
