package exec

import (
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
)

// Surface tells what a kind reads, writes and answers with its options at their defaults, a line a
// sort: layers, tables with [optional] columns, relations with [optional] arguments.
func Surface(k *kind.Kind) []string {
	m := k.New()
	m.Options(&option.Set{})
	s := m.Schema()
	var out []string
	add := func(format, what string) {
		if what != "" {
			out = append(out, fmt.Sprintf(format, what))
		}
	}
	add("reads the layers %s", layerUses(s.Reads))
	add("learns the layers %s", layerUses(s.Learns))
	add("writes the layers %s", layerUses(s.Writes))
	for _, u := range s.Tables {
		add("learns from %s", tableLine(u))
	}
	for _, u := range s.Scores {
		add("is scored on %s", tableLine(u))
	}
	add("takes inputs AS %s", strings.Join(s.Roles, ", "))
	for _, r := range s.Relations {
		add("relation %s", RelationLine(r))
	}
	return out
}

func tableLine(u kind.TableUse) string {
	s := tableUse(u)
	if u.Optional {
		s = "[" + s + "]"
	}
	return s + ": " + u.Doc
}

// RelationLine is name(argument, [optional argument]) → column, …: doc.
func RelationLine(r kind.Relation) string {
	var args, columns []string
	for _, a := range r.Args {
		if a.Optional {
			args = append(args, "["+a.Name+"]")
		} else {
			args = append(args, a.Name)
		}
	}
	for _, c := range r.Columns {
		columns = append(columns, c.Name)
	}
	name := r.Name
	if len(args) > 0 {
		name += "(" + strings.Join(args, ", ") + ")"
	}
	return fmt.Sprintf("%s → %s: %s", name, strings.Join(columns, ", "), r.Doc)
}
