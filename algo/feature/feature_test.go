package feature

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// document makes sentences of "form/tag" words.
func document(sentences ...string) *text.Document {
	d := &text.Document{ID: "d"}
	l := text.NewLayer(text.Tokens)
	for s, line := range sentences {
		for t, w := range strings.Fields(line) {
			form, tag, _ := strings.Cut(w, "/")
			l.Cols[0].Ints = append(l.Cols[0].Ints, int32(s+1))
			l.Cols[1].Ints = append(l.Cols[1].Ints, int32(t+1))
			l.Cols[2].Ints = append(l.Cols[2].Ints, int32(len(d.Text)))
			d.Text += form
			l.Cols[3].Ints = append(l.Cols[3].Ints, int32(len(d.Text)))
			d.Text += " "
			l.Cols[4].Strs = append(l.Cols[4].Strs, form)
			l.Cols[7].Strs = append(l.Cols[7].Strs, tag)
			l.N++
		}
	}
	d.SetLayer(l)
	return d
}

type resources struct{}

func (resources) Gazetteer(name string) (kind.Gazetteer, error) {
	if name != "cities" {
		return nil, errors.New("none")
	}
	return cities{}, nil
}

func (resources) Model(name string) (kind.Trained, error)   { return kind.Trained{}, nil }
func (resources) Lexicon(name string) (kind.Lexicon, error) { return clusterBits{}, nil }
func (resources) KB(name string) (kind.KB, error)           { return nil, errors.New("none") }
func (resources) Corpus(name string) (kind.Corpus, error)   { return nil, errors.New("none") }

type cities struct{}

func (cities) Match(forms []string, i int) (int, []string) {
	if forms[i] == "New" && i+1 < len(forms) && forms[i+1] == "York" {
		return 2, []string{"CITY", "NAME"}
	}
	if forms[i] == "Old" && i+1 < len(forms) && forms[i+1] == "Hat" {
		return 2, nil // a phrase without a label
	}
	return 0, nil
}

type clusterBits struct{ kind.Lexicon }

func (clusterBits) Lookup(word, column string) string {
	if word == "York" && column == "bits" {
		return "011010"
	}
	return ""
}

