package table

import (
	"errors"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

// tellStrangers reports members of a row that the layer has no column for.
func (j *jsonl) tellStrangers(m map[string]any, def *text.LayerDef, b codec.Block) {
	n := 0
	for name := range m {
		if def.Index(name) < 0 && !(def.Spans && (name == "start" || name == "end")) {
			n++
		}
	}
	j.Tell(strangers, n, b.File, b.Line)
}

// spanMembers is a span as an object; an array has start, end and label.
func spanMembers(v any) (map[string]any, error) {
	switch v := v.(type) {
	case map[string]any:
		return v, nil
	case []any:
		if len(v) == 3 {
			return map[string]any{"start": v[0], "end": v[1], "label": v[2]}, nil
		}
	}
	return nil, errors.New(`objects {"start": 0, "end": 3, "label": "PER"} or arrays [0, 3, "PER"] are wanted`)
}

// spans reads a layer of spans.
func (j *jsonl) spans(d *text.Document, def *text.LayerDef, list []any, b codec.Block) error {
	l := text.NewLayer(def)
	l.N = len(list)
	var ints [5][]int32
	var strs [2][]string
	look := codec.Lookout{Ended: b.Ended}
	for _, v := range list {
		if err := look.Step(); err != nil {
			return err
		}
		m, err := spanMembers(v)
		if err != nil {
			return err
		}
		j.tellStrangers(m, def, b)
		row, label, err := jsonSpan(d, m)
		if err != nil {
			return err
		}
		for c := range row {
			ints[c] = append(ints[c], row[c])
		}
		strs[0], strs[1] = append(strs[0], label), append(strs[1], d.Text[row[1]:row[2]])
	}
	if l.N == 0 && d.Layer(def.Name) != nil {
		return nil // another member has made the layer
	}
	for c := range ints {
		if d.Layer("tokens") == nil && (c == 0 || c > 2) {
			continue // the tokeniser aligns them
		}
		if l.Cols[c].Ints = ints[c]; ints[c] == nil {
			l.Cols[c].Ints = []int32{}
		}
	}
	l.SetStrs("label", strs[0])
	l.SetStrs("text", strs[1])
	d.SetLayer(l)
	return nil
}

// jsonSpan is the columns of integers of a span, and its label. Tokens give its offsets where it has none; where it has
// both, it may cover a part of its tokens. Without tokens it is in no sentence, until it is aligned.
func jsonSpan(d *text.Document, m map[string]any) (row [5]int32, label string, err error) {
	label, ok := m["label"].(string)
	if !ok || label == "" {
		return row, "", fmt.Errorf("a span has no label")
	}
	sent, tokens := jsonvalue.Number(m, "sent")
	if tokens = tokens && d.Layer("tokens") != nil; tokens {
		first, ok1 := jsonvalue.Number(m, "tok_start")
		last, ok2 := jsonvalue.Number(m, "tok_end")
		bounds := d.SentenceTokens()
		if !ok1 || !ok2 || sent < 1 || sent >= len(bounds) || first < 1 || last < first ||
			last > int(bounds[sent]-bounds[sent-1]) {
			return row, "", fmt.Errorf("a span names no tokens of the document")
		}
		toks, from := d.Layer("tokens"), int(bounds[sent-1])-1
		row = [5]int32{int32(sent), toks.Cols[2].Ints[from+first], toks.Cols[3].Ints[from+last], int32(first), int32(last)}
	}
	from, ok1 := jsonvalue.Number(m, "start")
	to, ok2 := jsonvalue.Number(m, "end")
	if tokens && !ok1 && !ok2 {
		return row, label, nil
	}
	a, z := offset.ByteAt(d.Text, from), offset.ByteAt(d.Text, to)
	if !ok1 || !ok2 || a < 0 || z < 0 || z < a {
		return row, "", fmt.Errorf("a span needs start and end within the text")
	}
	row[1], row[2] = int32(a), int32(z)
	return row, label, nil
}

// layer reads a layer of any other kind: objects with the columns as members.
func (j *jsonl) layer(d *text.Document, def *text.LayerDef, list []any, b codec.Block) error {
	l := text.NewLayer(def)
	l.N = len(list)
	rows := make([]map[string]any, l.N)
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		j.tellStrangers(m, def, b)
		rows[i] = m
	}
	for c, col := range def.Columns {
		if !col.Stored() {
			continue
		}
		missing := !slices.ContainsFunc(rows, func(m map[string]any) bool { return m[col.Name] != nil })
		switch {
		case missing && l.N > 0 && (col.Type != value.Integer || layers.MayLack(def, col.Name)):
		case col.Type == value.Integer:
			l.Cols[c].Ints = make([]int32, l.N)
		default:
			l.Cols[c].Strs = make([]string, l.N)
		}
		if err := jsonColumn(d, &l.Cols[c], col, rows); err != nil {
			return err
		}
	}
	if def == text.Mentions && l.N > 0 && l.Ints("mention") == nil {
		numbers := make([]int32, l.N)
		for i := range numbers {
			numbers[i] = int32(i + 1)
		}
		l.SetInts("mention", numbers)
	}
	d.SetLayer(l)
	return nil
}

