package resource

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/storage/value"
)

// wordnetRows makes rows of a knowledge base of what the files of WordNet say.
type wordnetRows struct {
	w    *wordnet
	f    *wordnetFiles
	emit func(table string, row []value.Value, place string) error
	seen map[[3]string]bool // triples that may be given several times
}

func (e *wordnetRows) reads(relation string) bool { return slices.Contains(e.w.relations, relation) }

// all emits types, signatures, entities and triples, in this order, in that of the files.
func (e *wordnetRows) all(ctx context.Context) error {
	for _, step := range []func(context.Context) error{e.schema, e.words, e.triples, e.exceptions} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func orNull(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.Str(s)
}

func (e *wordnetRows) schema(context.Context) error {
	for _, t := range wordnetTypes {
		if err := e.emit("types", []value.Value{value.Str(t[0]), orNull(t[1])}, "WordNet"); err != nil {
			return err
		}
	}
	for _, p := range slices.Concat(wordnetOwn, wordnetPointers) {
		if !e.reads(p.relation) {
			continue
		}
		if err := e.emit("relations", []value.Value{value.Str(p.relation), orNull(p.domain), orNull(p.rng), {}},
			"WordNet"); err != nil {
			return err
		}
	}
	return nil
}

// words emits synsets and their words with types, each pair once.
func (e *wordnetRows) words(ctx context.Context) error {
	types := map[byte]string{'n': "noun", 'v': "verb", 'a': "adjective", 's': "satellite", 'r': "adverb"}
	typed := map[[2]string]bool{}
	for i, s := range e.f.synsets {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		pairs := [][2]string{{s.id, "synset"}}
		for _, word := range s.words {
			pairs = append(pairs, [2]string{word, types[s.kind]})
		}
		if e.reads("gloss") && s.gloss != "" {
			pairs = append(pairs, [2]string{s.gloss, "gloss"})
		}
		for _, p := range pairs {
			if typed[p] {
				continue
			}
			typed[p] = true
			if err := e.emit("entities", []value.Value{value.Str(p[0]), value.Str(p[1])}, s.place); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *wordnetRows) triple(s *wordnetSynset, subject, relation, object string, weight float64) error {
	return e.emit("triples", []value.Value{value.Str(subject), value.Str(relation), value.Str(object), value.Real(weight),
		value.Bool(true)}, s.place)
}

// once emits a triple unless it was there.
func (e *wordnetRows) once(s *wordnetSynset, subject, relation, object string) error {
	k := [3]string{subject, relation, object}
	if e.seen[k] {
		return nil
	}
	e.seen[k] = true
	return e.triple(s, subject, relation, object, 1)
}

func (e *wordnetRows) triples(ctx context.Context) error {
	names := map[string]string{}
	for _, p := range wordnetPointers {
		if e.reads(p.relation) {
			names[p.symbol] = p.relation
		}
	}
	own := map[string]bool{}
	for _, p := range wordnetOwn {
		own[p.relation] = e.reads(p.relation)
	}
	for i, s := range e.f.synsets {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := e.own(s, own); err != nil {
			return err
		}
		for _, l := range s.pointers {
			if name := names[l.symbol]; name != "" {
				if err := e.pointer(s, l, name); err != nil {
					return err
				}
			}
			if l.symbol == "!" && own["synset_antonym"] {
				if err := e.senses(s, l); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// own emits the senses, synonyms and gloss of a synset. A sense weighs 1 over its number.
func (e *wordnetRows) own(s *wordnetSynset, reads map[string]bool) error {
	for i, a := range s.words {
		if reads["synset"] && !slices.Contains(s.words[:i], a) {
			if err := e.triple(s, a, "synset", s.id, 1/float64(max(1, e.sense(s, a)))); err != nil {
				return err
			}
		}
		for _, b := range s.words {
			if a != b && reads["synonym"] {
				if err := e.once(s, a, "synonym", b); err != nil {
					return err
				}
			}
		}
	}
	if reads["gloss"] && s.gloss != "" {
		return e.triple(s, s.id, "gloss", s.gloss, 1)
	}
	return nil
}

// sense is the number of the sense of a word that a synset is.
func (e *wordnetRows) sense(s *wordnetSynset, word string) int {
	return e.f.senses[s.key+" "+strings.ToLower(strings.ReplaceAll(word, " ", "_"))+" "+s.offset]
}

func (e *wordnetRows) pointer(s *wordnetSynset, l wordnetLink, relation string) error {
	to := e.f.at[l.to]
	switch {
	case to == nil: // of a part of speech that is not read
		return nil
	case l.from == 0 || l.at == 0:
		return e.triple(s, s.id, relation, to.id, 1)
	case l.at > len(to.words):
		return fmt.Errorf("%s: a pointer goes to word %d of %s, which has %d", s.place, l.at, to.id, len(to.words))
	}
	return e.once(s, s.words[l.from-1], relation, to.words[l.at-1])
}

// senses emits which synsets an antonym is between.
func (e *wordnetRows) senses(s *wordnetSynset, l wordnetLink) error {
	if to := e.f.at[l.to]; to != nil {
		return e.once(s, s.id, "synset_antonym", to.id)
	}
	return nil
}

// exceptions emits the irregular forms of words.
func (e *wordnetRows) exceptions(context.Context) error {
	for _, f := range e.f.forms {
		if !e.reads("lemma") {
			return nil
		}
		if err := e.once(&wordnetSynset{place: f[2]}, f[0], "lemma", f[1]); err != nil {
			return err
		}
	}
	return nil
}
