package svmtagger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
)

// columns may split O.
var columns = []string{"lemma", "upos", "xpos", "feats"}

func (m *model) checkSplit() error {
	name := m.opt.splitO
	if name == "none" {
		return nil
	}
	if name != "pos" && !slices.Contains(columns, name) {
		known := append([]string{"none", "pos"}, columns...)
		return fmt.Errorf("'%s' is no column of tokens%s; it is one of %s", name, option.DidYouMean(name, known),
			strings.Join(known, ", "))
	}
	if t, err := m.opt.Target(); err == nil && !t.Spans() {
		return fmt.Errorf("split_o is for layers of spans; tokens.%s has no label O", t.Column)
	}
	return nil
}

func (m *model) checkParts() error {
	switch o := &m.opt; {
	case !o.partMachines:
		return nil
	case o.splitO == "none":
		return fmt.Errorf("part_machines is for parts of O; name the column that makes them with split_o")
	case o.Settings.Scheme() != reduction.Pairwise:
		return fmt.Errorf("part_machines is for multiclass = 'pairwise'; with %s every class has a machine",
			o.Settings.Scheme())
	}
	return nil
}

// merges reports whether parts of O are one label to all but their machines.
func (m *model) merges() bool {
	return m.split() != "" && m.opt.Settings.Scheme() == reduction.Pairwise && !m.opt.partMachines
}

// split is the column that splits O, "" for none.
func (m *model) split() string {
	switch m.opt.splitO {
	case "none":
		return ""
	case "pos":
		return "xpos"
	}
	return m.opt.splitO
}

// merge is a class as a label: parts of O are O again.
func merge(class string) string {
	if strings.HasPrefix(class, bio.Outside+"-") {
		return bio.Outside
	}
	return class
}

// outcomes is the label of each class by number, and the labels in the order of their first class.
func outcomes(classes []string) (label []uint16, names []string) {
	number := map[string]uint16{}
	for _, c := range classes {
		name := merge(c)
		if _, ok := number[name]; !ok {
			number[name] = uint16(len(names))
			names = append(names, name)
		}
		label = append(label, number[name])
	}
	return label, names
}

// splitOutside gives tokens of class O the class O-v by their value v of a column (Kazama et al.
// 2002, section 4). Data of spans has every token of every document.
func splitOutside(ctx context.Context, in kind.Input, data *tagger.Data, column string) error {
	outside, at := -1, 0
	for i, l := range data.Names {
		if l == bio.Outside {
			outside = i
		}
	}
	part := map[string]uint16{}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		toks := d.Layer("tokens")
		if toks == nil {
			continue
		}
		values, bounds := toks.Strs(column), d.SentenceTokens()
		if len(bounds) == 0 {
			continue
		}
		for i := bounds[0]; i < bounds[len(bounds)-1]; i++ {
			if int(data.Gold[at]) == outside && values != nil && values[i] != "" {
				id, ok := part[values[i]]
				if !ok {
					if len(data.Names) == chain.MaxLabels {
						return fmt.Errorf("split_o: tokens.%s has too many values", column)
					}
					id = uint16(len(data.Names))
					part[values[i]] = id
					data.Names = append(data.Names, bio.Outside+"-"+values[i])
				}
				data.Gold[at] = id
			}
			at++
		}
	}
	if len(part) == 0 {
		return fmt.Errorf("split_o: no token outside has a value of tokens.%s; leave split_o out, or annotate the column "+
			"first", column)
	}
	data.Labels = len(data.Names)
	dropEmpty(data, outside)
	return nil
}

// dropEmpty removes class O where no token is left in it.
func dropEmpty(data *tagger.Data, class int) {
	for _, y := range data.Gold {
		if int(y) == class {
			return
		}
	}
	data.Names = append(data.Names[:class:class], data.Names[class+1:]...)
	data.Labels--
	for i, y := range data.Gold {
		if int(y) > class {
			data.Gold[i]--
		}
	}
}
