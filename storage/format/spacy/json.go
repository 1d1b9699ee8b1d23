package spacy

import (
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
)

// paragraph reads a paragraph of the training data of version 2. Its tokens say what it holds: offsets of entities that
// such files have beside them are not read by spaCy either.
func (c *spacy) paragraph(id string, v any) (*text.Document, error) {
	m, _ := v.(map[string]any)
	sentences, ok := m["sentences"].([]any)
	if !ok {
		return nil, fmt.Errorf("a paragraph has no sentences")
	}
	t := &docTokens{cells: map[string][]string{}}
	for _, s := range sentences {
		one, _ := s.(map[string]any)
		tokens, ok := one["tokens"].([]any)
		if !ok {
			return nil, fmt.Errorf("a sentence has no tokens")
		}
		first, open := len(t.words), ""
		for k, x := range tokens {
			token, _ := x.(map[string]any)
			var err error
			if open, err = t.add(token, k, first, len(tokens), open); err != nil {
				return nil, err
			}
		}
	}
	if raw, ok := m["raw"].(string); ok {
		if err := t.placeIn(raw); err != nil {
			return nil, err
		}
	}
	d := t.document(id, func(what codec.Topic, n int) { c.Tell(what, n, id, 0) })
	cats := map[string]any{}
	if list, ok := m["cats"].([]any); ok {
		for _, x := range list {
			if one, ok := x.(map[string]any); ok {
				if name, ok := one["label"].(string); ok {
					cats[name] = one["value"]
				}
			}
		}
	}
	setCats(d, cats)
	return d, nil
}

// add adds token k of a sentence of n. open is the label of the entity that the token before it is in and that goes on.
func (t *docTokens) add(token map[string]any, k, first, n int, open string) (string, error) {
	word, ok := token["orth"].(string)
	if !ok || word == "" {
		return "", fmt.Errorf("a token has no orth")
	}
	t.words, t.starts = append(t.words, word), append(t.starts, k == 0)
	space, ok := token["space"].(string)
	t.spaces = append(t.spaces, space != "" || !ok)
	for column, name := range map[string]string{"lemma": "lemma", "upos": "pos", "xpos": "tag", "feats": "morph"} {
		s, _ := token[name].(string)
		t.cells[column] = append(t.cells[column], s)
	}
	rel, _ := token["dep"].(string)
	if strings.EqualFold(rel, "root") {
		rel = "root"
	}
	head, _ := jsonvalue.Number(token, "head")
	if head += k; head < 0 || head >= n {
		return "", fmt.Errorf("the head of %s is no token of its sentence", word)
	}
	t.heads, t.rels = append(t.heads, first+head), append(t.rels, rel)
	tag, _ := token["ner"].(string)
	mark, label, cut := strings.Cut(tag, "-")
	switch {
	case tag == "" || tag == "-":
		t.tags = append(t.tags, "")
	case tag == "O":
		t.tags = append(t.tags, "O")
	case !cut || label == "" || !strings.Contains("BILU", mark) || len(mark) != 1:
		return "", fmt.Errorf("%q is no tag such as O, U-PER, B-PER, I-PER, L-PER or -", tag)
	case mark == "B" || mark == "U":
		t.tags = append(t.tags, "B-"+label)
	case open != label:
		return "", fmt.Errorf("%s goes on with an entity that did not begin", tag)
	default:
		t.tags = append(t.tags, "I-"+label)
	}
	if mark == "B" || mark == "I" {
		return label, nil
	}
	return "", nil
}

// placeIn finds the tokens in the text of the paragraph; what stands between them becomes tokens of white space.
func (t *docTokens) placeIn(raw string) error {
	out := docTokens{cells: map[string][]string{}}
	at := make([]int, len(t.words)) // new places of tokens
	rest := raw
	lead := func(gap string) {
		if gap != "" {
			out.words, out.spaces, out.tags = append(out.words, gap), append(out.spaces, false), append(out.tags, "")
			out.heads, out.rels, out.starts = append(out.heads, len(out.heads)), append(out.rels, ""), append(out.starts, false)
			for c := range t.cells {
				out.cells[c] = append(out.cells[c], "")
			}
		}
	}
	for i, w := range t.words {
		k := strings.Index(rest, w)
		if k < 0 || strings.TrimSpace(rest[:k]) != "" {
			return fmt.Errorf("token %q does not follow in the text of its paragraph, raw", w)
		}
		lead(rest[:k])
		at[i] = len(out.words)
		out.words, out.spaces, out.tags = append(out.words, w), append(out.spaces, false), append(out.tags, t.tags[i])
		out.heads, out.rels, out.starts = append(out.heads, 0), append(out.rels, t.rels[i]), append(out.starts, t.starts[i])
		for c := range t.cells {
			out.cells[c] = append(out.cells[c], t.cells[c][i])
		}
		rest = rest[k+len(w):]
	}
	lead(rest)
	for i, h := range t.heads {
		out.heads[at[i]] = at[h]
	}
	*t = out
	return nil
}
