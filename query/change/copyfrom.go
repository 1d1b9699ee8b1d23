package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/format/codec"
	"parlance/storage/loading"
	"parlance/storage/value"
)

// Shaped is a stream to or from a client that must know, before its first byte, how many columns the rows have and
// whether they are binary: the server announces both in CopyInResponse and CopyOutResponse.
type Shaped interface {
	Shape(columns int, binary bool)
}

// sendShape calls Shape if the stream has it.
func sendShape(stream any, columns int, configured codec.Codec) {
	if s, ok := stream.(Shaped); ok {
		s.Shape(columns, codec.IsBinary(configured))
	}
}

// ClientFormat is the format of COPY FROM STDIN and COPY TO STDOUT if the statement names none.
const ClientFormat = "pgcopy"

// copyInput is what COPY … FROM reads, and the columns that it fills.
type copyInput struct {
	codec    codec.Codec
	src      *codec.Sources
	columns  []codec.Column
	conflict string
}

// CopyFrom reads documents, rows of a layer or rows of a table; all of them, or nothing.
func CopyFrom(r *exec.Execution, ctx context.Context, s *ast.CopyFrom) (*operator.Result, error) {
	o, err := Target(r, s.Into)
	if err != nil {
		return nil, err
	}
	l := &ast.Load{Pos: s.Pos, Into: s.Into, Format: s.Format, With: s.With}
	if s.Path != nil {
		l.Paths = []ast.Expr{s.Path}
	}
	paths, err := paths(r, l.Paths)
	if err != nil {
		return nil, err
	}
	switch {
	case l.Format == "" && s.Path == nil:
		l.Format = ClientFormat
	case l.Format == "":
		if l, err = guessed(r, "COPY … FROM a file", l, o, paths); err != nil {
			return nil, err
		}
	}
	in := &copyInput{}
	var opts *loadOptions
	if in.codec, opts, err = reader(r, l, o); err != nil {
		return nil, err
	}
	in.conflict = opts.onConflict
	if in.src, err = codec.OpenSources(r.Files(), paths, r.Session.Stdin, opts.encoding); err != nil {
		return nil, fault.File(s.Pos, err)
	}
	n, err := copyInto(r, ctx, s, l, o, in)
	if err != nil {
		return nil, err
	}
	return operator.Tag(fmt.Sprintf("COPY %d", n)), nil
}

// copyInto reads documents, as LOAD does, if the format holds documents and the statement names no columns; else rows.
func copyInto(r *exec.Execution, ctx context.Context, s *ast.CopyFrom, l *ast.Load, o *catalog.Object,
	in *copyInput) (int, error) {
	corpus := o.Kind == catalog.CorpusObject
	if corpus && l.Into.Layer == "" && len(s.Columns) == 0 && codec.ReadsDocuments(in.codec) &&
		!codec.ReadsByPlace(in.codec) {
		res, err := loadDocuments(r, ctx, l, o, in.codec, in.src, in.conflict)
		return res.Documents + res.Replaced, err
	}
	if !codec.ReadsRows(in.codec) {
		return 0, plan.Errorf(s.Pos, plan.CodeWrongKind, "FORMAT csv", "the format %s holds documents, not rows", l.Format)
	}
	if err := tableConflict(s.Pos, o, in.conflict); err != nil {
		return 0, err
	}
	var ins *layerInsert
	var err error
	if l.Into.Layer != "" && o.Owner == 0 {
		if ins, err = layerInsertion(r, l.Into, s.Pos, o, strings.TrimPrefix(in.conflict, "error")); err != nil {
			return 0, err
		}
	}
	if in.columns, err = copyColumns(s, o, ins); err != nil {
		return 0, err
	}
	if len(l.Paths) == 0 {
		sendShape(r.Session.Stdin, len(in.columns), in.codec)
	}
	n := 0
	switch {
	case ins != nil:
		n, err = ins.copy(ctx, in)
	case corpus:
		n, err = copyRowsInto(r, ctx, o, in)
	default:
		n, err = copyTable(r, ctx, o, in)
	}
	if err != nil {
		return 0, fault.File(s.Pos, duplicate(err))
	}
	noteFormat(r, in.codec)
	return n, nil
}

