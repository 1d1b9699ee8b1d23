package lookahead

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// treed adds dependencies to documents: the first verb is the root, tokens before it depend on the
// next one, those after it on the verb.
func treed(docs []*text.Document) []*text.Document {
	for _, d := range docs {
		toks, l := d.Layer(text.Tokens.Name), text.NewLayer(text.Dependencies)
		var sent, tok, head []int32
		var rel []string
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds); s++ {
			tags := toks.Strs("upos")[bounds[s-1]:bounds[s]]
			root := 0
			for tags[root] != "V" {
				root++
			}
			for i, tag := range tags {
				sent, tok, rel = append(sent, int32(s)), append(tok, int32(i+1)), append(rel, "r"+tag)
				switch {
				case i < root:
					head = append(head, int32(i+2))
				case i == root:
					head, rel[len(rel)-1] = append(head, 0), "root"
				default:
					head = append(head, int32(root+1))
				}
			}
		}
		l.N = len(sent)
		l.SetInts("sent", sent)
		l.SetInts("tok", tok)
		l.SetInts("head", head)
		l.SetStrs("deprel", rel)
		d.SetLayer(l)
	}
	return docs
}

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"spans":   {kindtest.Arg("layer", "entities")},
		"iobes":   {kindtest.Arg("layer", "entities"), kindtest.Arg("scheme", "iobes"), kindtest.Arg("depth", 2), kindtest.Arg("order", 2)},
		"reverse": {kindtest.Arg("layer", "entities"), kindtest.Arg("direction", "rtl"), kindtest.Arg("margin", 1)},
		"column":  {kindtest.Arg("layer", "upos"), kindtest.Arg("depth", 0), kindtest.Arg("min_count", 2)},
		"arcs":    {kindtest.Arg("layer", "dependencies"), kindtest.Arg("depth", 2)},
		"heads":   {kindtest.Arg("layer", "dependencies"), kindtest.Arg("labelled", false), kindtest.Arg("depth", 0), kindtest.Arg("min_count", 2)},
		"naive":   {kindtest.Arg("layer", "upos"), kindtest.Arg("search", "naive"), kindtest.Arg("order", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := treed(kindtest.Sample(30))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:], Resumes: true})
		})
	}
}
