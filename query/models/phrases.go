package models

import (
	"fmt"
	"slices"

	"parlance/algo/gazetteer"
	"parlance/algo/segment"
	"parlance/algo/text"
	"parlance/query/document"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// Phrases returns the matcher of a dictionary: a table of phrases and labels, or a relation of a model. letters is how
// phrases are compared: exact or lower, or empty for what the table says.
func (s *Resources) Phrases(p *plan.Phrases, letters string) (*gazetteer.Trie, error) {
	if letters == "" {
		letters = "exact"
		if p.Object != nil {
			letters = CaseOf(p.Object)
		}
	}
	set := &s.Resolver.Set.compiled
	build := func() (any, error) {
		entries, err := s.phraseEntries(p)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", p.Name, err)
		}
		return gazetteer.New(gazetteer.Options{Case: letters}, entries), nil
	}
	var v any
	var err error
	if p.Object != nil {
		var of content
		if of, err = s.contentOf(p.Object); err == nil {
			v, err = set.get(fmt.Sprintf("phrases\x00%s\x00%s", p.Name, letters), of, build)
		}
	} else {
		key := fmt.Sprintf("phrases\x00%s\x00%s\x00%s", p.Model, p.Rel, letters)
		v, err = set.getUnlocked(key, s.Resolver.weightsOf(p.Model), build)
	}
	if err != nil {
		return nil, err
	}
	return v.(*gazetteer.Trie), nil
}

// phraseEntries reads the phrases of a dictionary, cut into tokens.
func (s *Resources) phraseEntries(p *plan.Phrases) ([]gazetteer.Entry, error) {
	tokenizer := document.DefaultTokenizer
	if p.Object != nil && p.Object.Kind == catalog.GazetteerObject {
		tokenizer = document.TokenizerOf(p.Object)
	}
	tk, err := segment.New(tokenizer)
	if err != nil {
		return nil, err
	}
	var entries []gazetteer.Entry
	use := func(row []value.Value) {
		var labels []string
		if len(row) > 1 && !row[1].IsNull() {
			labels = []string{row[1].String()}
		}
		for _, tokens := range PhraseTokens(tk, row[0].S) {
			entries = append(entries, gazetteer.Entry{Tokens: tokens, Labels: labels})
		}
	}
	if p.Object != nil {
		err = s.Rows(p.Object, use)
	} else {
		err = s.Relations.ReadRelation(p.Model, p.Rel, use)
	}
	return entries, err
}

// PhraseTokens returns the tokens of a phrase as the tokeniser cuts it and, where that differs, as white space does:
// corpora that came with tokens may keep hyphens and apostrophes in words.
func PhraseTokens(tk segment.Tokenizer, phrase string) [][]string {
	var out [][]string
	for _, tokens := range [][]string{phraseTokens(tk, phrase), text.Fields(phrase)} {
		if len(tokens) > 0 && (len(out) == 0 || !slices.Equal(out[0], tokens)) {
			out = append(out, tokens)
		}
	}
	return out
}

func phraseTokens(tk segment.Tokenizer, phrase string) []string {
	var res segment.Result
	tk.Segment(phrase, &res)
	out := make([]string, len(res.Tokens))
	for i, t := range res.Tokens {
		out[i] = phrase[t.Start:t.End]
	}
	return out
}
