package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/files"
	"parlance/storage/format"
	"parlance/storage/format/codec"
	"parlance/storage/format/table"
	"parlance/storage/value"
)

// CopyTo writes rows or documents in a format. A file appears whole or not at all.
func CopyTo(r *exec.Execution, ctx context.Context, s *ast.CopyTo) (*operator.Result, error) {
	f, err := writer(r, s)
	if err != nil {
		return nil, err
	}
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return nil, err
	}
	configured, err := f.Configure(args)
	if err != nil {
		return nil, optarg.AtOption(err, s.With)
	}
	if err := setTagger(r, ctx, s, configured); err != nil {
		return nil, fault.At(optarg.Position(s.With, "model", s.Pos), err)
	}
	if s.Path != nil && codec.WritesFiles(configured) {
		if whole, err := copiesCorpus(r, s); err != nil {
			return nil, err
		} else if whole {
			return copyFiles(r, ctx, s, configured)
		}
	}
	write, err := copySource(r, ctx, s, f, configured)
	if err != nil {
		return nil, err
	}
	n := 0
	err = writeTo(r, sink{s.Pos, "COPY", s.Path, s.Format}, configured, func(w io.Writer) (err error) {
		n, err = write(ctx, w)
		return err
	})
	if err == nil {
		noteFormat(r, configured)
	}
	return copied(n, err)
}

// sink is where a statement writes, and in which format.
type sink struct {
	pos    ast.Pos
	verb   string
	path   ast.Expr // nil for standard output
	format string
}

// writeTo calls write with the file of a path, or with standard output for none. A file appears whole or not at all.
func writeTo(r *exec.Execution, to sink, configured codec.Codec, write func(io.Writer) error) error {
	if to.path == nil {
		if r.Session.Stdout == nil {
			return plan.Errorf(to.pos, plan.CodeState, to.verb+" … TO 'path'", "there is no standard output here")
		}
		return fault.At(to.pos, write(r.Session.Stdout))
	}
	path, err := r.TextOf(to.path)
	if err != nil {
		return err
	}
	if z := filepath.Ext(path); table.CompressedInside(configured) && (z == ".gz" || z == ".zst") {
		return plan.Errorf(to.path.Position(), plan.CodeInvalid, "leave "+z+" out; WITH (compression = zstd)",
			"files of FORMAT %s are compressed inside, not as a whole", to.format)
	}
	err = files.Replace(r.Files(), path, func(w io.Writer) error {
		z, err := codec.Compress(path, w)
		if err != nil {
			return err
		}
		err = write(z)
		if closed := z.Close(); err == nil { // after an error Close would report the same one
			err = closed
		}
		return err
	})
	return fault.At(to.path.Position(), writeError(err))
}

// ofFileSystem reports whether an error comes from the file system.
func ofFileSystem(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	var denied *files.Denied
	return errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &denied)
}

// writeError gives errors of the file system their SQLSTATE. Errors of the query and of the format are left as they
// are.
func writeError(err error) error {
	if ofFileSystem(err) {
		return fault.File(ast.Pos{}, err)
	}
	return err
}

// unwritable is the error of a format that cannot write the rows it was given.
func unwritable(err error) error {
	var u *writeFailure
	if errors.As(err, &u) {
		return u.error
	}
	if err == nil || ofFileSystem(err) || fault.IsCancel(err) {
		return err
	}
	return fault.Invalid("%v", err)
}

func copied(n int, err error) (*operator.Result, error) {
	if err != nil {
		return nil, err
	}
	return operator.Tag(fmt.Sprintf("COPY %d", n)), nil
}

func writer(r *exec.Execution, s *ast.CopyTo) (*codec.Format, error) {
	name := s.Format
	switch {
	case name == "" && s.Path == nil:
		name = ClientFormat
	case name == "":
		return nil, plan.Errorf(s.Pos, ast.CodeSyntax, "write FORMAT csv, or another that SHOW FORMATS lists",
			"COPY … TO a file names a format")
	}
	f, ok := format.Lookup(name)
	if !ok {
		return nil, exec.UnknownFormat(s.At, name)
	}
	if !f.Writes() {
		return nil, plan.Errorf(s.At, plan.CodeWrongKind, "SHOW FORMATS", "the format %s is read, not written", name)
	}
	return f, nil
}

