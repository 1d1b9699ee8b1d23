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

// Phrased adds constituents to documents: TOP over S, of the NP of the tokens before the first verb, and a VP of that
// verb with the NP of what follows; the last token, a full stop, stands in S.
func Phrased(docs []*text.Document) []*text.Document {
	for _, d := range docs {
		toks, l := d.Layer(text.Tokens.Name), text.NewLayer(text.Constituents)
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds); s++ {
			from := bounds[s-1]
			tags := toks.Strs("upos")[from:bounds[s]]
			n, verb := int32(len(tags)), int32(1)
			for tags[verb-1] != "V" {
				verb++
			}
			for i, x := range []struct {
				label        string
				parent, a, z int32
			}{{"TOP", 0, 1, n}, {"S", 1, 1, n}, {"NP", 2, 1, verb - 1}, {"VP", 2, verb, n - 1}, {"NP", 4, verb + 1, n - 1}} {
				for c, v := range map[string]int32{"sent": int32(s), "node": int32(i + 1), "parent": x.parent, "tok_start": x.a,
					"tok_end": x.z, "char_start": toks.Cols[2].Ints[from+x.a-1], "char_end": toks.Cols[3].Ints[from+x.z-1]} {
					l.SetInts(c, append(l.Ints(c), v))
				}
				l.SetStrs("label", append(l.Strs("label"), x.label))
				l.N++
			}
		}
		d.SetLayer(l)
	}
	return docs
}
