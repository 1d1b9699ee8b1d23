package hiddenreranker

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
)

// The domains of hidden values (Koo and Collins 2005, section 4.1).
var domains = []string{"lexical", "pos", "highest_nt", "supersense", "none"}

// The graphs over the words of a tree.
var graphs = []string{"head", "sibling"}

// boosted is the member that is no hidden-variable model.
const boosted = "boost"

// baseName is the base as a part of the mixture.
const baseName = "base"

// parseMember reads the name of a hidden-variable model, domain/graph.
func parseMember(name string) (domain, graph string, err error) {
	domain, graph, _ = strings.Cut(name, "/")
	if !slices.Contains(domains, domain) || !slices.Contains(graphs, graph) {
		return "", "", fmt.Errorf("%q is no member: they are %s, or one of %s with /head or /sibling after it", name,
			boosted,
			strings.Join(domains, ", "))
	}
	return domain, graph, nil
}

// senses are the supersenses of words: what a lexicon says of them.
type senses struct{ lexicon kind.Lexicon }

// of are the supersenses of a word that a tag of the Penn Treebank allows: those that begin with noun., verb., adj. or
// adv., as the names of lexicographer files do, are for tags of that class alone.
func (s *senses) of(form, tag string) []string {
	if s.lexicon == nil {
		return nil
	}
	rows := s.lexicon.Rows(form)
	if len(rows) == 0 {
		rows = s.lexicon.Rows(strings.ToLower(form))
	}
	class := ""
	for prefix, c := range map[string]string{"N": "noun.", "V": "verb.", "J": "adj.", "R": "adv."} {
		if strings.HasPrefix(tag, prefix) {
			class = c
		}
	}
	var out []string
	for _, row := range rows {
		if len(row) < 2 || row[1] == "" {
			continue
		}
		if head, _, ok := strings.Cut(row[1], "."); !ok || head+"." == class {
			out = append(out, row[1])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// classes are what the hidden values of a word are values of, each of which has as many: the values of a word are those
// of all its classes.
func (m *member) classes(v *variable, form, tag string) []piece {
	switch m.domain {
	case "lexical":
		return []piece{v.form}
	case "pos":
		return []piece{v.tag}
	case "highest_nt":
		return []piece{v.high}
	case "supersense":
		list := m.senses.of(form, tag)
		if len(list) == 0 {
			return []piece{v.tag}
		}
		out := make([]piece, len(list))
		for i, s := range list {
			out[i] = word(s)
		}
		return out
	}
	return []piece{word("")}
}
