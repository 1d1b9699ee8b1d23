package kindtest

import "parlance/algo/text"

// Treed adds dependencies to documents: the first verb is the root, tokens before it depend on the
// next one, those after it on the verb.
func Treed(docs []*text.Document) []*text.Document {
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
