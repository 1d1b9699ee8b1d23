package metrics

import "parlance/algo/text"

// ForLayer returns the scorer of a layer, of columns of it where they are named.
func ForLayer(def *text.LayerDef, columns []string, opt Options) (Scorer, bool) {
	switch {
	case def.Spans:
		return NewSpans(def.Name, opt), true
	case def == text.Tokens && len(columns) > 0:
		return NewTokens(columns[0], opt), true
	case def == text.Labels:
		return NewLabels(opt), true
	case def == text.Dependencies:
		return NewArcs(opt), true
	case def == text.Mentions:
		return NewMentions(opt), true
	}
	return nil, false
}
