package whyqa

// sentimentPhrase is a clause with words of polarity.
type sentimentPhrase struct {
	tokens   []token
	polarity int8
}

func (p *sentimentPhrase) sign() string {
	if p.polarity > 0 {
		return "+"
	}
	return "-"
}

// sentimentPhrases are the clauses with words of polarity. The polarity of a clause is the sign of the sum of those of
// its words, turned round by each word that reverses, such as not or prevent; where the sum is 0 it is none.
func sentimentPhrases(tokens []token) (out []sentimentPhrase) {
	for i := 0; i < len(tokens); {
		end, sum, turned := i, 0, false
		for ; end < len(tokens) && tokens[end].clause == tokens[i].clause; end++ {
			switch t := tokens[end]; {
			case reversers[t.lower] || reversers[t.stem]:
				turned = !turned
			default:
				sum += int(t.polarity)
			}
		}
		if turned {
			sum = -sum
		}
		if sum != 0 {
			p := sentimentPhrase{tokens[i:end], 1}
			if sum < 0 {
				p.polarity = -1
			}
			out = append(out, p)
		}
		i = end
	}
	return out
}

// sentimentPhrases adds what sentiment phrases of question and passage have in common (SA@P of Oh et al. 2012, table
// 2). Phrases of the passage count in sentences with a term of the question. It returns SA@P5, the share of the
// question's terms in sentences with a phrase.
func (x *extractor) sentimentPhrases(q *question, tokens []token) float64 {
	asks := sentimentPhrases(x.tokens(q.words, q))
	asked := map[int]bool{}
	for _, t := range tokens {
		if t.asked {
			asked[t.sentence] = true
		}
	}
	felt := map[int]bool{}
	for _, p := range sentimentPhrases(tokens) {
		if !asked[p.tokens[0].sentence] {
			continue
		}
		felt[p.tokens[0].sentence] = true
		x.sentimentPhrase(p)
		for _, a := range asks {
			if a.polarity == p.polarity {
				x.emit("SA@P1")
				x.emit("SA@P2", p.sign())
				x.classPairs(a, p)
			}
		}
	}
	var beside []token
	for _, t := range tokens {
		if felt[t.sentence] {
			beside = append(beside, t)
		}
	}
	return share(q, beside)
}

// sentimentPhrase adds the n-grams in a phrase with its polarity: as they are, with classes, with both.
func (x *extractor) sentimentPhrase(p sentimentPhrase) {
	x.grams(p.tokens, func(g gram) {
		key, _ := g.key(asStem)
		x.emit("SA@P3", key, p.sign())
		if g.asked() {
			x.emit("SA@P4", key, p.sign())
		}
	})
	x.viewed(p.tokens, asClass, "SA@P6", "SA@P7", p.sign())
	x.viewed(p.tokens, asBoth, "SA@P8", "SA@P9", p.sign())
}

// classPairs adds SA@P10, pairs of n-grams with classes, one of a phrase of the question, one of a phrase of the
// passage of the same polarity.
func (x *extractor) classPairs(a, p sentimentPhrase) {
	var keys []string
	x.grams(a.tokens, func(g gram) {
		if key, changed := g.key(asClass); changed {
			keys = append(keys, key)
		}
	})
	x.grams(p.tokens, func(g gram) {
		if key, changed := g.key(asClass); changed {
			for _, k := range keys {
				x.emit("SA@P10", k, key, p.sign())
			}
		}
	})
}
