package metrics

import "parlance/algo/text"

// ForLayer returns the scorer of a layer, of a column of it where one is named: of every built-in layer.
func ForLayer(def *text.LayerDef, columns []string, opt Options) (Scorer, bool) {
	if def.Spans {
		return NewSpans(def.Name, opt), true
	}
	switch def {
	case text.Tokens:
		if len(columns) > 0 {
			return NewTokens(columns[0], opt), true
		}
		return NewSegmentation(opt), true
	case text.Sentences:
		return NewSentences(opt), true
	case text.Labels:
		return NewLabels(opt), true
	case text.Dependencies:
		return NewArcs(opt), true
	case text.Constituents:
		return NewConstituents(opt), true
	case text.Mentions:
		return NewMentions(opt), true
	case text.Roles:
		return NewRoles(opt), true
	case text.Edits:
		return NewEdits(opt), true
	case text.Relations:
		return NewRelations(opt), true
	case text.Alignments:
		return NewAlignments(opt), true
	case text.Words:
		return NewLines(opt), true
	}
	return nil, false
}