// copySource returns what writes the rows of a query or table, or the documents of a corpus.
func copySource(r *exec.Execution, ctx context.Context, s *ast.CopyTo, f *codec.Format,
	configured codec.Codec) (func(context.Context, io.Writer) (int, error), error) {
	sel, predicted, label := s.Select, false, []ast.Item(nil)
	if sel == nil {
		from := s.From
		o, err := Target(r, from)
		if err != nil {
			return nil, err
		}
		if o.Kind == catalog.CorpusObject && from.Layer == "" && len(s.Columns) == 0 && f.WritesDocuments() {
			return copyDocuments(r, s, configured)
		}
		predicted = o.Kind == catalog.CorpusObject && from.Layer == "" && len(s.Columns) == 0 && len(s.Using) > 0
		if o.Kind == catalog.CorpusObject && from.Layer == "" && len(s.Columns) == 0 && f.Name != ClientFormat &&
			!codec.IsBinary(configured) && !predicted {
			labels, err := labelItems(r, ctx, s, o, configured)
			if err != nil {
				return nil, err
			}
			noteLeftOut(r, o, f, len(labels) > 0)
			label = labels
		}
		sel = &ast.Select{Pos: s.Pos,
			From: []ast.TableRef{&ast.Table{Pos: from.Pos, Ref: ast.Ref{Pos: from.Pos, Name: from.Name, Path: from.Layer},
				Using: s.Using}}, Where: s.Where, OrderBy: s.OrderBy}
		for _, c := range s.Columns {
			sel.Items = append(sel.Items, ast.Item{Pos: s.Pos, Expr: &ast.Column{Pos: s.Pos, Parts: []string{c}}})
		}
		if predicted {
			sel = predictedLabels(s)
		}
		if len(sel.Items) == 0 {
			sel.Items = append([]ast.Item{{Pos: s.Pos, Expr: &ast.Star{Pos: s.Pos}}}, append(storedScores(r, s, o), label...)...)
		}
	}
	if !f.WritesRows() {
		return nil, plan.Errorf(s.Pos, plan.CodeWrongKind,
			"COPY corpus [USING model] [WHERE condition] [ORDER BY …] TO …, or FORMAT csv",
			"the format %s holds documents, not rows", f.Name)
	}
	n, err := r.Plan(sel)
	if err != nil && predicted {
		err = ofSpans(s, err)
	}
	if err != nil {
		return nil, err
	}
	op, err := r.Build(n)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer) (int, error) {
		sendShape(w, len(n.Columns()), configured)
		return copyRows(ctx, n.Columns(), op, configured, w)
	}, nil
}

// storedScores are the hidden columns prob and rank where a stored layer that is copied as it is has them.
func storedScores(r *exec.Execution, s *ast.CopyTo, o *catalog.Object) (out []ast.Item) {
	if o.Kind != catalog.CorpusObject || s.From.Layer == "" || len(s.Using) > 0 {
		return nil
	}
	for _, l := range r.Snapshot.LayerDefs(o) {
		for _, c := range []struct {
			name   string
			stored bool
		}{{"prob", l.Prob}, {"rank", l.Rank}} {
			if l.Name == s.From.Layer && c.stored {
				out = append(out, ast.Item{Pos: s.Pos, Expr: &ast.Column{Pos: s.Pos, Parts: []string{c.name}}})
			}
		}
	}
	return out
}

