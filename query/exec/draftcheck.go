package exec

import (
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// layerKey says what makes a row of a layer one of its kind.
type layerKey struct {
	place []string // columns that ON CONFLICT compares, besides doc
	more  []string // columns that set rows of one place apart; nil where there may be one only
}

// keyOfLayer returns the key of a layer; ok is false for layers without one.
func keyOfLayer(def *text.LayerDef) (layerKey, bool) {
	if def.Spans {
		return layerKey{[]string{"sent", "tok_start", "tok_end"}, []string{"label"}}, true
	}
	switch def {
	case text.Dependencies:
		return layerKey{place: []string{"sent", "tok"}}, true
	case text.Constituents:
		return layerKey{place: []string{"sent", "node"}}, true
	case text.Mentions:
		return layerKey{[]string{"sent", "char_start", "char_end"}, []string{"cluster"}}, true
	case text.Roles:
		return layerKey{[]string{"sent", "predicate", "tok_start", "tok_end"}, []string{"label"}}, true
	case text.Edits:
		return layerKey{[]string{"char_start", "char_end", "annotator"}, []string{"correction", "type"}}, true
	case text.Relations:
		return layerKey{[]string{"subject_start", "subject_end", "object_start", "object_end"}, []string{"label"}}, true
	case text.Alignments:
		return layerKey{place: []string{"sent", "tok", "other_doc", "other_sent", "other_tok"}}, true
	case text.Labels:
		return layerKey{place: []string{"label"}}, true
	}
	return layerKey{}, false
}

// ConflictKey lists the columns by which ON CONFLICT compares rows of a layer, besides doc; none
// where it does not apply.
func ConflictKey(def *text.LayerDef) []string {
	key, _ := keyOfLayer(def)
	return key.place
}

// key prints some columns of a row.
func (x *draft) key(row *draftRow, columns ...[]string) string {
	var b strings.Builder
	for _, list := range columns {
		for _, name := range list {
			c := x.def.Index(name)
			if x.def.Columns[c].Type == value.Integer {
				fmt.Fprintf(&b, "%d\x00", row.ints[c])
			} else {
				b.WriteString(row.strs[c] + "\x00")
			}
		}
	}
	return b.String()
}

// check verifies what was changed, against the whole layer.
func (x *draft) check() error {
	for _, row := range x.rows {
		if row.fresh {
			if err := x.checkRow(row); err != nil {
				return err
			}
		}
	}
	if err := x.checkDuplicates(); err != nil {
		return err
	}
	switch x.def {
	case text.Dependencies:
		return x.checkHeads()
	case text.Constituents:
		return x.checkNodes()
	}
	return nil
}

// labelled lists the layers whose label must not be missing.
func labelled(def *text.LayerDef) bool {
	return def.Spans || def == text.Labels || def == text.Constituents || def == text.Roles || def == text.Relations
}

func (x *draft) checkRow(row *draftRow) error {
	if c := x.def.Index("label"); c >= 0 && labelled(x.def) && row.strs[c] == "" {
		return fault("23502", "a row of %s needs a label", x.name)
	}
	if x.def == text.Roles {
		if p := int(x.get(row, "predicate")); p < 1 || p > x.length(int(x.get(row, "sent"))) {
			return fault("23503", "document %s has no token %d in sentence %d for the predicate", x.doc.ID, p, x.get(row, "sent"))
		}
	}
	return nil
}

// checkDuplicates refuses a changed row that is there already.
func (x *draft) checkDuplicates() error {
	key, ok := keyOfLayer(x.def)
	if !ok {
		return nil
	}
	seen := map[string]*draftRow{}
	for _, row := range x.rows {
		k := x.key(row, key.place, key.more)
		if old := seen[k]; old != nil && (old.fresh || row.fresh) {
			return fault("23505", "document %s has this row of %s already: %s", x.doc.ID, x.name, x.show(row, append(key.place[:len(key.place):len(key.place)], key.more...)))
		}
		seen[k] = row
	}
	if x.def != text.Mentions {
		return nil
	}
	numbers := map[int32]*draftRow{}
	for _, row := range x.rows {
		n := x.get(row, "mention")
		if old := numbers[n]; old != nil && (old.fresh || row.fresh) {
			return fault("23505", "document %s has a mention %d already", x.doc.ID, n)
		}
		numbers[n] = row
	}
	return nil
}

// show prints columns of a row with their names, offsets as text.
func (x *draft) show(row *draftRow, columns []string) string {
	var parts []string
	for _, name := range columns {
		c := x.def.Index(name)
		switch {
		case x.def.Columns[c].Role == text.Offset:
			if first, ok := strings.CutSuffix(name, "_start"); ok {
				parts = append(parts, fmt.Sprintf("%q", x.slice(row.ints[c], x.get(row, first+"_end"))))
			}
		case x.def.Columns[c].Type == value.Integer:
			parts = append(parts, fmt.Sprintf("%s %d", name, row.ints[c]))
		default:
			parts = append(parts, name+" "+row.strs[c])
		}
	}
	return strings.Join(parts, ", ")
}

// checkHeads verifies the heads of changed tokens: in the sentence, not the token itself, no cycle.
func (x *draft) checkHeads() error {
	head := map[[2]int32]int32{}
	for _, row := range x.rows {
		head[[2]int32{x.get(row, "sent"), x.get(row, "tok")}] = x.get(row, "head")
	}
	for _, row := range x.rows {
		if !row.fresh {
			continue
		}
		sent, tok, h := x.get(row, "sent"), x.get(row, "tok"), x.get(row, "head")
		if h == tok {
			return fault("23514", "token %d of sentence %d in %s is its own head", tok, sent, x.doc.ID)
		}
		if n := x.length(int(sent)); h < 0 || int(h) > n {
			return fault("23503", "document %s has no token %d in sentence %d for a head; tokens are 1 to %d, 0 is the root", x.doc.ID, h, sent, n)
		}
		chain := fmt.Sprint(tok)
		for at, steps := h, 0; at != 0 && steps <= len(x.rows); steps++ {
			chain += fmt.Sprintf(" → %d", at)
			if at == tok {
				return fault("23514", "the heads of sentence %d in %s would run in a circle: %s", sent, x.doc.ID, chain)
			}
			at = head[[2]int32{sent, at}]
		}
	}
	return nil
}

// checkNodes verifies that changed nodes hang below an earlier node, and that none hangs below
// one that is gone.
func (x *draft) checkNodes() error {
	type id struct{ sent, node int32 }
	nodes, gone := map[id]bool{}, map[id]bool{}
	for _, row := range x.rows {
		nodes[id{x.get(row, "sent"), x.get(row, "node")}] = true
	}
	for _, row := range x.gone {
		gone[id{x.get(row, "sent"), x.get(row, "node")}] = true
	}
	for _, row := range x.rows {
		sent, node, parent := x.get(row, "sent"), x.get(row, "node"), x.get(row, "parent")
		switch at := (id{sent, parent}); {
		case row.fresh && node < 1:
			return fault("23502", "a row of %s needs a node, numbered from 1", x.name)
		case row.fresh && parent >= node:
			return fault("23514", "node %d of sentence %d in %s comes before the node %d above it: nodes are numbered in preorder", node, sent, x.doc.ID, parent)
		case parent != 0 && !nodes[at] && (row.fresh || gone[at]):
			return fault("23503", "node %d of sentence %d in %s hangs below node %d, which is not there", node, sent, x.doc.ID, parent)
		}
	}
	return nil
}
