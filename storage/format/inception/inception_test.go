package inception

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

// inceptionSample draws a document with all layers that these files hold, spans also within tokens.
func inceptionSample(t *rapid.T, id string) *text.Document {
	d, toks := formattest.Tokens(t, id)
	for _, c := range []string{"lemma", "upos", "xpos", "feats"} {
		if rapid.Bool().Draw(t, c) {
			formattest.Column(t, toks, c)
			if !slices.ContainsFunc(toks.Strs(c), func(s string) bool { return s != "" }) {
				toks.SetStrs(c, nil)
			}
		}
	}
	if rapid.Bool().Draw(t, "chunks") {
		formattest.SpanLayer(t, d, text.Chunks)
		formattest.PlacesAlone(d, text.Chunks)
		if d.Layer(text.Chunks.Name).N == 0 {
			d.DropLayer(text.Chunks.Name)
		}
	}
	if rapid.Bool().Draw(t, "arcs") {
		formattest.Arcs(t, d, toks)
	}
	var spans []layers.Span
	for range rapid.IntRange(0, 5).Draw(t, "spans") {
		a := rapid.IntRange(0, toks.N-1).Draw(t, "first")
		z := rapid.IntRange(a, toks.N-1).Draw(t, "last")
		s := layers.Span{Start: int(toks.Cols[2].Ints[a]), End: int(toks.Cols[3].Ints[z]),
			Label: rapid.OneOf(formattest.Name, formattest.Word).Draw(t, "label")}
		if form := toks.Cols[4].Strs[a]; a == z && rapid.Bool().Draw(t, "within") {
			at := rapid.IntRange(0, len([]rune(form))-1).Draw(t, "at")
			s.Start += len(string([]rune(form)[:at]))
		}
		if !slices.ContainsFunc(spans, func(o layers.Span) bool { return o.Start == s.Start && o.End == s.End }) {
			spans = append(spans, s)
		}
	}
	d.SetLayer(layers.Spans(d, text.Entities, spans))
	var list []layers.Relation
	for range rapid.IntRange(0, 2*min(len(spans), 1)).Draw(t, "relations") {
		x, y := rapid.SampledFrom(spans).Draw(t, "subject"), rapid.SampledFrom(spans).Draw(t, "object")
		r := layers.Relation{Label: formattest.Name.Draw(t, "relation"), SubjectStart: x.Start, SubjectEnd: x.End,
			ObjectStart: y.Start, ObjectEnd: y.End}
		if !slices.ContainsFunc(list, func(o layers.Relation) bool {
			return o.SubjectStart == r.SubjectStart && o.ObjectStart == r.ObjectStart
		}) {
			list = append(list, r)
		}
	}
	if len(list) > 0 {
		layers.SortRelations(list)
		d.SetLayer(layers.Relations(list))
	}
	return d
}

// TestInceptionReadsWhatItWrites writes documents as TSV and XMI and reads them back.
func TestInceptionReadsWhatItWrites(t *testing.T) {
	for _, ext := range []string{".tsv", ".xmi"} {
		t.Run(ext, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				unit := rapid.SampledFrom([]string{offset.CodePoints, offset.UTF16, offset.Bytes}).Draw(r, "unit")
				docs := []*text.Document{inceptionSample(r, "a"), inceptionSample(r, "b c")}
				c := suite.Configure(t, "inception", formattest.Arg("offsets", value.Str(unit)))
				formattest.CheckFiles(r, t, c, ext, docs, func(*text.Document) {})
			})
		})
	}
}

const tsvSample = `#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|coarseValue|PosValue
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
#T_SP=webanno.custom.Mark|
#T_SP=custom.Pred|value|ROLE_custom.Pred:args_custom.Link|custom.Arg
#T_CH=webanno.custom.CoreferenceLink|referenceRelation|referenceType
#T_RL=de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency|DependencyType|flavor|BT_de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS
#T_RL=webanno.custom.Rel|role|BT_de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity


#Sentence.id=s1
#Text=🍞 Ann\\Lee met Bob
1-1	0-2	🍞	NOUN	NN	_	_	_	_	_	_	_	_	nsubj	*	1-3	_	_	
1-2	3-10	Ann\\Lee	PROPN	NNP	*[1]|Q\_1	P\|E\[R\][1]|X\->Y	_	_	_	_	*->1-1	nam[1]	_	_	_	_	_	
1-2.1	3-6	Ann	_	_	_	_	*	_	_	_	_	_	_	_	_	_	_	
1-3	11-14	met	VERB	*	*[1]	P\|E\[R\][1]	_	meet	A1;\*	1-2;1-4	_	_	root|x	*|*	1-3|1-1	_	_	
1-4	15-18	Bob	PROPN	NNP	*	*	_	_	_	_	eq->1-2	*[1]	_	_	_	likes|*	1-2[1_0]|1-4	

#Text= und
#Text=weg
2-1	21-24	und	_	_	_	_	_	_	_	_	_	_	_	_	_	_	_	
2-2	25-28	weg	_	_	_	_	_	_	_	_	_	_	_	_	_	_	_	
`

