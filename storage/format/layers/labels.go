package layers

import "parlance/algo/text"

// Labels makes the layer of labels.
func Labels(names ...string) *text.Layer {
	l := text.NewLayer(text.Labels)
	l.N = len(names)
	l.SetStrs("label", names)
	return l
}