// labelItems is a column of labels for a format whose files have one: documents that were loaded from such a file are
// written as they were. It is none where a document has several labels, or a column of metadata has the name.
func labelItems(r *exec.Execution, ctx context.Context, s *ast.CopyTo, o *catalog.Object,
	configured codec.Codec) ([]ast.Item, error) {
	name := table.LabelColumn(configured)
	gold := false
	for _, l := range r.Snapshot.LayerDefs(o) {
		gold = gold || l.Name == text.Labels.Name && l.Model == ""
	}
	if name == "" || o.Column(name) >= 0 || !gold {
		return nil, nil
	}
	column := func(parts ...string) ast.Expr { return &ast.Column{Pos: s.Pos, Parts: parts} }
	from := []ast.TableRef{&ast.Table{Pos: s.Pos, Alias: text.Labels.Name, Ref: ast.Ref{Pos: s.Pos, Name: s.From.Name,
		Path: text.Labels.Name}}}
	one := &ast.Literal{Pos: s.Pos, Value: int64(1)}
	several := &ast.Select{Pos: s.Pos, Items: []ast.Item{{Pos: s.Pos, Expr: column("doc")}}, From: from,
		GroupBy: []ast.Expr{column("doc")}, Limit: one,
		Having: &ast.Binary{Pos: s.Pos, Op: ">", X: &ast.Call{Pos: s.Pos, Name: "count",
			Args: []ast.Argument{{Pos: s.Pos, Value: column("label")}}}, Y: one}}
	found := false
	err := eachRow(r, ctx, several, func() { found = true })
	if err != nil || found {
		return nil, err
	}
	label := &ast.Select{Pos: s.Pos, Items: []ast.Item{{Pos: s.Pos, Expr: column("label")}}, From: from,
		Where: &ast.Binary{Pos: s.Pos, Op: "=", X: column(text.Labels.Name, "doc"), Y: column(s.From.Name, "id")}}
	return []ast.Item{{Pos: s.Pos, Expr: &ast.Subselect{Pos: s.Pos, Select: label}, Alias: name}}, nil
}

// eachRow calls a function for each row of a select.
func eachRow(r *exec.Execution, ctx context.Context, sel *ast.Select, row func()) error {
	n, err := r.Plan(sel)
	if err != nil {
		return err
	}
	op, err := r.Build(n)
	if err != nil {
		return err
	}
	defer op.Close()
	for {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		for range b.N {
			row()
		}
	}
}

// noteLeftOut gives a notice of the gold layers that the format does not write.
func noteLeftOut(r *exec.Execution, o *catalog.Object, f *codec.Format, labels bool) {
	var names []string
	for _, l := range r.Snapshot.LayerDefs(o) {
		if l.Model == "" && l.Name != "sentences" && l.Name != "tokens" && !(labels && l.Name == text.Labels.Name) {
			names = append(names, l.Name)
		}
	}
	if len(names) > 0 {
		r.Session.Notice(fmt.Sprintf("FORMAT %s has columns of documents only: %s of %s left out; FORMAT jsonl holds layers",
			f.Name, strings.Join(names, ", "), o.Name))
	}
}

// writeFailure is an error of the file or client that a format writes to, not of the format.
type writeFailure struct{ error }

// Unwrap returns the error itself.
func (u *writeFailure) Unwrap() error { return u.error }

// cancelWriter fails once its context is cancelled: even a few rows can be many bytes.
type cancelWriter struct {
	ctx context.Context
	w   io.Writer
}

func (e *cancelWriter) Write(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := e.w.Write(p)
	if err != nil {
		err = &writeFailure{err}
	}
	return n, err
}

func copyRows(ctx context.Context, cols []plan.Column, op operator.Operator, configured codec.Codec,
	w io.Writer) (int, error) {
	defer op.Close()
	out := make([]codec.Column, len(cols))
	for i, c := range cols {
		out[i] = codec.Column{Name: c.Name, Type: c.Type}
	}
	rw, err := codec.NewRowWriter(configured, &cancelWriter{ctx, w}, out)
	if err != nil {
		return 0, unwritable(err)
	}
	n := 0
	for {
		b, err := op.Next(ctx)
		if err != nil {
			return n, err
		}
		if b == nil {
			return n, unwritable(rw.Close())
		}
		n += b.N
		if err := rw.Write(b); err != nil {
			return n, unwritable(err)
		}
	}
}

