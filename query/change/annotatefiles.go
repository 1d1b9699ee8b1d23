package change

import (
	"context"
	"io"
	"strings"

	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/progress"
	"parlance/storage/catalog"
	"parlance/storage/format/codec"
	"parlance/storage/guard"
)

// AnnotateFiles reads documents of files, annotates them and writes them, a part at a time. The database is read only,
// its cache of predictions not used. A file appears whole or not at all.
func AnnotateFiles(r *exec.Execution, ctx context.Context, s *ast.AnnotateFiles) (*operator.Result, error) {
	in, src, err := annotatedSource(r, s, "ANNOTATE")
	if err != nil {
		return nil, err
	}
	out, err := annotatedSink(r, s)
	if err != nil {
		return nil, err
	}
	m := &TextAnnotator{r: r, pos: s.Pos, using: s.Using}
	if err := m.Check(); err != nil { // before anything is written
		return nil, err
	}
	var w *documentWriter
	write := func(to io.Writer) (err error) {
		sendShape(to, 0, out)
		if w, err = newDocumentWriter(ctx, out, to); err != nil {
			return err
		}
		told := progress.Count(r.Session.Progress, "documents", src.Share)
		err = codec.ReadDocuments(w.ctx, in, src, r.Workers(), func(docs []*text.Document, places []string) error {
			annotated, err := m.Annotate(w.ctx, docs, places)
			if err != nil {
				return err
			}
			told(len(docs))
			return w.send(docs, annotated)
		})
		return w.end(fault.File(annotatedPlace(s), err))
	}
	if err := writeTo(r, sink{s.Pos, "ANNOTATE", s.To, s.As}, out, write); err != nil {
		return nil, err
	}
	noteFormat(r, out)
	if w.documents == 0 {
		r.Session.Notice("no documents were read: is the file empty, or of another format?")
	}
	return operator.Tag(text.Countf("ANNOTATE %d {document|documents} %d {token|tokens}", w.documents, w.tokens)), nil
}

// documentWriter writes documents in a goroutine of its own, while the next ones are annotated.
type documentWriter struct {
	ctx    context.Context // ends when nothing more can be written
	cancel context.CancelFunc
	sink   documentSink
	parts  chan [2][]*text.Document // as they were read, and annotated
	done   chan error

	documents, tokens int
}

func newDocumentWriter(ctx context.Context, out codec.Codec, to io.Writer) (*documentWriter, error) {
	sink, err := codec.NewDocumentWriter(out, &cancelWriter{ctx, to})
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	w := &documentWriter{sink: sink, parts: make(chan [2][]*text.Document, 1), done: make(chan error, 1)}
	w.ctx, w.cancel = context.WithCancel(ctx)
	go func() {
		w.done <- guard.Call("writing documents", w.run)
		w.cancel()
	}()
	return w, nil
}

func (w *documentWriter) run() error {
	for p := range w.parts {
		for i, d := range p[1] {
			if err := w.sink.WritePredicted(document.Gold(d), replacedLayers(p[0][i], d)); err != nil {
				return unwritable(err)
			}
			w.tokens += d.Layer(text.Tokens.Name).N
		}
		w.documents += len(p[1])
	}
	return nil
}

