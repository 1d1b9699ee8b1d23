package text

// InsideTokens counts the rows of a layer that begin or end inside a token: models learn whole tokens only.
func (d *Document) InsideTokens(l *Layer) int {
	toks := d.Layer(Tokens.Name)
	sent, first, last := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end")
	start, end := l.Ints("char_start"), l.Ints("char_end")
	if toks == nil || sent == nil || first == nil || last == nil || start == nil || end == nil {
		return 0
	}
	from, to, bounds := toks.Ints("char_start"), toks.Ints("char_end"), d.SentenceTokens()
	n := 0
	for i := range l.N {
		s := int(sent[i])
		if s < 1 || s >= len(bounds) || first[i] < 1 || last[i] < first[i] || last[i] > bounds[s]-bounds[s-1] {
			continue
		}
		row := bounds[s-1] - 1
		if start[i] > from[row+first[i]] || end[i] < to[row+last[i]] {
			n++
		}
	}
	return n
}

// RepeatedMentions counts the mentions whose span stands in another cluster before.
func (l *Layer) RepeatedMentions() int {
	type span struct{ sent, start, end int32 }
	clusters, sent, start, end := l.Strs("cluster"), l.Ints("sent"), l.Ints("char_start"), l.Ints("char_end")
	if clusters == nil || sent == nil || start == nil || end == nil {
		return 0
	}
	seen, n := map[span]string{}, 0
	for i, c := range clusters {
		if c == "" || l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		at := span{sent[i], start[i], end[i]}
		if before, ok := seen[at]; ok && before != c {
			n++
		} else if !ok {
			seen[at] = c
		}
	}
	return n
}
