package picture

import (
	"bytes"
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
)

// TestOutline: nodes stand below what they are part of; what has no tree is its tokens.
func TestOutline(t *testing.T) {
	d := &text.Document{ID: "d", Text: "The dog barked . Yes"}
	toks := text.NewLayer(text.Tokens)
	toks.N = 5
	toks.SetInts("sent", []int32{1, 1, 1, 1, 2})
	toks.SetInts("tok", []int32{1, 2, 3, 4, 1})
	toks.SetInts("char_start", []int32{0, 4, 8, 15, 17})
	toks.SetInts("char_end", []int32{3, 7, 14, 16, 20})
	toks.SetStrs("form", strings.Fields(d.Text))
	toks.SetStrs("xpos", strings.Fields("DT NN VBD . UH"))
	d.SetLayer(toks)
	l := text.NewLayer(text.Constituents)
	l.N = 3
	for name, v := range map[string][]int32{"sent": {1, 1, 1}, "node": {1, 2, 3}, "parent": {0, 1, 1}, "tok_start": {1,
		1, 3},
		"tok_end": {4, 2, 3}, "char_start": {0, 0, 8}, "char_end": {16, 7, 14}} {
		l.SetInts(name, v)
	}
	l.SetStrs("label", []string{"S", "NP", "VP"})
	d.SetLayer(l)
	for tags, want := range map[string]string{
		"xpos": "S\n├─ NP\n│  ├─ DT The\n│  └─ NN dog\n├─ VP\n│  └─ VBD barked\n└─ . .\n\nUH Yes\n\n",
		"none": "S\n├─ NP\n│  ├─ The\n│  └─ dog\n├─ VP\n│  └─ barked\n└─ .\n\nYes\n\n",
	} {
		o, s := &outline{}, &option.Set{}
		o.Options(s)
		o.tags = tags
		var b bytes.Buffer
		if err := o.Document(&b, d); err != nil || b.String() != want {
			t.Errorf("tags %s: %v\n%s", tags, err, b.String())
		}
	}
	var b bytes.Buffer
	if err := (&outline{ids: true, tags: "xpos"}).Document(&b, &text.Document{ID: "empty"}); err != nil ||
		b.String() != "# doc = empty\n\n" {
		t.Errorf("a document without tokens: %q, %v", b.String(), err)
	}
	l.SetInts("tok_end", []int32{4, 2, 9})
	if err := (&outline{}).Document(&b, d); err == nil {
		t.Error("a node beyond the tokens is drawn")
	}
}