// send hands documents over, which are not changed after that.
func (w *documentWriter) send(read, annotated []*text.Document) error {
	select {
	case w.parts <- [2][]*text.Document{read, annotated}:
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

// end waits for what was handed over. failed is why no more comes, nil at the end of the documents.
func (w *documentWriter) end(failed error) error {
	close(w.parts)
	err := <-w.done
	w.cancel()
	switch {
	case err != nil:
		return err // what was read after it was stopped for it
	case failed != nil:
		return failed
	}
	return unwritable(w.sink.Close())
}

// annotatedPlace is the position of the only path, else that of the statement.
func annotatedPlace(s *ast.AnnotateFiles) ast.Pos {
	if len(s.Paths) == 1 {
		return s.Paths[0].Position()
	}
	return s.Pos
}

// annotatedSource opens what is read; what is the work, for errors.
func annotatedSource(r *exec.Execution, s *ast.AnnotateFiles, what string) (codec.Codec, *codec.Sources, error) {
	names, err := paths(r, s.Paths)
	if err != nil {
		return nil, nil, err
	}
	none := &catalog.Object{Kind: catalog.CorpusObject}
	load := &ast.Load{Pos: s.Pos, Paths: s.Paths, Format: s.Format, At: s.At, With: s.With}
	if load.Format == "" {
		if load, err = guessed(r, what, load, none, names); err != nil {
			return nil, nil, err
		}
	}
	in, opts, err := reader(r, load, none)
	if err != nil {
		return nil, nil, err
	}
	if optionNamed(s.With, "on_conflict") != nil {
		return nil, nil, plan.Errorf(optarg.Position(s.With, "on_conflict", s.Pos), plan.CodeInvalid, "leave it out",
			"option on_conflict is for LOAD: documents are written as they are read")
	}
	if !codec.ReadsDocuments(in) {
		return nil, nil, plan.Errorf(load.At, plan.CodeWrongKind, "FORMAT lines, jsonl, csv, conllu, …; SHOW FORMATS",
			"the format %s holds rows, not documents", load.Format)
	}
	src, err := codec.OpenSources(r.Files(), names, r.Session.Stdin, opts.encoding)
	if err != nil {
		return nil, nil, fault.File(annotatedPlace(s), err)
	}
	return in, src, nil
}

// annotatedSink configures the writer.
func annotatedSink(r *exec.Execution, s *ast.AnnotateFiles) (codec.Codec, error) {
	f, err := writer(r, &ast.CopyTo{Pos: s.Pos, Path: s.To, Format: s.As, At: s.AsAt})
	if err != nil {
		return nil, err
	}
	if !f.WritesDocuments() {
		return nil, plan.Errorf(s.AsAt, plan.CodeWrongKind, "FORMAT jsonl, conllu, conll, …; SHOW FORMATS",
			"the format %s holds rows, not documents with layers", f.Name)
	}
	args, err := optarg.Args(s.Options, r.Env)
	if err != nil {
		return nil, err
	}
	out, err := f.Configure(args)
	if err != nil {
		return nil, optarg.AtOption(err, s.Options)
	}
	if s.To != nil && codec.WritesFiles(out) {
		return nil, plan.Errorf(s.AsAt, plan.CodeFeature, "LOAD the documents into a corpus, then COPY … USING … TO 'folder'",
			"the format %s writes a file for each document", f.Name)
	}
	return out, nil
}

// given are the layers of a document, with the columns that have values.
func given(d *text.Document) []bind.StoredLayer {
	var out []bind.StoredLayer
	for _, l := range d.Layers {
		s := bind.StoredLayer{Name: l.Name, Def: l.Def, Columns: map[string]bool{}}
		for c, col := range l.Def.Columns {
			v := &l.Cols[c]
			s.Columns[col.Name] = v.Ints != nil || v.Strs != nil || v.Floats != nil
		}
		out = append(out, s)
	}
	return out
}

// TextAnnotator annotates documents that no corpus has. It chooses the models by what the documents bring along: of
// layers that they have, none is predicted unless USING names a model that does.
type TextAnnotator struct {
	r     *exec.Execution
	pos   ast.Pos
	using []ast.ModelRef
	plans map[string]*textPlan // by the layers and columns that documents have
}

// textPlan is how documents with the same layers are annotated.
type textPlan struct {
	annotator *annotate.Annotator
	tokenizer string
}

// NewTextAnnotator returns an annotator with models, or with none those of the setting using.
func NewTextAnnotator(r *exec.Execution, using []ast.ModelRef) *TextAnnotator {
	return &TextAnnotator{r: r, using: using}
}

// Check plans a document without layers, to see whether the models are there.
func (m *TextAnnotator) Check() error {
	_, err := m.planOf(&text.Document{})
	return err
}

// maxTextPlans bounds the plans that are kept at the same time.
const maxTextPlans = 64

// planOf returns how a document is annotated.
func (m *TextAnnotator) planOf(d *text.Document) (*textPlan, error) {
	layers := given(d)
	var key strings.Builder
	for _, l := range layers {
		key.WriteString(l.Name)
		for _, c := range l.Def.Columns {
			if l.Columns[c.Name] {
				key.WriteString("." + c.Name)
			}
		}
		key.WriteByte(' ')
	}
	if p := m.plans[key.String()]; p != nil {
		return p, nil
	}
	n, err := m.r.Binder().AnnotatedTexts(m.pos, m.using, layers)
	if err != nil {
		return nil, err
	}
	p := &textPlan{tokenizer: n.Tokenizer}
	if p.annotator, err = m.r.Annotator(n, nil); err != nil {
		return nil, err
	}
	p.annotator.Setup = p.annotator.Setup.Uncached()
	if p.annotator.NeedsAll() {
		return nil, plan.Errorf(m.pos, plan.CodeFeature, "LOAD them into a corpus; ANNOTATE corpus USING …",
			"a model looks at several documents at once, and they pass by one after the other")
	}
	if len(m.plans) >= maxTextPlans || m.plans == nil {
		m.plans = map[string]*textPlan{}
	}
	m.plans[key.String()] = p
	return p, nil
}

// Annotate returns documents with the layers of the models, in their order. places say where they come from, for
// errors.
func (m *TextAnnotator) Annotate(ctx context.Context, docs []*text.Document,
	places []string) ([]*text.Document, error) {
	if err := m.r.Documents.Check(docs, places); err != nil {
		return nil, err
	}
	out := make([]*text.Document, len(docs))
	var order []*textPlan
	at := map[*textPlan][]int{}
	for i, d := range docs {
		p, err := m.planOf(d)
		if err != nil {
			return nil, err
		}
		if at[p] == nil {
			order = append(order, p)
		}
		at[p] = append(at[p], i)
	}
	for _, p := range order {
		part, from := make([]*text.Document, 0, len(docs)), make([]string, 0, len(docs))
		for _, i := range at[p] {
			part, from = append(part, docs[i]), append(from, places[i])
		}
		if err := TokeniseDocuments(m.r, part, from, p.tokenizer); err != nil {
			return nil, err
		}
		annotated, err := p.annotator.Apply(ctx, part)
		if err != nil {
			return nil, err
		}
		for k, i := range at[p] {
			out[i] = annotated[k]
		}
	}
	return out, nil
}

// ReadFiles reads the documents that an ANNOTATE names, some at a time. A tokenizer cuts the texts of those without
// tokens; "" leaves them as they stand in their files.
func ReadFiles(r *exec.Execution, ctx context.Context, s *ast.AnnotateFiles, tokenizer string,
	emit func([]*text.Document) error) error {
	in, src, err := annotatedSource(r, s, "reading documents")
	if err != nil {
		return err
	}
	err = codec.ReadDocuments(ctx, in, src, r.Workers(), func(docs []*text.Document, places []string) error {
		err := r.Documents.Check(docs, places)
		if err == nil && tokenizer != "" {
			err = TokeniseDocuments(r, docs, places, tokenizer)
		}
		if err != nil {
			return err
		}
		return emit(docs)
	})
	return fault.File(annotatedPlace(s), err)
}
