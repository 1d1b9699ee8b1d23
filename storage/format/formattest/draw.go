package formattest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// AnyLayer draws rows of a layer whose places are those of tokens; columns that may be NULL are so in some rows, or in
// all.
func AnyLayer(t *rapid.T, d *text.Document, def *text.LayerDef) {
	toks, bounds := d.Layer("tokens"), d.SentenceTokens()
	l := text.NewLayer(def)
	l.N = rapid.IntRange(1, 3).Draw(t, "rows")
	places := make([][3]int32, l.N) // sentence, first and last token
	for i := range places {
		s := rapid.Int32Range(1, int32(len(bounds)-1)).Draw(t, "sentence")
		first := rapid.Int32Range(1, bounds[s]-bounds[s-1]).Draw(t, "first")
		places[i] = [3]int32{s, first, rapid.Int32Range(first, bounds[s]-bounds[s-1]).Draw(t, "last")}
	}
	for c, col := range def.Columns {
		if !col.Stored() {
			continue
		}
		if col.Type == value.Text {
			if col.Name != "label" && rapid.Bool().Draw(t, col.Name+" is NULL") {
				continue
			}
			for range l.N {
				v := Word.Draw(t, col.Name)
				if col.Name != "label" && rapid.Bool().Draw(t, "NULL") {
					v = ""
				}
				l.Cols[c].Strs = append(l.Cols[c].Strs, v)
			}
			continue
		}
		if layers.MayLack(def, col.Name) && col.Name != "mention" && !strings.HasPrefix(col.Name, "tok") &&
			rapid.Bool().Draw(t, col.Name+" is NULL") {
			continue
		}
		for i, p := range places {
			row := bounds[p[0]-1] - 1
			v := map[string]int32{"sent": p[0], "tok": p[1], "tok_start": p[1], "tok_end": p[2], "mention": int32(i + 1),
				"predicate": p[1], "node": int32(i + 1)}[col.Name]
			switch {
			case strings.HasSuffix(col.Name, "_start") && col.Role == text.Offset:
				v = toks.Cols[2].Ints[row+p[1]]
			case col.Role == text.Offset:
				v = toks.Cols[3].Ints[row+p[2]]
			}
			l.Cols[c].Ints = append(l.Cols[c].Ints, v)
		}
	}
	d.SetLayer(l)
}

// AnyText is whatever may stand in a text.
var AnyText = rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "\x00") })

// Word fits into a column between tabs; blanks and letters of several bytes are likely.
var Word = rapid.StringMatching(`[a-z0-9é語😀.,"#-]([a-z é語😀"\\-]{0,4}[a-zé語😀])?`).Filter(func(s string) bool {
	return s != "_"
})

// Name is a label.
var Name = rapid.StringMatching(`[A-Z]{1,3}(-[a-z]{1,2})?`)

// Tokens draws a document of sentences of tokens.
func Tokens(t *rapid.T, id string) (*text.Document, *text.Layer) {
	b := layers.Builder{}
	for range rapid.IntRange(1, 4).Draw(t, "sentences") {
		b.Sentence()
		for range rapid.IntRange(1, 5).Draw(t, "tokens") {
			b.Token(Word.Draw(t, "form"), false)
		}
	}
	return b.Document(id)
}

// Column draws a column of tokens, some missing.
func Column(t *rapid.T, toks *text.Layer, names ...string) {
	for _, n := range names {
		toks.SetStrs(n, rapid.SliceOfN(rapid.OneOf(Word, rapid.Just("")), toks.N, toks.N).Draw(t, n))
	}
}

// SpanLayer draws spans that do not overlap.
func SpanLayer(t *rapid.T, d *text.Document, def *text.LayerDef) {
	var out []text.Span
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		n := bounds[s] - bounds[s-1]
		for at := int32(1); at <= n; {
			last := at + rapid.Int32Range(0, 2).Draw(t, "more")
			if last > n || rapid.Bool().Draw(t, "outside") {
				at++
				continue
			}
			out = append(out, text.Span{Sent: int32(s), First: at, Last: last, Label: Name.Draw(t, "label")})
			at = last + 1
		}
	}
	d.SetLayer(d.SpanLayer(def, out))
}