// copyDocuments returns a function that writes the documents of a corpus, with gold layers or with predictions in their
// place.
func copyDocuments(r *exec.Execution, s *ast.CopyTo,
	configured codec.Codec) (func(context.Context, io.Writer) (int, error), error) {
	in, order, err := copiedDocuments(r, s)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer) (int, error) {
		if err := ordered(ctx, in, order); err != nil {
			return 0, err
		}
		sendShape(w, 0, configured)
		dw, err := codec.NewDocumentWriter(configured, &cancelWriter{ctx, w})
		if err != nil {
			return 0, fault.Invalid("%v", err)
		}
		return write(in, ctx, dw)
	}, nil
}

// copiedDocuments is the documents that a statement writes, and what selects their order, if that is another.
func copiedDocuments(r *exec.Execution, s *ast.CopyTo) (*input.Input, operator.Operator, error) {
	in := ast.Input{Pos: s.From.Pos, Name: s.From.Name, Where: s.Where}
	node, err := r.Binder().Annotated(in, s.Using)
	if err != nil {
		return nil, nil, err
	}
	p := input.Part{Node: node, Want: documents.Want{IDs: true, Text: true, AllFields: true, AllLayers: true}}
	if len(node.Models) > 0 {
		if p.Ann, err = r.Annotator(node, nil); err != nil {
			return nil, nil, err
		}
	}
	order, err := orderOfCopy(r, s)
	return &input.Input{R: r, Parts: []input.Part{p}}, order, err
}

// ordered gives the documents the order that a statement selects.
func ordered(ctx context.Context, in *input.Input, order operator.Operator) (err error) {
	if order != nil {
		in.Parts[0].Order, err = documentIDs(ctx, order)
	}
	return err
}

// orderOfCopy selects the ids of the documents to be written in the order of ORDER BY; nil without it.
func orderOfCopy(r *exec.Execution, s *ast.CopyTo) (operator.Operator, error) {
	if len(s.OrderBy) == 0 {
		return nil, nil
	}
	n, err := r.Plan(&ast.Select{Pos: s.Pos, Items: []ast.Item{{Pos: s.Pos, Expr: &ast.Column{Pos: s.Pos,
		Parts: []string{"id"}}}}, From: []ast.TableRef{&ast.Table{Pos: s.From.Pos,
		Ref: ast.Ref{Pos: s.From.Pos, Name: s.From.Name}}}, Where: s.Where, OrderBy: s.OrderBy})
	if err != nil {
		return nil, err
	}
	return r.Build(n)
}

// documentIDs reads ids and closes what gives them.
func documentIDs(ctx context.Context, ids operator.Operator) ([]value.Value, error) {
	defer ids.Close()
	out := []value.Value{}
	for {
		b, err := ids.Next(ctx)
		if err != nil || b == nil {
			return out, err
		}
		for i := range b.N {
			out = append(out, b.Cols[0].At(i))
		}
	}
}

// documentSink takes documents that are written.
type documentSink interface {
	WritePredicted(d *text.Document, replaced []string) error
	Close() error
}

// write writes the documents with the layers that models predict, and returns their number.
func write(in *input.Input, ctx context.Context, dw documentSink) (n int, err error) {
	var failed error
	err = in.Each(ctx, func(stored, annotated []*text.Document) bool {
		for i, d := range annotated {
			if failed = dw.WritePredicted(document.Gold(d), replacedLayers(stored[i], d)); failed != nil {
				return false
			}
			n++
		}
		return true
	})
	if err != nil {
		return n, err
	}
	if failed != nil {
		return n, unwritable(failed)
	}
	return n, unwritable(dw.Close())
}

// replacedLayers lists the layers of a document that were replaced by predictions.
func replacedLayers(stored, annotated *text.Document) (out []string) {
	if stored == annotated {
		return nil
	}
	for _, l := range annotated.Layers {
		if l.Name == l.Def.Name && stored.Layer(l.Name) != l {
			out = append(out, l.Name)
		}
	}
	return out
}

// readFile opens a file for random access.
func readFile(r *exec.Execution, path string, use func(f io.ReaderAt, size int64) error) error {
	f, err := r.Files().Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", path)
	}
	return use(f, info.Size())
}