func must(t testing.TB, notation string) *Set {
	t.Helper()
	s, err := Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// names extracts with a fresh alphabet and names the attributes by item.
func names(t testing.TB, notation string, d *text.Document) []string {
	t.Helper()
	a := NewAlphabet(must(t, notation))
	e, err := NewExtractor(a, resources{})
	if err != nil {
		t.Fatal(err)
	}
	var r Rows
	e.Grow(d, &r)
	var out []string
	for i := 1; i < len(r.Offsets); i++ {
		var parts []string
		for _, x := range r.Attrs[r.Offsets[i-1]:r.Offsets[i]] {
			parts = append(parts, a.Name(x))
		}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}

func TestAtoms(t *testing.T) {
	d := document("In/IN New/NNP York/NNP , iPhone-12/NN")
	for _, c := range []struct {
		notation string
		item     int
		want     string
	}{
		{"form[-1..1]", 1, "form[-1]=In form[0]=New form[1]=York"},
		{"form[-1..1]", 0, "form[0]=In form[1]=New"},
		{"form[-1]|xpos[0]", 2, "form[-1]|xpos[0]=New|NNP"},
		{"xpos[0]", 3, ""},
		{"lower[0]", 4, "lower[0]=iphone-12"},
		{"prefix(2)[0], suffix(3)[0]", 4, "prefix(2)[0]=iP suffix(3)[0]=-12"},
		{"prefix(2)[0], suffix(2)[0]", 0, ""},
		{"shape[0]", 4, "shape[0]=xXxxxx-99"},
		{"short_shape[0]", 4, "short_shape[0]=xXx-9"},
		{"length[0]", 4, "length[0]=9"},
		{"is_title[0], is_upper[0], has_digit[0], has_hyphen[0], has_upper[0], is_punct[0], is_digit[0]", 4,
			"has_digit[0]=1 has_hyphen[0]=1 has_upper[0]=1"},
		{"is_title[0], is_punct[0]", 1, "is_title[0]=1"},
		{"is_title[0], is_punct[0]", 3, "is_punct[0]=1"},
		{"gazetteer(cities)[0]", 1, "gazetteer(cities)[0]=B-CITY+NAME"},
		{"gazetteer(cities)[0]", 2, "gazetteer(cities)[0]=I-CITY+NAME"},
		{"gazetteer(cities)[1]", 0, "gazetteer(cities)[1]=B-CITY+NAME"},
		{"lexicon(clusters, bits, 4)[0]", 2, "lexicon(clusters, bits, 4)[0]=0110"},
		{"lexicon(clusters, bits)[0]", 2, "lexicon(clusters, bits)[0]=011010"},
		{"bos, eos, bias", 0, "bos=1 bias=1"},
		{"bos, eos, bias", 4, "eos=1 bias=1"},
		{"form[-1]|form[0]|form[1]", 2, "form[-1]|form[0]|form[1]=New|York|,"},
		{"word", 0, "word=In word=New word=York word=, word=iPhone-12"},
		{"ngram(2)", 0, "ngram(2)=in new ngram(2)=new york ngram(2)=york , ngram(2)=, iphone-12"},
		{"char_ngram(17)", 0, "char_ngram(17)=in new york , iph char_ngram(17)=n new york , ipho char_ngram(17)= new york " +
			", iphon char_ngram(17)=new york , iphone char_ngram(17)=ew york , iphone- char_ngram(17)=w york , iphone-1 " +
			"char_ngram(17)= york , iphone-12"},
	} {
		if got := names(t, c.notation, d)[c.item]; got != c.want {
			t.Errorf("%s at %d gives %q, want %q", c.notation, c.item, got, c.want)
		}
	}
}

func TestNotation(t *testing.T) {
	s := must(t, "form[-1..1], # window\n suffix( 3 )[0]; form[-1] | form[0]\nform[0]")
	want := "form[-1], form[0], form[1], suffix(3)[0], form[-1]|form[0]"
	if s.String() != want {
		t.Errorf("canonical notation %q, want %q", s, want)
	}
	for _, b := range Builtins() {
		s, ok := Builtin(b.Name)
		if !ok {
			t.Fatalf("%s does not compile", b.Name)
		}
		if again := must(t, s.String()); again.String() != s.String() {
			t.Errorf("%s comes back as %s", s, again)
		}
	}
}

// TestSetsInSets: the name of a built-in set stands for its templates, once each.
func TestSetsInSets(t *testing.T) {
	ner, _ := Builtin("ner")
	for notation, want := range map[string]string{
		"ner, feats[0]":         ner.String() + ", feats[0]",
		"lower[0]; ner # again": "lower[0], " + strings.Replace(ner.String(), "lower[0], ", "", 1),
		"ner\nner":              ner.String(),
		"bow, char_ngram(2)":    "ngram(1), char_ngram(2), weight(binary), norm(none)",
		"tfidf":                 "ngram(1), weight(tfidf), norm(l2)",
	} {
		if got := must(t, notation).String(); got != want {
			t.Errorf("%q is %s, want %s", notation, got, want)
		}
	}
}

// TestGazetteerAtoms: phrases with and without labels.
func TestGazetteerAtoms(t *testing.T) {
	set := must(t, "gazetteer(cities)[0], gaz_match(cities)[0], gaz_label(cities)[0]")
	a := NewAlphabet(set)
	e, err := NewExtractor(a, resources{})
	if err != nil {
		t.Fatal(err)
	}
	var rows Rows
	e.Grow(document("from New York to Old Hat"), &rows)
	var got []string
	for i := range len(rows.Offsets) - 1 {
		for _, x := range rows.Attrs[rows.Offsets[i]:rows.Offsets[i+1]] {
			got = append(got, fmt.Sprint(i+1, " ", a.Name(x)))
		}
	}
	want := []string{
		"2 gazetteer(cities)[0]=B-CITY+NAME", "2 gaz_match(cities)[0]=B", "2 gaz_label(cities)[0]=B-CITY+NAME",
		"3 gazetteer(cities)[0]=I-CITY+NAME", "3 gaz_match(cities)[0]=I", "3 gaz_label(cities)[0]=I-CITY+NAME",
		"5 gazetteer(cities)[0]=B-", "5 gaz_match(cities)[0]=B", "6 gazetteer(cities)[0]=I-", "6 gaz_match(cities)[0]=I"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestNotationErrors(t *testing.T) {
	for notation, want := range map[string]string{
		"":                       "there is no template",
		"form":                   "character 5: an offset is wanted",
		"from[0]":                "did you mean form?",
		"form[0], sufix(3)[0]":   "character 10: unknown atom sufix; did you mean suffix?",
		"suffix[0]":              "suffix is written suffix(n)[offset]",
		"suffix(x)[0]":           "x is no number from 1 to 20",
		"form[1..-1]":            "an offset is a number",
		"form[0..99]":            "an offset is a number",
		"form[0":                 "a bracket is not closed",
		"form[0] form[1]":        "character 9: unexpected \"f\"",
		"form[0], word":          "do not mix",
		"form[0], bow":           "character 10: templates of tokens and of documents do not mix",
		"bow, form[0]":           "do not mix",
		"ner[0]":                 "unknown atom ner",
		"ner|form[0]":            "unknown atom ner",
		"gaz_match[0]":           "gaz_match is written gaz_match(name)[offset]",
		"weight(most), word":     "weight takes one of",
		"form[0..1]|form[0..2]":  "differ in length",
		"lexicon(a, b, c, d)[0]": "lexicon is written",
		"ngram(1)|ngram(2)":      "atoms of documents are not joined",
	} {
		_, err := Parse(notation)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", notation, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, b := range Builtins() {
		f.Add(b.Notation)
	}
	f.Add("form[-1..1]|lower[0..2], lexicon(a,b,3)[0] # x\n;gazetteer(g)[1]")
	f.Fuzz(func(t *testing.T, notation string) {
		s, err := Parse(notation)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q is %q, which gives %v, %v", notation, s, again, err)
		}
	})
}

// naiveChunk builds the attributes of CRFsuite's chunking example as texts.
func naiveChunk(forms, tags []string, i int) []string {
	var out []string
	at := func(field string, list []string, offs ...int) {
		var ns, vs []string
		for _, o := range offs {
			if i+o < 0 || i+o >= len(list) {
				return
			}
			ns, vs = append(ns, fmt.Sprintf("%s[%d]", field, o)), append(vs, list[i+o])
		}
		out = append(out, strings.Join(ns, "|")+"="+strings.Join(vs, "|"))
	}
	for o := -2; o <= 2; o++ {
		at("form", forms, o)
	}
	at("form", forms, -1, 0)
	at("form", forms, 0, 1)
	for o := -2; o <= 2; o++ {
		at("xpos", tags, o)
	}
	for _, offs := range [][]int{{-2, -1}, {-1, 0}, {0, 1}, {1, 2}, {-2, -1, 0}, {-1, 0, 1}, {0, 1, 2}} {
		at("xpos", tags, offs...)
	}
	if i == 0 {
		out = append(out, "bos=1")
	}
	if i == len(forms)-1 {
		out = append(out, "eos=1")
	}
	return out
}

func TestChunkSetEqualsNaive(t *testing.T) {
	d := document("He/PRP reckons/VBZ the/DT current/JJ account/NN deficit/NN", "Hi/UH", "the/DT the/DT the/DT")
	got := names(t, builtinNotation(t, "chunk"), d)
	toks, bounds := d.Layer("tokens"), d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		for i := bounds[s-1]; i < bounds[s]; i++ {
			want := naiveChunk(toks.Cols[4].Strs[bounds[s-1]:bounds[s]], toks.Cols[7].Strs[bounds[s-1]:bounds[s]],
				int(i-bounds[s-1]))
			if got[i] != strings.Join(want, " ") {
				t.Errorf("token %d: %s\nwant %s", i, got[i], strings.Join(want, " "))
			}
		}
	}
}

func builtinNotation(t testing.TB, name string) string {
	s, ok := Builtin(name)
	if !ok {
		t.Fatal(name)
	}
	return s.String()
}

// sections keeps what is encoded.
type sections map[string][]byte

func (s sections) writer() *kind.Writer {
	return kind.NewWriter(func(n string, p []byte) error { s[n] = append(s[n], p...); return nil })
}

func (s sections) reader() *kind.Reader {
	return kind.NewReader(func(n string) ([]byte, error) {
		p, ok := s[n]
		if !ok {
			return nil, errors.New("no section")
		}
		return p, nil
	})
}

func TestEncodeExtractKeep(t *testing.T) {
	docs := []*text.Document{document("He/PRP reckons/VBZ the/DT current/JJ account/NN"), document("New/NNP York/NNP "+
		"grows/VBZ", "He/PRP grows/VBZ")}
	for _, b := range Builtins() {
		set := must(t, b.Notation)
		a := NewAlphabet(set)
		e, err := NewExtractor(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		var grown Rows
		for _, d := range docs {
			e.Grow(d, &grown)
		}
		e.Finish(&grown)
		sec := sections{}
		if err := a.Encode(sec.writer()); err != nil {
			t.Fatal(err)
		}
		again, err := DecodeAlphabet(set, sec.reader())
		if err != nil {
			t.Fatal(err)
		}
		for _, alphabet := range []*Alphabet{a, again} {
			x, err := NewExtractor(alphabet, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got Rows
			for _, d := range docs {
				x.Extract(d, &got)
			}
			if !slices.Equal(got.Attrs, grown.Attrs) || !slices.Equal(got.Offsets, grown.Offsets) ||
				!slices.Equal(got.Values, grown.Values) {
				t.Errorf("%s: extracted rows differ from grown ones", b.Name)
			}
		}
		pruned := Rows{slices.Clone(grown.Offsets), slices.Clone(grown.Attrs), slices.Clone(grown.Values)}
		p, err := Prune(t.Context(), a, &pruned, 2)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := NewExtractor(p, nil)
		var got Rows
		for _, d := range docs {
			x.Extract(d, &got)
		}
		if p.Len() >= a.Len() || !slices.Equal(got.Attrs, pruned.Attrs) || !slices.Equal(got.Offsets, pruned.Offsets) {
			t.Errorf("%s: pruned rows are not what the pruned alphabet extracts", b.Name)
		}
	}
}

func TestDecodeDamaged(t *testing.T) {
	set := must(t, "form[0], form[-1]|form[0]")
	a := NewAlphabet(set)
	e, _ := NewExtractor(a, nil)
	var r Rows
	e.Grow(document("a b c"), &r)
	whole := sections{}
	if err := a.Encode(whole.writer()); err != nil {
		t.Fatal(err)
	}
	for name := range whole {
		broken := sections{}
		for n, p := range whole {
			broken[n] = p
		}
		if len(broken[name]) < 4 {
			continue
		}
		broken[name] = broken[name][:len(broken[name])-4]
		if _, err := DecodeAlphabet(set, broken.reader()); err == nil {
			t.Errorf("section %s cut short is accepted", name)
		}
	}
}

// TestUnknownAttributes checks that an extractor leaves out what the alphabet lacks.
func TestUnknownAttributes(t *testing.T) {
	a := NewAlphabet(must(t, "form[0], form[-1]|form[0]"))
	e, _ := NewExtractor(a, nil)
	var r Rows
	e.Grow(document("a b"), &r)
	r.Reset()
	e.Extract(document("b a c"), &r)
	if got, want := r.Offsets, []uint32{0, 1, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("offsets %v, want %v", got, want)
	}
}

func chunkDocuments(t testing.TB) []*text.Document {
	f := realdata.Open(t, "chunk", "conll2000.train")
	var docs []*text.Document
	var line []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if p := strings.Fields(s.Text()); len(p) == 3 {
			line = append(line, strings.ReplaceAll(p[0], "/", "\x00")+"/"+p[1])
		} else if len(line) > 0 {
			d := document(strings.Join(line, " "))
			for i, f := range d.Layers[0].Cols[4].Strs {
				d.Layers[0].Cols[4].Strs[i] = strings.ReplaceAll(f, "\x00", "/")
			}
			docs, line = append(docs, d), nil
		}
	}
	return docs
}

// TestChunkAttributeCount compares with the number that CRFsuite reports.
func TestChunkAttributeCount(t *testing.T) {
	docs := chunkDocuments(t)
	set, _ := Builtin("chunk")
	a := NewAlphabet(set)
	e, _ := NewExtractor(a, nil)
	var r Rows
	for _, d := range docs {
		e.Grow(d, &r)
	}
	if len(docs) != 8936 || r.Len() != 211727 || a.Len() != 335674 {
		t.Errorf("%d sentences, %d tokens, %d attributes; want 8936, 211727, 335674", len(docs), r.Len(), a.Len())
	}
}

func BenchmarkChunk(b *testing.B) {
	docs := chunkDocuments(b)
	set, _ := Builtin("chunk")
	a := NewAlphabet(set)
	e, _ := NewExtractor(a, nil)
	var r Rows
	b.Run("grow", func(b *testing.B) {
		for b.Loop() {
			a = NewAlphabet(set)
			e, _ = NewExtractor(a, nil)
			r.Reset()
			for _, d := range docs {
				e.Grow(d, &r)
			}
		}
		b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "sentences/s")
	})
	b.Run("extract", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range docs {
				r.Reset()
				e.Extract(d, &r)
			}
		}
		b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "sentences/s")
	})
}