// Arcs draws a head for every token: another of its sentence or the root.
func Arcs(t *rapid.T, d *text.Document, toks *text.Layer) {
	l := text.NewLayer(text.Dependencies)
	l.N = toks.N
	l.Cols[0].Ints, l.Cols[1].Ints = toks.Cols[0].Ints, toks.Cols[1].Ints
	heads := make([]int32, l.N)
	bounds := d.SentenceTokens()
	for i := range heads {
		s, tok := toks.Cols[0].Ints[i], toks.Cols[1].Ints[i]
		if heads[i] = rapid.Int32Range(0, bounds[s]-bounds[s-1]).Draw(t, "head"); heads[i] == tok {
			heads[i] = 0
		}
	}
	l.SetInts("head", heads)
	l.SetStrs("deprel", rapid.SliceOfN(Name, l.N, l.N).Draw(t, "deprel"))
	d.SetLayer(l)
}

// Metadata draws fields by name. Floats have a fraction: JSON has one kind of number.
func Metadata(t *rapid.T, d *text.Document) {
	for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
		var v value.Value
		switch rapid.IntRange(0, 4).Draw(t, "type") {
		case 0:
			v = value.Int(rapid.Int64().Draw(t, "integer"))
		case 1:
			v = value.Real(float64(rapid.Int32().Draw(t, "float")) + 0.5)
		case 2:
			v = value.Bool(rapid.Bool().Draw(t, "boolean"))
		case 3:
			v = value.Value{T: value.JSON, S: `["a",{"b":[1,null]}]`}
		default:
			v = value.Str(AnyText.Draw(t, "text"))
		}
		d.Fields = append(d.Fields, text.Field{Name: fmt.Sprintf("f%d <&>\"", i), Value: v})
	}
}

