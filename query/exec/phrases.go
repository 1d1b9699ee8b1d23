package exec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/gazetteer"
	"parlance/algo/segment"
	"parlance/query/bind"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// phrases returns the matcher of a dictionary, kept by content. letters is exact, lower, or
// empty for what the table says.
func (r *Execution) phrases(p *plan.Phrases, letters string) (*gazetteer.Trie, error) {
	if letters == "" {
		letters = "exact"
		if p.Object != nil {
			letters = CaseOf(p.Object)
		}
	}
	key := "phrases\x00" + p.Name + "\x00" + letters
	var hash [32]byte
	columns := ""
	if p.Object != nil {
		hash, columns = r.Snapshot.TableHash(p.Object), ColumnNames(p.Object)
	} else {
		key = fmt.Sprintf("phrases\x00%s\x00%s\x00%s", p.Model, p.Rel, letters)
		hash = r.modelHash(p.Model)
	}
	r.compiled.mu.Lock()
	defer r.compiled.mu.Unlock()
	if c, ok := r.compiled.m[key]; ok && c.hash == hash && c.columns == columns {
		return c.value.(*gazetteer.Trie), nil
	}
	entries, err := r.phraseEntries(p)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p.Name, err)
	}
	trie := gazetteer.New(gazetteer.Options{Case: letters}, entries)
	if r.compiled.m == nil {
		r.compiled.m = map[string]compiled{}
	}
	r.compiled.m[key] = compiled{hash, columns, trie}
	return trie, nil
}

func (r *Execution) phraseEntries(p *plan.Phrases) ([]gazetteer.Entry, error) {
	tokenizer := DefaultTokenizer
	if p.Object != nil && p.Object.Kind == storage.GazetteerObject {
		tokenizer = TokenizerOf(p.Object)
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
		for _, tokens := range cuts(tk, row[0].S) {
			entries = append(entries, gazetteer.Entry{Tokens: tokens, Labels: labels})
		}
	}
	if p.Object != nil {
		err = r.Resources().Rows(p.Object, use)
	} else {
		err = r.relationPhrases(p, use)
	}
	return entries, err
}

// cuts returns the tokens of a phrase as the tokeniser cuts it and, where that differs, as
// white space does: corpora that came with tokens may keep hyphens and apostrophes in words.
func cuts(tk segment.Tokenizer, phrase string) [][]string {
	var out [][]string
	for _, tokens := range [][]string{phraseTokens(tk, phrase), strings.Fields(phrase)} {
		if len(tokens) > 0 && (len(out) == 0 || !slices.Equal(out[0], tokens)) {
			out = append(out, tokens)
		}
	}
	return out
}

// relationPhrases reads the rows of a relation whose arguments are left out.
func (r *Execution) relationPhrases(p *plan.Phrases, use func([]value.Value)) error {
	var n *plan.Relation
	for _, rel := range r.Relations(p.Model) {
		if rel.Name == p.Rel {
			n = bind.RelationNode(p.Model, rel)
		}
	}
	if n == nil {
		return fault.New(plan.CodeUndefinedTable, "model %s has no relation %s", p.Model, p.Rel)
	}
	op, err := r.relation(n)
	if err != nil {
		return err
	}
	ctx := r.Env.Ctx
	if ctx == nil {
		ctx = context.Background()
	}
	rows, err := operator.Drain(ctx, op, 0)
	for _, row := range rows {
		if !row[0].IsNull() {
			use(row)
		}
	}
	return err
}
