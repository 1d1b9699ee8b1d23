package table

import (
	"bytes"
	"io"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

func (j *jsonl) Begin(io.Writer, []codec.Column) error { return nil }

func (j *jsonl) Row(w io.Writer, columns []codec.Column, row []value.Value) error {
	b := bytes.NewBufferString("{")
	for i, v := range row {
		if err := jsonvalue.WriteMember(b, columns[i].Name, jsonvalue.PlainValue(v)); err != nil {
			return err
		}
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// Document writes id, text, metadata and layers.
func (j *jsonl) Document(w io.Writer, d *text.Document) error {
	b := bytes.NewBufferString("{")
	err := jsonvalue.WriteMember(b, j.id, d.ID)
	if err == nil {
		err = jsonvalue.WriteMember(b, j.content, d.Text)
	}
	if err == nil {
		err = jsonvalue.WriteMetadata(b, d)
	}
	at := offset.Pointer(d.Text)
	for _, l := range d.Layers {
		if err != nil {
			return err
		}
		switch {
		case l.Def == text.Labels:
			err = jsonvalue.WriteMember(b, "labels", l.Strs("label"))
		case l.Def == text.Tokens:
			err = jsonvalue.WriteMember(b, "tokens", tokenObjects(d, l, at))
		case l.Def.Spans:
			err = jsonvalue.WriteMember(b, l.Name, spanObjects(l, at))
		case l.Def != text.Sentences:
			err = jsonvalue.WriteMember(b, l.Name, rowObjects(l, at))
		}
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

type tokenObject struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Sent  int32  `json:"sent"`
	Form  string `json:"form,omitempty"`
	Lemma string `json:"lemma,omitempty"`
	Upos  string `json:"upos,omitempty"`
	Xpos  string `json:"xpos,omitempty"`
	Feats string `json:"feats,omitempty"`
	Misc  string `json:"misc,omitempty"`
}

func tokenObjects(d *text.Document, l *text.Layer, at func(int32) int) []tokenObject {
	out := make([]tokenObject, l.N)
	cell := func(name string, i int) string {
		if v := l.Strs(name); v != nil {
			return v[i]
		}
		return ""
	}
	for i := range out {
		a, z := l.Cols[2].Ints[i], l.Cols[3].Ints[i]
		out[i] = tokenObject{Start: at(a), End: at(z), Sent: l.Cols[0].Ints[i], Lemma: cell("lemma", i),
			Upos: cell("upos", i), Xpos: cell("xpos", i), Feats: cell("feats", i), Misc: cell("misc", i)}
		if f := cell("form", i); f != d.Text[a:z] {
			out[i].Form = f
		}
	}
	return out
}

type spanObject struct {
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Sent     int32  `json:"sent,omitempty"`
	TokStart int32  `json:"tok_start,omitempty"`
	TokEnd   int32  `json:"tok_end,omitempty"`
	Label    string `json:"label"`
}

func spanObjects(l *text.Layer, at func(int32) int) []spanObject {
	out := make([]spanObject, l.N)
	for i := range out {
		out[i] = spanObject{Start: at(l.Cols[1].Ints[i]), End: at(l.Cols[2].Ints[i]), Label: l.Strs("label")[i]}
		if l.Cols[0].Ints != nil && l.Cols[0].Ints[i] > 0 {
			out[i].Sent, out[i].TokStart, out[i].TokEnd = l.Cols[0].Ints[i], l.Cols[3].Ints[i], l.Cols[4].Ints[i]
		}
	}
	return out
}