// TestTSV reads all that TSV has: stacked, numbered and partial annotations, slots, chains, relations, escapes.
func TestTSV(t *testing.T) {
	c := suite.Configure(t, "inception")
	docs, err := formattest.ReadBack(t, c, map[string]string{"a.b.tsv": tsvSample}, "a.b.tsv")
	if err != nil {
		t.Fatal(err)
	}
	const want = `a.b at : "🍞 Ann\\Lee met Bob\n\n und\nweg"
  sentences sent=1 start=0 end=20
  sentences sent=2 start=22 end=30
  tokens sent=1 tok=1 start=0 end=4 form="🍞" upos="NOUN" xpos="NN"
  tokens sent=1 tok=2 start=5 end=12 form="Ann\\Lee" upos="PROPN" xpos="NNP"
  tokens sent=1 tok=3 start=13 end=16 form="met" upos="VERB"
  tokens sent=1 tok=4 start=17 end=20 form="Bob" upos="PROPN" xpos="NNP"
  tokens sent=2 tok=1 start=23 end=26 form="und"
  tokens sent=2 tok=2 start=27 end=30 form="weg"
  entities start=5 end=16 label="P|E[R]" text="Ann\\Lee met"
  entities start=5 end=12 label="X->Y" text="Ann\\Lee"
  entities start=5 end=8 label="Mark" text="Ann"
  entities start=13 end=16 label="meet" text="met"
  entities start=17 end=20 label="NamedEntity" text="Bob"
  dependencies sent=1 tok=1 head=3 deprel="nsubj"
  dependencies sent=1 tok=3 deprel="root"
  mentions mention=1 cluster="1" sent=1 start=5 end=12 tok_start=2 tok_end=2 kind="nam"
  mentions mention=2 cluster="1" sent=1 start=17 end=20 tok_start=4 tok_end=4
  relations label="likes" subject_start=5 subject_end=16 object_start=17 object_end=20
  relations label="A1" subject_start=13 subject_end=16 object_start=5 object_end=12
  relations label="*" subject_start=13 subject_end=16 object_start=17 object_end=20
  relations label="Rel" subject_start=17 subject_end=20 object_start=17 object_end=20
`
	var b strings.Builder
	formattest.Dump(&b, docs[0], "")
	if diff := cmp.Diff(want, strings.ReplaceAll(b.String(), "head=0 ", "")); diff != "" {
		t.Error(diff)
	}
	told := []string{"1 annotation has values beside its label, which entities are without (the first in document a.b)",
		"1 dependency was left out: its token has another head already (the first in document a.b)"}
	if diff := cmp.Diff(told, codec.Notices(c)); diff != "" {
		t.Error(diff)
	}
}

