package engine

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/input"
	"parlance/query/relation"
)

// KindSummary lists what a kind reads, writes and answers with its default options, in one line each: layers, tables
// with [optional] columns, relations with [optional] arguments.
func KindSummary(k *kind.Kind) []string {
	m := k.New()
	m.Options(&option.Set{})
	s := m.Schema()
	var out []string
	add := func(format, what string) {
		if what != "" {
			out = append(out, fmt.Sprintf(format, what))
		}
	}
	add("reads the layers %s", relation.LayerUses(s.Reads))
	add("learns the layers %s", relation.LayerUses(s.Learns))
	add("writes the layers %s", relation.LayerUses(s.Writes))
	if len(s.Writes) > 0 {
		out = append(out, fmt.Sprintf("prob is %s: %s", s.Prob, s.Prob.Doc()))
	}
	for _, u := range s.Tables {
		add("learns from %s", tableLine(u))
	}
	for _, u := range s.Scores {
		add("is scored on %s", tableLine(u))
	}
	for _, role := range s.Roles {
		add("takes an input %s", roleLine(role))
	}
	add("reads the document columns %s", strings.Join(s.Fields, ", "))
	for _, r := range s.Relations {
		add("relation %s", RelationLine(r))
	}
	return out
}

// roleLine tells what an input of a role holds and which statements accept it.
func roleLine(role kind.Role) string {
	var by []string
	if role.Train {
		by = append(by, "TRAIN")
	}
	if role.Evaluate {
		by = append(by, "EVALUATE")
	}
	holds := "documents"
	if len(role.Tables) > 0 {
		holds = input.TableUses(role.Tables)
	} else if uses := relation.LayerUses(append(slices.Clone(role.Reads), role.Learns...)); uses != "" {
		holds += " with " + uses
	}
	name := "AS " + role.Name
	if role.Optional {
		name = "[" + name + "]"
	}
	return fmt.Sprintf("%s, in %s: %s; %s", name, strings.Join(by, " and "), role.Doc, holds)
}

func tableLine(u kind.TableUse) string {
	s := input.TableUse(u)
	if u.Optional {
		s = "[" + s + "]"
	}
	return s + ": " + u.Doc
}

// RelationLine prints a relation as name(argument, [optional argument]) → column, …: doc.
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
