package whyqa

import (
	"errors"
	"slices"
	"strings"
)

// question is a question that is asked.
type question struct {
	words []word
	terms []string // stems of content words, each once, in order
	forms []string // of the terms, in small letters, as they stand in the question
}

// frames are what asks for a cause and belongs to no answer.
var frames = []string{"what is the reason for", "what are the reasons for", "what was the reason for",
	"for what reason",
	"what causes", "what caused", "what is the cause of", "what makes", "what made", "how come"}

var errNoTerms = errors.New("the question has no content word to search for; name things, acts or properties in it, " +
	"such as 'Why do leaves turn red?'")

// ask reads a question: errNoTerms where it has no content word.
func ask(text string) (*question, error) {
	at := strings.TrimSpace(text)
	for _, f := range frames {
		if len(at) > len(f) && strings.EqualFold(at[:len(f)], f) && at[len(f)] == ' ' {
			at = at[len(f):]
			break
		}
	}
	q := &question{}
	q.words, _ = cut(at, nil)
	for _, w := range q.words {
		if w.content && !slices.Contains(q.terms, w.stem) {
			q.terms, q.forms = append(q.terms, w.stem), append(q.forms, w.lower)
		}
	}
	if len(q.terms) == 0 {
		return nil, errNoTerms
	}
	return q, nil
}

// has reports whether a stem is a term of the question.
func (q *question) has(stem string) bool { return slices.Contains(q.terms, stem) }
