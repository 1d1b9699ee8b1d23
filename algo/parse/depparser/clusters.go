package depparser

import (
	"strings"

	"parlance/algo/parse/tree"
)

// maxPrefixes bounds how many lengths of prefixes there are.
const maxPrefixes = 4

var (
	hashNone = hashString("\x00none") // cluster of words without one
	hashRare = hashString("\x00rare")
)

// cluster appends the path of a form's cluster and its prefixes.
func (k *knowledge) cluster(s *sentence, form string) {
	bits := k.clusters.Lookup(form, bitsColumn)
	put := func(a atom, bits string) {
		h := hashNone
		if bits != "" {
			h = hashString(bits)
		}
		s.value[a] = append(s.value[a], h)
	}
	put(cluster, bits)
	for i, n := range k.prefixes {
		put(cluster+1+atom(i), bits[:min(n, len(bits))])
	}
}

// Letters of atoms in templates that are made of others.
const (
	formLetter     = 'w'
	fineLetter     = 't'
	frequentLetter = 'o'
	clusterLetters = "zkjxy" // the whole path, then the prefixes
)

// withClusters adds templates of clusters to those of arcs, pairs and triples (Koo, Carreras and
// Collins 2008, sec. 3.2): tags are replaced by each prefix, forms by the whole path, and single tags
// or forms by a prefix.
func (f features) withClusters(prefixes int) features {
	short := clusterLetters[1 : 1+prefixes]
	out := f
	out.head, out.modifier, out.arcs = mimics(f.head, short), mimics(f.modifier, short), mimics(f.arcs, short)
	out.parts = map[tree.Type][]string{}
	for t, list := range f.parts {
		out.parts[t] = mimics(list, short)
	}
	for i := range len(short) {
		l := short[i : i+1]
		out.arcs = append(out.arcs, "h"+l+" mt", "ht m"+l, "h"+l+" mw", "hw m"+l)
		for t, thirds := range map[tree.Type]string{tree.Sib: "s", tree.Grand: "g"} {
			out.parts[t] = append(out.parts[t], mixed("hm"+thirds, l)...)
		}
	}
	out.labels = append(append([]string(nil), f.labels...), "hz mz", "hz mt", "ht mz", "hz ht mz mt", "mz", "mz mt")
	for i := range len(short) {
		l := short[i : i+1]
		out.labels = append(out.labels, "h"+l+" m"+l, "h"+l+" mt", "ht m"+l, "h"+l+" mw", "hw m"+l)
	}
	return out
}

// mimics are templates with those of clusters in place of tags and forms.
func mimics(list []string, short string) []string {
	out := append([]string(nil), list...)
	for _, name := range list {
		words, tags, other := atomsOf(name)
		switch {
		case other:
		case words:
			whole := replaced(name, formLetter, clusterLetters[0])
			out = append(out, whole)
			if tags {
				out = append(out, replaced(whole, fineLetter, short[0]))
			}
		case tags:
			for i := range len(short) {
				out = append(out, replaced(name, fineLetter, short[i]))
			}
		}
	}
	return out
}

// mixed are the templates of three tokens of which some, not all, have a prefix in place of the tag.
func mixed(roles, letter string) []string {
	var out []string
	for set := 1; set < 1<<len(roles)-1; set++ {
		var words []string
		for i := range len(roles) {
			l := string(fineLetter)
			if set&(1<<i) != 0 {
				l = letter
			}
			words = append(words, roles[i:i+1]+l)
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// onlyFrequent replaces forms by frequent forms where heads are found; relations see all forms.
func (f features) onlyFrequent() features {
	all := func(list []string) []string {
		var out []string
		for _, name := range list {
			out = append(out, replaced(name, formLetter, frequentLetter))
		}
		return out
	}
	f.head, f.modifier, f.arcs = all(f.head), all(f.modifier), all(f.arcs)
	parts := map[tree.Type][]string{}
	for t, list := range f.parts {
		parts[t] = all(list)
	}
	f.parts = parts
	return f
}

// atomsOf tells whether a template has forms, finer tags and other atoms.
func atomsOf(name string) (words, tags, other bool) {
	for _, w := range strings.Fields(name) {
		switch w[1] {
		case formLetter:
			words = true
		case fineLetter:
			tags = true
		default:
			other = true
		}
	}
	return words, tags, other
}

// replaced puts another atom into the place of one.
func replaced(name string, from, to byte) string {
	words := strings.Fields(name)
	for i, w := range words {
		if w[1] == from {
			words[i] = w[:1] + string(to) + w[2:]
		}
	}
	return strings.Join(words, " ")
}
