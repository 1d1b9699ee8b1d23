package transitionparser

import "strings"

// named is a built-in set; its tags are written upos.
type namedSet struct{ name, notation string }

// stateSets are the built-in sets of states.
var stateSets = []namedSet{
	// Templates after Zhang and Nivre 2011, with those of the second token of the stack that the
	// Right of arc-hybrid attaches to.
	{"hybrid", "s0.form, s0.upos, s0.form|s0.upos, s1.form, s1.upos, s1.form|s1.upos, q0.form, q0.upos, q0.form|q0.upos, " +
		"q1.form, q1.upos, q1.form|q1.upos, q2.upos, s2.upos, " +
		"s0.form|q0.form, s0.upos|q0.upos, s0.form|s0.upos|q0.upos, s0.upos|q0.form|q0.upos, s0.form|s0.upos|q0.form|q0.upos, s0.form|q0.upos, s0.upos|q0.form, " +
		"s1.form|s0.form, s1.upos|s0.upos, s1.form|s0.upos, s1.upos|s0.form, s1.form|s1.upos|s0.upos, s1.upos|s0.form|s0.upos, " +
		"s0.upos|q0.upos|q1.upos, s1.upos|s0.upos|q0.upos, s2.upos|s1.upos|s0.upos, q0.upos|q1.upos|q2.upos, s0.form|q0.upos|q1.upos, s1.upos|s0.form|q0.upos, s1.upos|s0.upos|q0.upos|q1.upos, " +
		"s0.upos|s0.lc.upos|q0.upos, s0.upos|s0.rc.upos|q0.upos, s0.upos|q0.upos|q0.lc.upos, s1.upos|s1.rc.upos|s0.upos, s1.upos|s0.upos|s0.rc.upos, s1.upos|s0.upos|s0.lc.upos, s1.upos|s1.lc.upos|s0.upos, " +
		"s0.upos|s0.lc.upos|s0.lc2.upos, s0.upos|s0.rc.upos|s0.rc2.upos, q0.upos|q0.lc.upos|q0.lc2.upos, " +
		"s0.upos|q0.upos|s0.distance, s0.form|s0.distance, q0.form|s0.distance, s1.upos|s0.upos|s1.distance, " +
		"s0.form|s0.rights, s0.upos|s0.rights, s0.form|s0.lefts, s0.upos|s0.lefts, q0.form|q0.lefts, q0.upos|q0.lefts, s1.upos|s1.rights|s0.upos"},
}

// arcSets are the built-in sets of arcs.
var arcSets = []namedSet{
	{"arc_labels", "d.form, d.upos, h.form, h.upos, d.form|d.upos|h.upos, d.upos|h.upos|d.distance, d.form|h.form, d.form|h.upos|d.distance, d.upos|h.form|h.upos, " +
		"d.upos|d-.upos|d.distance, d.upos|d+.upos|d.distance, d-.upos|d.upos|d+.upos, d.upos|d.lc.upos, d.upos|d.lc.form, d.upos|d.rc.upos, d.upos|d.lc.upos|h.upos|d.distance, " +
		"d.upos|h.upos|p.deprel, d.upos|h.upos|p.upos|p.deprel, d.upos|h.upos|h.deprel, d.form|h.deprel, d.upos|h.upos|h.head.upos, d.lefts|d.rights|d.upos, " +
		"d.upos|h.upos|h.lc.upos, d.upos|h.upos|h.rc.upos, d.form|d.lc.form"},
}

// setNames lists the names of sets.
func setNames(sets []namedSet) (out []string) {
	for _, s := range sets {
		out = append(out, s.name)
	}
	return out
}

// notation is the templates of a built-in set with the tags wanted, or else the text itself.
func notation(sets []namedSet, nameOrText, tags string) string {
	for _, s := range sets {
		if s.name == nameOrText {
			return tagged(s.notation, tags)
		}
	}
	return nameOrText
}

// tagged replaces the tags of templates.
func tagged(notation, tags string) string {
	switch tags {
	case "xpos":
		return strings.ReplaceAll(notation, "upos", "xpos")
	case "both":
		out := notation
		for t := range strings.SplitSeq(notation, ", ") {
			if strings.Contains(t, "upos") {
				out += ", " + strings.ReplaceAll(t, "upos", "xpos")
			}
		}
		return out
	}
	return notation
}
