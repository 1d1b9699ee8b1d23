package resource

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// wordnet is a folder of the files of WordNet (wndb(5)): data.*, index.* and *.exc.
type wordnet struct {
	relations []string
	pos       []string
}

// wordnetPointer is a relation of WordNet between synsets, or between words where the file numbers them.
type wordnetPointer struct {
	symbol, relation string
	instead          string // what is read instead unless the relation is named: its inverse
	domain, rng      string // "" where pointers of both kinds occur
}

var wordnetPointers = []wordnetPointer{
	{"!", "antonym", "", "word", "word"},
	{"@", "hypernym", "", "synset", "synset"},
	{"@i", "instance_hypernym", "", "synset", "synset"},
	{"~", "hyponym", "hypernym", "synset", "synset"},
	{"~i", "instance_hyponym", "instance_hypernym", "synset", "synset"},
	{"#m", "member_holonym", "member_meronym", "synset", "synset"},
	{"#s", "substance_holonym", "substance_meronym", "synset", "synset"},
	{"#p", "part_holonym", "part_meronym", "synset", "synset"},
	{"%m", "member_meronym", "", "synset", "synset"},
	{"%s", "substance_meronym", "", "synset", "synset"},
	{"%p", "part_meronym", "", "synset", "synset"},
	{"=", "attribute", "", "synset", "synset"},
	{"+", "derivation", "", "word", "word"},
	{";c", "topic", "", "", ""},
	{"-c", "topic_member", "topic", "", ""},
	{";r", "region", "", "", ""},
	{"-r", "region_member", "region", "", ""},
	{";u", "usage", "", "", ""},
	{"-u", "usage_member", "usage", "", ""},
	{"*", "entailment", "", "synset", "synset"},
	{">", "cause", "", "synset", "synset"},
	{"^", "also_see", "", "", ""},
	{"$", "verb_group", "", "synset", "synset"},
	{"&", "similar_to", "", "synset", "synset"},
	{"<", "participle", "", "word", "word"},
	{`\`, "pertainym", "", "word", "word"},
}

// wordnetOwn are the relations that are no pointers.
var wordnetOwn = []wordnetPointer{
	{"", "synset", "", "word", "synset"},
	{"", "synonym", "", "word", "word"},
	{"", "synset_antonym", "", "synset", "synset"}, // the synsets of the words of an antonym
	{"", "gloss", "none", "synset", "gloss"},
	{"", "lemma", "", "", "word"},
}

// wordnetTypes are the types of entities with their parents.
var wordnetTypes = [][2]string{{"word", ""}, {"noun", "word"}, {"verb", "word"}, {"adjective", "word"},
	{"satellite", "adjective"}, {"adverb", "word"}, {"synset", ""}, {"gloss", ""}}

// wordnetParts are the parts of speech with the endings of their files.
var wordnetParts = [][2]string{{"noun", "noun"}, {"verb", "verb"}, {"adjective", "adj"}, {"adverb", "adv"}}

func wordnetRelations(all bool) (out []string) {
	for _, p := range slices.Concat(wordnetOwn, wordnetPointers) {
		if all || p.instead == "" {
			out = append(out, p.relation)
		}
	}
	return out
}

func (w *wordnet) Options(s *option.Set) {
	s.List(&w.relations, "relations", wordnetRelations(false),
		"relations that are read, of "+strings.Join(wordnetRelations(true), ", "))
	s.Check("relations", func() error { return among(w.relations, wordnetRelations(true)) })
	var parts []string
	for _, p := range wordnetParts {
		parts = append(parts, p[0])
	}
	s.List(&w.pos, "pos", parts, "parts of speech that are read")
	s.Check("pos", func() error { return among(w.pos, parts) })
}

// among refuses names that are not in a list.
func among(names, all []string) error {
	for _, n := range names {
		if !slices.Contains(all, n) {
			return fmt.Errorf("option relations: %s is none of %s%s", n, strings.Join(all, ", "), option.DidYouMean(n, all))
		}
	}
	return nil
}

// InFolder replaces folders among paths by their files, where a format reads folders.
func InFolder(c codec.Codec, f files.Files, paths []string) []string {
	w, ok := c.(*wordnet)
	if !ok {
		return paths
	}
	var out []string
	for _, p := range paths {
		if info, err := f.Stat(p); err != nil || !info.IsDir() {
			out = append(out, p)
			continue
		}
		for _, part := range wordnetParts {
			if !slices.Contains(w.pos, part[0]) {
				continue
			}
			out = append(out, filepath.Join(p, "index."+part[1]), filepath.Join(p, "data."+part[1]))
			if exc := filepath.Join(p, part[1]+".exc"); slices.Contains(w.relations, "lemma") {
				if _, err := f.Stat(exc); err == nil {
					out = append(out, exc)
				}
			}
		}
	}
	return out
}

// wordnetSynset is a line of a data file.
type wordnetSynset struct {
	id       string
	key      string // ending of the file
	offset   string
	place    string
	kind     byte // n, v, a, s, r
	words    []string
	pointers []wordnetLink
	gloss    string
}

type wordnetLink struct {
	symbol   string
	to       string // ending of the file and offset
	from, at int    // numbers of words, 0 for the synset
}

// wordnetFiles is what the files say.
type wordnetFiles struct {
	senses  map[string]int // of ending, lemma and offset: number of the sense
	synsets []*wordnetSynset
	at      map[string]*wordnetSynset // by ending and offset
	forms   [][3]string               // form, lemma, place
}

func (w *wordnet) Knowledge(ctx context.Context, src *codec.Sources,
	emit func(table string, row []value.Value, place string) error) error {
	f := &wordnetFiles{senses: map[string]int{}, at: map[string]*wordnetSynset{}}
	err := src.Each(func(s *codec.Source) error { return f.read(ctx, s) })
	if err != nil {
		return err
	}
	e := &wordnetRows{w: w, f: f, emit: emit, seen: map[[3]string]bool{}}
	return e.all(ctx)
}

// read takes in one file, which it knows by its name.
func (f *wordnetFiles) read(ctx context.Context, s *codec.Source) error {
	what, part, _ := strings.Cut(s.Base, ".")
	take := f.data
	switch {
	case what == "index":
		take = f.index
	case part == "exc":
		take, part = f.exceptions, what
	case what != "data":
		return s.Fault(1, 0, "WordNet has the files data.noun, index.noun, noun.exc and so on; LOAD their folder")
	}
	if !slices.ContainsFunc(wordnetParts, func(p [2]string) bool { return p[1] == part }) {
		return s.Fault(1, 0, "%s is none of noun, verb, adj, adv", part)
	}
	for {
		line, n, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(line) == 0 || line[0] == ' ' { // the licence
			continue
		}
		if err := take(part, string(line), fmt.Sprintf("%s:%d", s.Name, n)); err != nil {
			return s.Fault(n, 0, "%v", err)
		}
	}
}

// index reads lemma pos synset_cnt p_cnt [symbol…] sense_cnt tagsense_cnt offset….
func (f *wordnetFiles) index(part, line, _ string) error {
	parts := strings.Fields(line)
	if len(parts) < 6 {
		return fmt.Errorf("an entry of the index has lemma, part of speech, numbers and offsets")
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil || n < 1 || n > len(parts)-5 {
		return fmt.Errorf("the number of synsets is %s", parts[2])
	}
	for i, offset := range parts[len(parts)-n:] {
		f.senses[part+" "+parts[0]+" "+offset] = i + 1
	}
	return nil
}

// exceptions reads form lemma….
func (f *wordnetFiles) exceptions(_, line, place string) error {
	parts := strings.Fields(line)
	for _, lemma := range parts[1:] {
		f.forms = append(f.forms, [3]string{wordnetWord(parts[0]), wordnetWord(lemma), place})
	}
	return nil
}

// wordnetWord puts spaces for underscores and leaves the marker of adjectives out, as in galore(ip).
func wordnetWord(s string) string {
	if i := strings.IndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		s = s[:i]
	}
	return strings.ReplaceAll(s, "_", " ")
}

// data reads offset file type w_cnt (word lex_id)… p_cnt (symbol offset pos source/target)… | gloss.
func (f *wordnetFiles) data(part, line, place string) error {
	line, gloss, _ := strings.Cut(line, "| ")
	p := &wordnetLine{rest: strings.Fields(line)}
	offset := p.next()
	s := &wordnetSynset{place: place, key: part, offset: offset, gloss: strings.TrimSpace(gloss)}
	p.next()
	kind := p.next()
	if len(kind) != 1 || !strings.Contains("nvasr", kind) {
		return fmt.Errorf("the type of a synset is one of n, v, a, s, r, not %q", kind)
	}
	s.kind = kind[0]
	for range p.number(16) {
		s.words = append(s.words, wordnetWord(p.next()))
		p.next()
	}
	for range p.number(10) {
		l := wordnetLink{symbol: p.next(), to: p.next()}
		to := p.next()
		l.to = map[string]string{"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}[to] + " " + l.to
		words := p.next()
		if both, err := strconv.ParseUint(words, 16, 16); err == nil && len(words) == 4 {
			l.from, l.at = int(both>>8), int(both&255)
		} else {
			p.bad = true
		}
		p.bad = p.bad || l.from > len(s.words)
		s.pointers = append(s.pointers, l)
	}
	if p.bad || len(s.words) == 0 {
		return fmt.Errorf("a synset has offset, file, type, words, pointers and a gloss; this one has not")
	}
	sense := f.senses[part+" "+strings.ToLower(strings.ReplaceAll(s.words[0], " ", "_"))+" "+offset]
	if sense == 0 {
		return fmt.Errorf("%s is not in index.%s, which is read before", s.words[0], part)
	}
	s.id = fmt.Sprintf("%s.%c.%02d", strings.ToLower(strings.ReplaceAll(s.words[0], " ", "_")), s.kind, sense)
	f.at[part+" "+offset] = s
	f.synsets = append(f.synsets, s)
	return nil
}

// wordnetLine hands out the fields of a line.
type wordnetLine struct {
	rest []string
	bad  bool // something was missing
}

func (p *wordnetLine) next() string {
	if len(p.rest) == 0 {
		p.bad = true
		return ""
	}
	s := p.rest[0]
	p.rest = p.rest[1:]
	return s
}

// number reads a number of things that follow.
func (p *wordnetLine) number(base int) int {
	n, err := strconv.ParseUint(p.next(), base, 16)
	if err != nil || int(n) > len(p.rest) {
		p.bad = true
		return 0
	}
	return int(n)
}
