package format

import "parlance/algo/text"

func labels(names ...string) *text.Layer {
	l := text.NewLayer(text.Labels)
	l.N = len(names)
	l.SetStrs("label", names)
	return l
}