// DrawRows draws rows of values and NULLs.
func DrawRows(t *rapid.T, columns []codec.Column, str *rapid.Generator[string]) [][]value.Value {
	rows := make([][]value.Value, rapid.IntRange(1, 5).Draw(t, "rows"))
	for i := range rows {
		for _, c := range columns {
			var v value.Value
			if rapid.IntRange(0, 4).Draw(t, "null") > 0 {
				switch c.Type {
				case value.Integer:
					v = value.Int(rapid.Int64().Draw(t, c.Name))
				case value.Float:
					v = value.Real(rapid.Float64().Draw(t, c.Name))
				case value.Boolean:
					v = value.Bool(rapid.Bool().Draw(t, c.Name))
				case value.Timestamp:
					v = value.Time(time.UnixMicro(rapid.Int64Range(-2e15, 2e15).Draw(t, c.Name)))
				case value.Bytes:
					v = value.Blob(rapid.SliceOf(rapid.Byte()).Draw(t, c.Name))
				case value.Vector:
					v = value.Vec32(rapid.SliceOf(rapid.Float32()).Draw(t, c.Name))
				case value.JSON:
					v = value.Value{T: value.JSON, S: rapid.SampledFrom([]string{"null", `{"a": [1, "\\t\n"]}`, `""`}).Draw(t, c.Name)}
				default:
					v = value.Str(str.Draw(t, c.Name))
				}
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows
}

// RowColumns are columns of several types, with names that need care.
var RowColumns = []codec.Column{{Name: "a b", Type: value.Text}, {Name: "n", Type: value.Integer},
	{Name: "x,\"y", Type: value.Float}, {Name: "ok", Type: value.Boolean},
	{Name: "at", Type: value.Timestamp}}

// ToolDocument draws a document with spans at code points, relations between them and labels.
func ToolDocument(t *rapid.T, id string) *text.Document {
	d := &text.Document{ID: id, Text: anyUnit.Draw(t, "text")}
	if rapid.Bool().Draw(t, "labelled") {
		d.SetLayer(layers.Labels(rapid.SliceOfNDistinct(Name, 1, 3, rapid.ID).Draw(t, "labels")...))
	}
	if rapid.Bool().Draw(t, "plain") {
		return d
	}
	var at []int
	for i := range d.Text {
		at = append(at, i)
	}
	at = append(at, len(d.Text))
	var spans []layers.Span
	for range rapid.IntRange(0, 4).Draw(t, "spans") {
		a := rapid.IntRange(0, len(at)-2).Draw(t, "start")
		z := rapid.IntRange(a+1, len(at)-1).Draw(t, "end")
		s := layers.Span{Start: at[a], End: at[z], Label: Name.Draw(t, "label")}
		if !slices.Contains(spans, s) {
			spans = append(spans, s)
		}
	}
	d.SetLayer(layers.Spans(d, text.Entities, spans))
	var list []layers.Relation
	for range rapid.IntRange(0, 2*min(len(spans), 1)).Draw(t, "relations") {
		x, y := rapid.SampledFrom(spans).Draw(t, "subject"), rapid.SampledFrom(spans).Draw(t, "object")
		list = append(list, layers.Relation{Label: Name.Draw(t, "relation"), SubjectStart: x.Start, SubjectEnd: x.End,
			ObjectStart: y.Start, ObjectEnd: y.End})
	}
	if len(list) > 0 {
		layers.SortRelations(list)
		d.SetLayer(layers.Relations(list))
	}
	return d
}

// BareWord has neither blanks nor brackets that end it.
var BareWord = rapid.OneOf(rapid.StringMatching(`[a-zé語/*\\\[\]{}.-]{1,4}`),
	rapid.SampledFrom([]string{"(", ")", "a(b", "''"}))

// BareTokens draws a document of bare words.
func BareTokens(t *rapid.T, id string, words *rapid.Generator[string]) (*text.Document, *text.Layer) {
	b := layers.Builder{}
	for range rapid.IntRange(1, 3).Draw(t, "sentences") {
		b.Sentence()
		for range rapid.IntRange(1, 5).Draw(t, "tokens") {
			b.Token(words.Draw(t, "form"), false)
		}
	}
	return b.Document(id)
}

// DrawTrees draws constituents over the tokens.
func DrawTrees(t *rapid.T, d *text.Document, toks *text.Layer) {
	var rows layers.Tree
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		rows.Sentence(s)
		for tok := 1; tok <= int(bounds[s]-bounds[s-1]); tok++ {
			for range rapid.IntRange(0, 2).Draw(t, "open") {
				rows.Push(Name.Draw(t, "label"), tok)
			}
			for len(rows.Open) > 0 && rapid.Bool().Draw(t, "close") {
				rows.Pop(tok + 1)
			}
		}
		for len(rows.Open) > 0 {
			rows.Pop(int(bounds[s]-bounds[s-1]) + 1)
		}
	}
	rows.Set(d, toks)
}

// Workload is n lines or sentences in a format, in documents of a few.
func Workload(format string, n int) string {
	var b strings.Builder
	for i := range n {
		switch format {
		case "conll2003":
			if i%7 == 0 {
				b.WriteString("-DOCSTART- -X- O O\n\n")
			}
			fmt.Fprintf(&b, "Word%d NN B-NP I-PER\nruns VB B-VP O\n. . O O\n\n", i)
		case "conllu":
			if i%5 == 0 {
				if i%15 == 5 {
					fmt.Fprintf(&b, "# above = %d\n", i)
				}
				fmt.Fprintf(&b, "# newdoc id = d%d\n", i)
			}
			fmt.Fprintf(&b, "# sent_id = "+
				"%d\n1\tW%d\tw\tNOUN\tN\t_\t2\tnsubj\t_\tSpaceAfter=No\n2\truns\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n", i, i)
		case "articles":
			fmt.Fprintf(&b, "# %d\tTitle %d\nOne paragraph.\nAnother %s.\n\n", i, i, strings.Repeat("x", i%50))
		case "m2":
			fmt.Fprintf(&b, "S word %d .\nA 0 1|||Noun|||words|||REQUIRED|||-NONE-|||0\nA 2 "+
				"2|||X|||x|||OPTIONAL|||-NONE-|||1\n\n", i)
		case "semeval":
			fmt.Fprintf(&b, "%d\t\"The <e1>word</e1> %d <e2>is</e2>.\"\nOther\nComment: none\n\n", i+1, i)
		case "conllx", "conll2007":
			fmt.Fprintf(&b, "1\tW%d\tw\tN\tNN\t_\t2\tSBJ\t_\t_\n2\truns\trun\tV\t_\t_\t0\tROOT\t0\tROOT\n\n", i)
		case "conll2012":
			if i%6 == 0 {
				fmt.Fprintf(&b, "#end document\n#begin document (d%d); part 00%d\n", i, i%5)
			}
			fmt.Fprintf(&b, "d 0 0 W%d NN (NP* - - - A (PER) (ARG0*) (1)\nd 0 1 go VB *) go 01 - A * (V*) -\n\n", i)
		case "conll2009":
			fmt.Fprintf(&b,
				"1\tW%d\tw\tw\tN\tN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n2\tgo\tgo\tgo\tV\tV\t_\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\n\n",
				i)
		case "conllup":
			fmt.Fprintf(&b, "1\tW%d\tw\tNOUN\tN\t_\t2\tnsubj\t_\t_\t_\tARG0\n2\tgo\tgo\tVERB\tV\t_\t0\troot\t_\t_\tgo.01\tV\n\n",
				i)
		case "crfsuite":
			fmt.Fprintf(&b, "B-X\tw[0]=Word%d\tn:0.5\nO\tw[0]=runs\n\n", i)
		case "svmlight":
			fmt.Fprintf(&b, "%d 1:0.5 %d:1 # %s\n", i%3, i+2, strings.Repeat("x", i%50))
		case "brown":
			fmt.Fprintf(&b, "Word%d/nn runs/vbz ./.\n", i)
		case "pfr":
			fmt.Fprintf(&b, "19980101-01-%03d-%03d/m 他%d/r [北京/ns 大学/n]nt 。/w\n", 1+i/5, 1+i%5, i)
		case "sinica":
			fmt.Fprintf(&b, "#%d:1.[7] S(agent:NP(Head:Nh:他%d)|Head:VA4:睡)#。(PERIODCATEGORY)\n", 1+i%7, i)
		case "doccano", "prodigy", "label_studio", "hf":
			record := map[string]string{
				"hf":           `{"id":%d,"tokens":["Zoë","met","%d","."],"ner_tags":["B-PER","O","O","O"],"pad":"%s"}`,
				"doccano":      `{"id":%d,"text":"Zoë met %d.","label":[[0,3,"PER"]],"pad":"%s"}`,
				"prodigy":      `{"_input_hash":%d,"text":"Zoë met %d.","spans":[{"start":0,"end":3,"label":"PER"}],"pad":"%s"}`,
				"label_studio": `{"id":%d,"data":{"text":"Zoë met %d.","pad":"%s"},"annotations":[{"result":[]}]}`}[format]
			fmt.Fprintf(&b, record+"\n", i, i, strings.Repeat("x", i%200))
		case "jsonl":
			fmt.Fprintf(&b, `{"id":"d%d","text":"Zoë met %d.","entities":[{"start":0,"end":3,"label":"PER"}],"pad":"%s"}`+"\n",
				i, i, strings.Repeat("x", i%200))
		default:
			fmt.Fprintf(&b, "text\tof line %d %s\n", i, strings.Repeat("x", i%300))
		}
	}
	return b.String()
}

// anyUnit are characters that take one or more of each unit.
var anyUnit = rapid.StringOfN(rapid.RuneFrom([]rune("a é\u0301🍞👩\u200d\r\n界")), 1, 12, -1)
