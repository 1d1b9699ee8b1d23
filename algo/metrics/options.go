package metrics

// Options say what a scorer counts. The zero value is what the task's public scorer counts.
type Options struct {
	Ignore []string          // of dependencies: tokens whose gold upos or xpos is among these are not scored
	Only   map[string]string // by name of a breakdown, the value that counts; others are left out
	// recall counts β times as much as precision in F; 0: the layer's own, 0.5 of edits, 1 of others
	Beta float64

	AllBrackets bool        // of constituents: all of them count, over all tokens, not those of evalb
	Tag         string      // of words: the column of tags, "" for upos, or xpos where there is no upos
	Known       *Vocabulary // of words: nil where recall is not told apart

	SpanTokens bool              // of spans: tokens are scored too, by the label of the span that covers them
	Taxonomy   map[string]string // of spans, with SpanTokens: the parent of a label, for weighted scores; nil for none
}

// Vocabulary is the words that a model knows, and the words with a tag, for recall of those and of others.
type Vocabulary struct {
	Words  map[string]bool
	Tagged map[[2]string]bool // nil where no tags are known: a word with a tag is known if the word is
}

// beta is the β of F, own where none is wanted.
func (o *Options) beta(own float64) float64 {
	if o.Beta == 0 {
		return own
	}
	return o.Beta
}
