package feature

// Named is a built-in feature set.
type Named struct{ Name, Doc, Notation string }

var builtins = []Named{
	{"chunk", "windows of words and tags for chunking, as in CRFsuite's CoNLL-2000 example (reads xpos)",
		"form[-2..2], form[-1]|form[0], form[0]|form[1], " +
			"xpos[-2..2], xpos[-2]|xpos[-1], xpos[-1]|xpos[0], xpos[0]|xpos[1], xpos[1]|xpos[2], " +
			"xpos[-2]|xpos[-1]|xpos[0], xpos[-1]|xpos[0]|xpos[1], xpos[0]|xpos[1]|xpos[2], bos, eos"},
	{"ner", "words, affixes and shapes for named entities",
		"bias, lower[-2..2], form[-1..1], form[-1]|form[0], form[0]|form[1], lower[-1]|lower[0], lower[0]|lower[1], " +
			"prefix(1)[0], prefix(2)[0], prefix(3)[0], prefix(4)[0], suffix(1)[0], suffix(2)[0], suffix(3)[0], suffix(4)[0], " +
			"suffix(3)[-1], suffix(3)[1], shape[-1..1], short_shape[-2..2], short_shape[-1]|short_shape[0], " +
			"short_shape[0]|short_shape[1], short_shape[-1]|short_shape[0]|short_shape[1], length[0], is_title[-1..1], " +
			"is_upper[-1..1], is_digit[0], has_digit[0], has_hyphen[0], bos, eos, bos|short_shape[0]"},
	{"bioner", "words, affixes and word caches with the two labels before, for entities by machines (Kazama et al. 2002)",
		"form[-3..3], prefix(1)[-3..3], prefix(2)[-3..3], prefix(3)[-3..3], prefix(4)[-3..3], " +
			"suffix(1)[-3..3], suffix(2)[-3..3], suffix(3)[-3..3], suffix(4)[-3..3], short_shape[-1..1], " +
			"word_cache(-3, 0), word_cache(1, 3), bos[-2..0], eos[0..2], label[-1], label[-2]"},
	{"pos", "words, affixes and shapes for parts of speech",
		"bias, form[-1..1], lower[-2..2], form[-1]|form[0], form[0]|form[1], form[-1]|form[1], " +
			"prefix(1)[0], prefix(2)[0], prefix(3)[0], prefix(4)[0], suffix(1)[0], suffix(2)[0], suffix(3)[0], suffix(4)[0], " +
			"suffix(5)[0], suffix(3)[-1], suffix(3)[1], suffix(2)[-1]|suffix(3)[0], suffix(3)[0]|suffix(2)[1], " +
			"short_shape[-1..1], is_title[0], is_upper[0], has_digit[0], has_hyphen[0], bos, eos, bos|is_title[0]"},
	{"opennlp_chunk",
		"windows of words and tags, joined with the chunk labels before, as in OpenNLP's chunker (reads xpos)",
		"form[-2..2], form[-1]|form[0], form[0]|form[1], " +
			"xpos[-2..2], xpos[-2]|xpos[-1], xpos[-1]|xpos[0], xpos[0]|xpos[1], xpos[1]|xpos[2], " +
			"xpos[-2]|xpos[-1]|xpos[0], xpos[-1]|xpos[0]|xpos[1], xpos[0]|xpos[1]|xpos[2], bos, eos, " +
			"label[-2], label[-1], label[-2]|label[-1], label[-1]|xpos[-2..2], label[-1]|xpos[-2]|xpos[-1], " +
			"label[-1]|xpos[-1]|xpos[0], label[-1]|xpos[0]|xpos[1], label[-1]|xpos[1]|xpos[2], " +
			"label[-1]|xpos[-2]|xpos[-1]|xpos[0], label[-1]|xpos[-1]|xpos[0]|xpos[1], label[-1]|xpos[0]|xpos[1]|xpos[2], " +
			"label[-1]|form[-2..2], label[-1]|form[-1]|form[0], label[-1]|form[0]|form[1]"},
	{"opennlp_pos", "words, affixes and the two labels before, as in OpenNLP's tagger",
		"bias, form[-2..2], prefix(1)[0], prefix(2)[0], prefix(3)[0], prefix(4)[0], suffix(1)[0], suffix(2)[0], " +
			"suffix(3)[0], suffix(4)[0], has_hyphen[0], has_upper[0], has_digit[0], bos, eos, label[-1], label[-2]|label[-1]"},
	{"lookahead_chunk", "the windows of chunk, words with tags beside them, and affixes (reads xpos)",
		"form[-2..2], form[-1]|form[0], form[0]|form[1], " +
			"xpos[-2..2], xpos[-2]|xpos[-1], xpos[-1]|xpos[0], xpos[0]|xpos[1], xpos[1]|xpos[2], " +
			"xpos[-2]|xpos[-1]|xpos[0], xpos[-1]|xpos[0]|xpos[1], xpos[0]|xpos[1]|xpos[2], bos, eos, " +
			"form[0]|xpos[0], form[-1]|xpos[0], form[0]|xpos[1], xpos[0]|form[1], xpos[-1]|form[0], " +
			"suffix(3)[0], suffix(2)[0], short_shape[0], prefix(3)[0]"},
	{"lookahead_pos",
		"words, affixes of up to ten characters and spellings for parts of speech (Tsuruoka, Miyao and Kazama 2011)",
		"form[-2..2], form[-1]|form[0], form[0]|form[1], lower[0], shape[0], " +
			"prefix(1)[0], prefix(2)[0], prefix(3)[0], prefix(4)[0], prefix(5)[0], prefix(6)[0], prefix(7)[0], prefix(8)[0], " +
			"prefix(9)[0], prefix(10)[0], suffix(1)[0], suffix(2)[0], suffix(3)[0], suffix(4)[0], suffix(5)[0], suffix(6)[0], " +
			"suffix(7)[0], suffix(8)[0], suffix(9)[0], suffix(10)[0], has_digit[0], has_upper[0], has_hyphen[0], is_upper[0], " +
			"is_title[0], bos, eos"},
	{"bow", "the words of a document in lower case, once each", "ngram(1), weight(binary)"},
	{"ngram", "words and pairs of words of a document, once each", "ngram(1), ngram(2), weight(binary)"},
	{"tfidf", "words of a document by tf·idf, of length 1", "ngram(1), weight(tfidf), norm(l2)"},
}

// Builtins lists the built-in sets.
func Builtins() []Named { return builtins }

// Builtin returns the built-in set of the name.
func Builtin(name string) (*Set, bool) {
	for _, b := range builtins {
		if b.Name == name {
			s, err := Parse(b.Notation)
			return s, err == nil
		}
	}
	return nil, false
}

// Resolve returns the built-in set of the name, or else compiles the text as templates.
func Resolve(nameOrNotation string) (*Set, error) {
	if s, ok := Builtin(nameOrNotation); ok {
		return s, nil
	}
	return Parse(nameOrNotation)
}