// copyColumns are the columns that the rows have: those that the statement names, or all.
func copyColumns(s *ast.CopyFrom, o *catalog.Object, ins *layerInsert) ([]codec.Column, error) {
	var all []codec.Column
	switch {
	case ins != nil:
		all = append(all, codec.Column{Name: "doc", Type: value.Text})
		for _, c := range ins.def.Columns {
			all = append(all, codec.Column{Name: c.Name, Type: c.Type})
		}
	default:
		if o.Kind == catalog.CorpusObject {
			all = append(all, codec.Column{Name: "id", Type: value.Text}, codec.Column{Name: "text", Type: value.Text})
		}
		for _, c := range o.Columns {
			all = append(all, codec.Column{Name: c.Name, Type: c.Type})
		}
	}
	if len(s.Columns) == 0 {
		return all, nil
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	out := make([]codec.Column, len(s.Columns))
	for i, name := range s.Columns {
		k := slices.Index(names, name)
		if k < 0 {
			return nil, plan.Errorf(s.Into.Pos, plan.CodeUndefinedColumn, "columns: "+strings.Join(names, ", "),
				"%s has no column %s%s", s.Into.Name, name, option.DidYouMean(name, names))
		}
		out[i] = all[k]
	}
	return out, nil
}

// copyRowsInto makes documents of rows with the columns id, text and metadata.
func copyRowsInto(r *exec.Execution, ctx context.Context, o *catalog.Object, in *copyInput) (int, error) {
	load, err := r.Store.NewLoad(ctx, o, loading.Options{OnConflict: in.conflict})
	if err != nil {
		return 0, err
	}
	defer load.Abort() // also where the reader panics; nothing after Commit
	named := slices.ContainsFunc(in.columns, func(c codec.Column) bool { return c.Name == "id" })
	n := 0
	err = codec.ReadRows(ctx, in.codec, in.src, in.columns, func(rows [][]value.Value, places []string) error {
		docs := make([]*text.Document, len(rows))
		for i, row := range rows {
			docs[i] = buildDocument(in.columns, row)
			if n++; !named { // the ids are those that LOAD makes
				docs[i].ID = fmt.Sprintf("%s:%d", in.src.First(), n)
			}
		}
		if err := r.Documents.Check(docs, places); err != nil {
			return err
		}
		if err := TokeniseDocuments(r, docs, places, document.TokenizerOf(o)); err != nil {
			return err
		}
		return load.Add(ctx, docs, places)
	})
	if err != nil {
		return 0, err
	}
	res, err := load.Commit(ctx)
	if err != nil {
		return 0, err
	}
	noteConflicts(r, res)
	return res.Documents + res.Replaced, nil
}

func buildDocument(columns []codec.Column, row []value.Value) *text.Document {
	d := &text.Document{}
	for i, c := range columns {
		switch v := row[i]; {
		case v.IsNull():
		case c.Name == "id":
			d.ID = v.S
		case c.Name == "text":
			d.Text = v.S
		default:
			d.Fields = append(d.Fields, text.Field{Name: c.Name, Value: v})
		}
	}
	return d
}

// copyTable adds rows to a table; columns that they do not have are NULL.
func copyTable(r *exec.Execution, ctx context.Context, o *catalog.Object, in *copyInput) (int, error) {
	at := make([]int, len(in.columns))
	for i, c := range in.columns {
		at[i] = o.Column(c.Name)
	}
	load, err := newRowLoad(r, ctx, o, in.conflict)
	if err != nil {
		return 0, err
	}
	defer load.Abort()
	err = codec.ReadRows(ctx, in.codec, in.src, in.columns, func(rows [][]value.Value, places []string) error {
		for i, given := range rows {
			rows[i] = make([]value.Value, len(o.Columns))
			for k, c := range at {
				rows[i][c] = given[k]
			}
		}
		return load.Add(ctx, rows, places)
	})
	if err != nil {
		return 0, err
	}
	return load.Commit(ctx)
}

// copy adds rows to the layer.
func (ins *layerInsert) copy(ctx context.Context, in *copyInput) (int, error) {
	columns := make([]string, len(in.columns))
	for i, c := range in.columns {
		columns[i] = c.Name
	}
	var all [][]value.Value
	err := codec.ReadRows(ctx, in.codec, in.src, in.columns, func(rows [][]value.Value, _ []string) error {
		all = append(all, rows...)
		return nil
	})
	if err != nil {
		return 0, err
	}
	ctx, release, err := lockTarget(ins.r, ctx, ins.corpus)
	if err != nil {
		return 0, err
	}
	defer release()
	if err = ins.add(ctx, columns, all); err == nil {
		err = ins.r.Store.ReplaceDocuments(ctx, ins.corpus, ins.changed)
	}
	if err == nil {
		ins.odd.note(ins.r)
	}
	return ins.count, err
}
