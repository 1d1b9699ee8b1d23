// Package acquire is the page of a family: kinds that acquire tables of knowledge from parsed text.
//
// Three kinds read the text. attributes counts in tagged text and pages. tuples counts nouns in slots of verbs, pairs
// of clauses, pairs of nouns with the path between them, each with the sentences it stands in. relationacquirer finds
// pairs of nouns in sentences by what class patterns have found. The other kinds are trained on the relations of
// tuples, so the text is parsed and counted once. What they share stands in template: verbs with a slot as rows of
// nouns, with their information and similarities, and paths. Each other folder is a kind: a type with the contract of
// algo/kind, its RESULTS.md, and one line in algo/algo.go.
package acquire
