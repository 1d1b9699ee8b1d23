// Package check looks for what is wrong or suspicious in annotated documents: damaged texts,
// layers that contradict each other, trees that are none, duplicates, labels that disagree.
package check

// Severity says how sure a finding is to be a fault.
type Severity string

// The severities: an error cannot be meant, a warning often is none, info only counts.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Rule is one sort of finding.
type Rule struct {
	Name     string // stable
	Severity Severity
	Doc      string
	About    string // what it looks at: documents, text, tokens, spans, trees, labels
}

// Storage is the rule under which the caller reports damage of the file.
const Storage = "storage"

var rules = []Rule{
	{Storage, Error, "a block of the file is damaged, or its contents are not what was written", "documents"},
	{"empty-document", Warning, "a document has no text, or only white space", "documents"},
	{"no-sentences", Warning, "a document has text and no sentences", "documents"},
	{"no-tokens", Warning, "a document has text and no tokens", "documents"},
	{"huge-document", Warning, "a text is longer than size, or than ten times what 99.9 percent of the texts are",
		"documents"},
	{"split-duplicate", Warning, "the same text stands in documents of different splits", "documents"},
	{"split-near-duplicate", Warning, "texts of different splits differ only in case or white space", "documents"},
	{"duplicate", Info, "the same text stands in two documents of a split", "documents"},
	{"near-duplicate", Info, "two texts of a split differ only in case or white space", "documents"},
	{"invalid-utf8", Error, "a text has bytes that are no UTF-8", "text"},
	{"replacement-character", Warning, "U+FFFD: a character was lost when the text was decoded", "text"},
	{"mojibake", Warning, "UTF-8 that was read as Windows-1252 or Latin-1: Ã© for é, â€™ for ’", "text"},
	{"control-character", Warning, "control characters other than tab and line ends", "text"},
	{"byte-order-mark", Warning, "U+FEFF stands in the text", "text"},
	{"surrogate-escape", Warning, `a surrogate of JSON stands unread in the text: \ud83d`, "text"},
	{"character-reference", Info, "a character of HTML stands unread in the text: &amp; &#39;", "text"},
	{"mixed-script", Warning, "a word mixes Latin with Cyrillic or Greek letters that look alike", "text"},
	{"whitespace", Info,
		"zero-width spaces, soft hyphens, carriage returns, line separators, no-break spaces beside spaces", "text"},
	{"sentence-order", Error, "sentences overlap, are out of order or do not hold their tokens", "tokens"},
	{"long-sentence", Warning, "a sentence has more tokens than the option sentence", "tokens"},
	{"token-number", Error, "tokens are not numbered 1, 2, … within sentences in order", "tokens"},
	{"token-offsets", Error, "a token is empty, lies outside the text or cuts a character", "tokens"},
	{"token-overlap", Error, "tokens overlap or are out of order; the words of a multiword token may share its text",
		"tokens"},
	{"token-gap", Warning, "text other than white space is covered by no token", "tokens"},
	{"token-space", Warning, "the form of a token begins or ends with white space", "tokens"},
	{"token-form", Info, "the forms of tokens differ from the text; counted", "tokens"},
	{"span-bounds", Error, "a span names a sentence or tokens that do not exist", "spans"},
	{"span-empty", Error, "a span covers no token or no text", "spans"},
	{"span-offsets", Error, "the tokens and the offsets of a span disagree", "spans"},
	{"span-inside-token", Warning, "a span begins or ends inside a token", "spans"},
	{"span-order", Warning, "spans are out of reading order", "spans"},
	{"span-duplicate", Warning, "the same span stands twice with the same label", "spans"},
	{"span-crossing", Warning, "spans of one layer overlap and none holds the other", "spans"},
	{"span-nested", Info, "spans of one layer hold others, which labels of tokens cannot say; counted", "spans"},
	{"span-label", Warning, "a span has no label", "spans"},
	{"span-parts", Warning, "a span of several parts is stored from its first part to its last", "spans"},
	{"mention-empty", Warning, "a mention of empty nodes alone is no row of mentions", "spans"},
	{"tree-head", Error, "a head is outside the sentence or the token itself, or a token has two", "trees"},
	{"tree-incomplete", Warning, "tokens of a parsed sentence have no head", "trees"},
	{"tree-no-root", Error, "a sentence has no root", "trees"},
	{"tree-roots", Warning, "a sentence has several roots", "trees"},
	{"tree-cycle", Error, "heads lead back to their token", "trees"},
	{"tree-label", Warning, "arcs have no relation where others have; counted", "trees"},
	{"tree-crossing", Info, "arcs that cross others (not projective); counted", "trees"},
	{"phrase-parent", Error, "the parent of a phrase is no phrase before it in its sentence", "trees"},
	{"phrase-crossing", Error, "a phrase reaches beyond its parent", "trees"},
	{"mention-single", Info, "clusters with one mention in their document; counted", "spans"},
	{"label-missing-in-train", Warning, "a label of another split never occurs in the training split", "labels"},
	{"label-rare", Info, "a label occurs fewer than rare times in a column with 100 or more labels", "labels"},
	{"label-inconsistent", Warning,
		"a string is labelled in one place and unlabelled or labelled otherwise in others or more places", "labels"},
}

// Rules returns the rules in the order in which findings are reported.
func Rules() []Rule { return append([]Rule{}, rules...) }

// ruleIndex returns the place of a rule, or -1.
func ruleIndex(name string) int {
	for i := range rules {
		if rules[i].Name == name {
			return i
		}
	}
	return -1
}