// TestInceptionFaults: errors name the line, what is wrong, and the unit of offsets that would fit.
func TestInceptionFaults(t *testing.T) {
	const head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.B|v\n#T_RL=a.R|v|BT_a.B\n\n\n#Text=Ann left\n"
	const xmi = `<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///c.ecore">`
	const sofa = `<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="Ann left"/><cas:View sofa="1" members="2 3"/>`
	for in, want := range map[string]string{
		"Ann left": "stdin:1: the file is neither TSV, which begins with #FORMAT=WebAnno TSV 3, " +
			"nor XMI",
		"#FORMAT=WebAnno TSV 2\n": "stdin:1: version 3 of TSV is read, which begins with #FORMAT=WebAnno TSV 3, " +
			`not "#FORMAT=WebAnno TSV 2"`,
		"#FORMAT=WebAnno TSV 3.3\n#T_XY=a\n":   "stdin:2: #T_XY=a declares no layer such as #T_SP=type|feature",
		"#FORMAT=WebAnno TSV 3.3\n#T_RL=a|v\n": "stdin:2: the relation a names no BT_ and type at its end",
		head:                                   "stdin:7: the file ends before the tokens of its last sentence",
		head + "1-1\t0-3\tAnn\t_\t\n": "stdin:7: a row has a number such as 1-1, offsets, the text, and 3 columns of the " +
			"layers; this has 5 cells",
		head + "1-1\t0-x\tAnn\t_\t_\t_\t\n":                            `stdin:7: "0-x" are no offsets such as 0-5`,
		head + "1-1\t1-4\tBen\t_\t_\t_\t\n":                            `stdin:7: "Ben" is not in the text of its sentence`,
		head + "1-1\t0-3\tAnn\t_\t_\t_\t\n1-2\t5-9\tleft\t_\t_\t_\t\n": "stdin:8: left is not at 5-9 of the text",
		head + "1-1\t0-3\tAnn\t_\t_\t_\t\n1-1\t0-3\tAnn\t_\t_\t_\t\n":  "stdin:8: 1-1 stands twice",
		head + "1-1\t99999999-100000002\tAnn\t_\t_\t_\t\n": "stdin:7: 99999999 characters that are not in the file stand " +
			"before the sentence by its offsets",
		head + "1-1\t0-3\tAnn\t_\tx\t1-7\t\n":   "stdin:7: there is no 1-7, where a relation comes from",
		head + "1-1\t0-3\tAnn\t_\tx|y\t1-1\t\n": "stdin:7: 1 relations of a.R have 2 values",
		"#FORMAT=WebAnno TSV 3.3\n\n\n#Text=🍞 Ann\n1-1\t0-1\t🍞\t\n1-2\t2-5\tAnn\t\n": "stdin:5: 🍞 is not at 0-1 of the " +
			"text hint: WITH (offsets = 'code_points') would fit",
		"<a>":              "stdin:1: <a> where <XMI> is wanted",
		"<XMI>":            "stdin:1: the element XMI is not of the namespace http://www.omg.org/XMI",
		xmi + "</xmi:XMI>": "stdin:1: the file has no text: no element Sofa",
		xmi + sofa:         "stdin:1: XML: unexpected EOF",
		xmi + "\n" + `<c:X xmi:id="2" begin="7" end="9" sofa="1"/>` + sofa + "</xmi:XMI>": "stdin:2: the span 7 to 9 is no part " +
			"of the text, which has 8 units of UTF-16",
		xmi + `<c:X xmi:id="2" begin="a" end="9"/>` + sofa + "</xmi:XMI>": "stdin:1: an annotation X has no begin and end that " +
			"are numbers",
		xmi + `<c:X xmi:id="2" begin="0" end="3" Governor="7" Dependent="2"/>` + sofa + "</xmi:XMI>": "stdin:1: a relation X is " +
			"between annotations that are not there",
		xmi + `<c:X xmi:id="2" first="3"/><c:L xmi:id="3" begin="0" end="3" next="3"/>` + sofa + "</xmi:XMI>": "stdin:1: the " +
			"links of a chain lead to 3, which is not there or was met before",
	} {
		_, err := formattest.ReadString(suite.Configure(t, "inception"), in, 1)
		got := fmt.Sprint(err)
		var fault *codec.Error
		if errors.As(err, &fault) && fault.Hint != "" {
			got += " hint: " + fault.Hint
		}
		if got != want {
			t.Errorf("%q: %s\nwant %s", in, got, want)
		}
	}
}

func FuzzInception(f *testing.F) {
	formattest.Seeds(f, tsvSample, "#FORMAT=WebAnno TSV 3.0\n"+
		"#T_SP=a|\n\n\n#Text=\\u00e9 b\n1-1\t0-1\t\\u00e9\t*[1]\t\n1-1.1\t1-1\t\t_[1]\t\n",
		`<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///c.ecore">`+
			`<c:X xmi:id="2" begin="0" end="3" v="1"/><c:R xmi:id="3" begin="0" end="3" Governor="2" Dependent="2"/>`+
			`<c:C xmi:id="4" first="5"/><c:L xmi:id="5" begin="0" end="3"/>`+
			`<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="Ann"/><cas:View sofa="1" members="2 3 4"/></xmi:XMI>`)
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "inception")
		suite.CheckRead(t, in, "inception", formattest.Arg("offsets", value.Str(offset.CodePoints)))
	})
}
