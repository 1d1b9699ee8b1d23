package gecmodule

import (
	"strings"

	"parlance/algo/correct/confusion"
)

// The labels of style: a contraction, and a comma between clauses that an adverb joins.
var styleLabels = []string{"n't", "not", ",", ";"}

// conjunctive are adverbs that join clauses.
var conjunctive = setOf(
	strings.Fields(`however therefore moreover furthermore nevertheless nonetheless consequently thus
otherwise instead meanwhile hence besides likewise additionally`))

// contracted are auxiliaries that lose letters before n't.
var contracted = map[string]string{"ca": "can", "wo": "will", "sha": "shall"}

// findStyle finds contractions of negated auxiliaries, and commas between two clauses before such an adverb and a
// comma.
func findStyle(s *confusion.Sentence) []confusion.Candidate {
	var out []confusion.Candidate
	for i, w := range s.Lower {
		switch {
		case w == "n't" && i > 0 && s.Lower[i-1] != "ai":
			c := confusion.Candidate{Slot: i, SlotEnd: i + 1, Source: 0, Fill: w}
			e := confusion.Edit{Start: i, End: i + 1, Words: "not"}
			if full, ok := contracted[s.Lower[i-1]]; ok {
				e.Start, e.Words = i-1, confusion.As(full, s.Forms[i-1])+" not"
			}
			c.Options = []confusion.Option{{Edit: e, Label: 1, Fill: "not"}}
			out = append(out, c)
		case w == "," && i > 0 && conjunctive[s.Word(i+1)] && s.Word(i+2) == "," && clause(s, 0, i) &&
			clause(s, i+3, len(s.Forms)):
			o := confusion.Option{Edit: confusion.Edit{Start: i, End: i + 1, Words: ";"}, Label: 3, Fill: ";"}
			out = append(out, confusion.Candidate{Slot: i, SlotEnd: i + 1, Source: 2, Fill: w, Options: []confusion.Option{o}})
		}
	}
	return out
}

// clause tells whether tokens [from, to) have a nominal subject and after it a finite verb.
func clause(s *confusion.Sentence, from, to int) bool {
	subject := false
	for i := from; i < to; i++ {
		switch t := s.Tags[i]; {
		case nominal(t) || t == "PRP" || t == "EX" ||
			t == "DT" && s.Lower[i] != "the" && s.Lower[i] != "a" && s.Lower[i] != "an":
			subject = true
		case subject && finite(t):
			return true
		}
	}
	return false
}
