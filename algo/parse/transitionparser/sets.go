package transitionparser

import "strings"

// namedSet is a built-in set; its tags are written upos.
type namedSet struct{ name, doc, notation string }

// stateSets are the built-in sets of states, templates after Zhang and Nivre 2011.
var stateSets = []namedSet{
	{"greedy", "forms and tags of stack, buffer, heads and dependents", greedy},
	{"greedy_morph", "the same with morphological features of words", greedy + ", " + greedyMorph},
}

// arcSets are the built-in sets of arcs.
var arcSets = []namedSet{
	{"arcs", "forms and tags of both ends and beside them, dependents, labels above and before", arcs},
	{"arcs_morph", "the same with morphological features of words", arcs + ", " + arcsMorph},
}

const greedy = "s0.form, s0.upos, s0.form|s0.upos, s1.form, s1.upos, s1.form|s1.upos, q0.form, q0.upos, " +
	"q0.form|q0.upos, q1.form, q1.upos, q1.form|q1.upos, " +
	"q2.upos, s0.form|q0.form, s0.upos|q0.upos, s0.form|s0.upos|q0.upos, s0.upos|q0.form|q0.upos, " +
	"s0.form|s0.upos|q0.form|q0.upos, s0.form|q0.upos, s0.upos|q0.form, s1.form|s0.form, s1.upos|s0.upos, " +
	"s1.form|s0.upos, s1.upos|s0.form, s1.form|s1.upos|s0.upos, s1.upos|s0.form|s0.upos, s0.upos|q0.upos|q1.upos, " +
	"s1.upos|s0.upos|q0.upos, q0.upos|q1.upos|q2.upos, s0.form|q0.upos|q1.upos, s1.upos|s0.form|q0.upos, " +
	"s1.upos|s0.upos|q0.upos|q1.upos, s0.upos|s0.lc.upos|q0.upos, s0.upos|s0.rc.upos|q0.upos, " +
	"s0.upos|q0.upos|q0.lc.upos, s1.upos|s1.rc.upos|s0.upos, s1.upos|s0.upos|s0.rc.upos, s1.upos|s0.upos|s0.lc.upos, " +
	"s1.upos|s1.lc.upos|s0.upos, s0.upos|s0.lc.upos|s0.lc2.upos, s0.upos|s0.rc.upos|s0.rc2.upos, " +
	"q0.upos|q0.lc.upos|q0.lc2.upos, s0.upos|q0.upos|s0.distance, s0.form|s0.distance, q0.form|s0.distance, " +
	"s1.upos|s0.upos|s1.distance, s0.upos|s0.head.upos|q0.upos, s0.head.form, s0.head.upos, s0.lc.form, s0.rc.form, " +
	"q0.lc.form, s0.rc.form|q0.form"

const greedyMorph = "s0.feats, q0.feats, s1.feats, s0.feats|q0.feats, s0.feats|q0.upos, s0.upos|q0.feats, " +
	"s0.upos|s0.feats|q0.upos|q0.feats, s1.feats|s0.feats, " +
	"q1.feats, s0.feats|q0.form, s0.form|q0.feats, s0.feats|q0.feats|q1.feats, s0.lc.feats, s0.rc.feats, q0.lc.feats, " +
	"s0.head.feats"

const arcs = "d.form, d.upos, h.form, h.upos, d.form|d.upos|h.upos, d.upos|h.upos|d.distance, d.form|h.form, " +
	"d.form|h.upos|d.distance, d.upos|h.form|h.upos, d.upos|d-.upos|d.distance, d.upos|d+.upos|d.distance, " +
	"d-.upos|d.upos|d+.upos, d.upos|d.lc.upos, d.upos|d.lc.form, d.upos|d.rc.upos, d.upos|d.lc.upos|h.upos|d.distance, " +
	"d.upos|h.upos|p.deprel, d.upos|h.upos|p.upos|p.deprel, d.upos|h.upos|h.deprel, d.form|h.deprel, " +
	"d.upos|h.upos|h.head.upos, d.lefts|d.rights|d.upos, d.upos|h.upos|h.lc.upos, d.upos|h.upos|h.rc.upos, " +
	"d.form|d.lc.form"

const arcsMorph = "d.feats, h.feats, d.feats|h.upos, d.upos|d.feats|h.upos|d.distance, d.feats|h.feats, " +
	"d.feats|h.form, d.lc.feats, d.upos|d+.feats, p.deprel|d.feats|h.upos"

// listed tells the names of sets and what they hold.
func listed(sets []namedSet) string {
	var out []string
	for _, s := range sets {
		out = append(out, s.name+" ("+s.doc+")")
	}
	return strings.Join(out, ", ")
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

// tagged replaces the tags of templates, or adds templates of the other tags where no form is read.
func tagged(notation, tags string) string {
	switch tags {
	case "xpos":
		return strings.ReplaceAll(notation, "upos", "xpos")
	case "both":
		out := notation
		for t := range strings.SplitSeq(notation, ", ") {
			if strings.Contains(t, "upos") && !strings.Contains(t, "form") {
				out += ", " + strings.ReplaceAll(t, "upos", "xpos")
			}
		}
		return out
	}
	return notation
}