// jsonColumn fills a column of a layer, if it is there, from the members of rows.
func jsonColumn(d *text.Document, into *text.Col, col text.Column, rows []map[string]any) error {
	for i := range into.Ints {
		n, ok := jsonvalue.Number(rows[i], col.Name)
		if !ok || n < 0 {
			return fmt.Errorf("%s is a whole number from 0, in each row", col.Name)
		}
		if col.Role == text.Offset {
			if n = offset.ByteAt(d.Text, n); n < 0 {
				return fmt.Errorf("%s lies outside the text", col.Name)
			}
		}
		into.Ints[i] = int32(n)
	}
	for i := range into.Strs {
		v := rows[i][col.Name]
		if s, ok := v.(string); ok {
			into.Strs[i] = s
		} else if v != nil {
			return fmt.Errorf("%s is a text", col.Name)
		}
	}
	return nil
}

// rowObjects writes the rows of a layer with their columns as members.
func rowObjects(l *text.Layer, at func(int32) int) []map[string]any {
	out := make([]map[string]any, l.N)
	for i := range out {
		out[i] = map[string]any{}
		for c, col := range l.Def.Columns {
			switch {
			case !col.Stored():
			case l.Cols[c].Ints != nil && col.Role == text.Offset:
				out[i][col.Name] = at(l.Cols[c].Ints[i])
			case l.Cols[c].Ints != nil:
				out[i][col.Name] = l.Cols[c].Ints[i]
			case l.Cols[c].Strs != nil && l.Cols[c].Strs[i] != "":
				out[i][col.Name] = l.Cols[c].Strs[i]
			}
		}
	}
	return out
}

var jsonColumns = []string{"lemma", "upos", "xpos", "feats", "misc"}

func jsonTokens(d *text.Document, list []any) error {
	toks := text.NewLayer(text.Tokens)
	toks.N = len(list)
	for c := range 4 {
		toks.Cols[c].Ints = make([]int32, toks.N)
	}
	forms := make([]string, toks.N)
	cols := map[string][]string{}
	sent, tok, end := int32(1), int32(0), int32(0)
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		from, ok1 := jsonvalue.Number(m, "start")
		to, ok2 := jsonvalue.Number(m, "end")
		a, z := offset.ByteAt(d.Text, from), offset.ByteAt(d.Text, to)
		if !ok1 || !ok2 || a < 0 || z < a || int32(a) < end && i > 0 && int32(a) != toks.Cols[2].Ints[i-1] {
			return fmt.Errorf("token %d needs start and end within the text, in order", i+1)
		}
		if s, ok := jsonvalue.Number(m, "sent"); ok {
			if int32(s) < sent || int32(s) > sent+1 || i == 0 && s != 1 {
				return fmt.Errorf("token %d: sentences are numbered from 1, one after the other", i+1)
			}
			if int32(s) > sent {
				sent, tok = int32(s), 0
			}
		}
		tok++
		end = int32(z)
		toks.Cols[0].Ints[i], toks.Cols[1].Ints[i], toks.Cols[2].Ints[i], toks.Cols[3].Ints[i] = sent, tok, int32(a), int32(z)
		if forms[i] = d.Text[a:z]; m["form"] != nil {
			forms[i], _ = m["form"].(string)
		}
		for _, c := range jsonColumns {
			if s, ok := m[c].(string); ok {
				if cols[c] == nil {
					cols[c] = make([]string, toks.N)
				}
				cols[c][i] = s
			}
		}
	}
	toks.Cols[4].Strs = forms
	for c, v := range cols {
		toks.SetStrs(c, v)
	}
	d.SetLayer(sentencesOf(toks))
	d.SetLayer(toks)
	return nil
}

// sentencesOf makes the sentences that tokens name.
func sentencesOf(toks *text.Layer) *text.Layer {
	l := text.NewLayer(text.Sentences)
	if toks.N > 0 {
		l.N = int(toks.Cols[0].Ints[toks.N-1])
	}
	for c := range 3 {
		l.Cols[c].Ints = make([]int32, l.N)
	}
	for i := range l.N {
		l.Cols[0].Ints[i] = int32(i + 1)
	}
	for i := toks.N - 1; i >= 0; i-- {
		s := toks.Cols[0].Ints[i] - 1
		l.Cols[1].Ints[s] = toks.Cols[2].Ints[i]
		l.Cols[2].Ints[s] = max(l.Cols[2].Ints[s], toks.Cols[3].Ints[i])
	}
	return l
}
