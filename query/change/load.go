package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/draft"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/progress"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/format"
	"parlance/storage/format/codec"
	"parlance/storage/format/resource"
	"parlance/storage/format/table"
	"parlance/storage/guard"
	"parlance/storage/loading"
	"parlance/storage/value"
)

// loadOptions are the options of LOAD besides those of the format.
type loadOptions struct {
	onConflict string
	encoding   string
	Set        option.Set
}

func NewLoadOptions() *loadOptions {
	l := &loadOptions{}
	l.Set.Choice(&l.onConflict, "on_conflict", "error", []string{"error", "replace", "skip"},
		"what happens to documents whose id is taken, and to rows that a knowledge base has, which are replaced by default")
	l.Set.Choice(&l.encoding, "encoding", "utf-8", codec.Encodings(), "encoding of the files")
	return l
}

// Load reads files into a corpus or table; all of it, or nothing.
func Load(r *exec.Execution, ctx context.Context, s *ast.Load) (*operator.Result, error) {
	o, err := changeTarget(r, s.Into)
	if err != nil {
		return nil, err
	}
	if s.Into.Layer != "" && o.Kind == catalog.KBObject {
		if o, err = Target(r, s.Into); err != nil {
			return nil, err
		}
	} else if s.Into.Layer != "" {
		return nil, plan.Errorf(s.Into.Pos, plan.CodeWrongKind, "COPY … FROM adds rows to a layer",
			"files are loaded into a whole corpus")
	}
	paths, err := paths(r, s.Paths)
	if err != nil {
		return nil, err
	}
	if s.Format == "" {
		if s, err = guessed(r, "LOAD", s, o, paths); err != nil {
			return nil, err
		}
	}
	configured, opts, err := reader(r, s, o)
	if err != nil {
		return nil, err
	}
	paths = resource.InFolder(configured, r.Files(), paths)
	src, err := codec.OpenSources(r.Files(), paths, r.Session.Stdin, opts.encoding)
	if err != nil {
		return nil, fault.File(pathPlace(s), err)
	}
	if o.Kind == catalog.KBObject {
		return loadKB(r, ctx, s, o, configured, src, opts.onConflict)
	}
	if o.Kind != catalog.CorpusObject {
		if err := tableConflict(s.Pos, o, opts.onConflict); err != nil {
			return nil, err
		}
		return loadRows(r, ctx, s, o, configured, src)
	}
	if !codec.ReadsDocuments(configured) {
		return nil, plan.Errorf(s.Pos, plan.CodeWrongKind, rowsFormatHint(configured, o),
			"the format %s holds rows, and %s is a corpus, which holds documents", s.Format, o.Name)
	}
	res, err := loadDocuments(r, ctx, s, o, configured, src, opts.onConflict)
	if err != nil {
		return nil, err
	}
	noticeEmpty(r, s, res.Documents+res.Replaced+res.Skipped, "documents")
	return operator.Tag(text.Countf("LOAD %d {document|documents} %d {token|tokens}", res.Documents+res.Replaced,
		res.Tokens)), nil
}

// noticeEmpty gives a notice of a file in which the format found nothing.
func noticeEmpty(r *exec.Execution, s *ast.Load, found int, what string) {
	if found == 0 {
		r.Session.Notice(fmt.Sprintf("the format %s found no %s: is the file empty, or of another format?", s.Format, what))
	}
}

// tableConflict refuses the option on_conflict for tables without keys.
func tableConflict(pos ast.Pos, o *catalog.Object, conflict string) error {
	if o.Kind == catalog.CorpusObject || o.Owner != 0 || conflict == "error" {
		return nil
	}
	return plan.Errorf(pos, plan.CodeFeature, "INSERT … ON CONFLICT does it for rows of tables",
		"%s is a %s: on_conflict is about documents and rows of layers", o.Name, o.Kind)
}

func paths(r *exec.Execution, list []ast.Expr) ([]string, error) {
	out := make([]string, len(list))
	for i, e := range list {
		p, err := r.TextOf(e)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// reader configures the reader of a LOAD.
func reader(r *exec.Execution, s *ast.Load, o *catalog.Object) (codec.Codec, *loadOptions, error) {
	f, ok := format.Lookup(s.Format)
	if !ok {
		return nil, nil, exec.UnknownFormat(s.At, s.Format)
	}
	if !f.Reads() {
		return nil, nil, plan.Errorf(s.At, plan.CodeWrongKind, "SHOW FORMATS", "the format %s is written, not read", s.Format)
	}
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return nil, nil, err
	}
	l := NewLoadOptions()
	var own, common []option.Arg
	for _, a := range args {
		if l.Set.Lookup(a.Name) != nil {
			common = append(common, a)
		} else {
			own = append(own, a)
		}
	}
	if err := l.Set.Apply(common); err != nil {
		return nil, nil, optarg.AtOption(err, s.With)
	}
	ofKB := o.Kind == catalog.KBObject || o.Owner != 0
	if ofKB && !slices.ContainsFunc(common, func(a option.Arg) bool { return a.Name == "on_conflict" }) {
		l.onConflict = "replace"
	}
	configured, err := f.Configure(own, &l.Set)
	if err != nil {
		return nil, nil, optarg.AtOption(err, s.With)
	}
	return configured, l, nil
}

// rowsFormatHint says how to read a file of rows that LOAD into a corpus refuses.
func rowsFormatHint(configured codec.Codec, corpus *catalog.Object) string {
	if resource.KBTable(configured) != "" {
		return "LOAD … INTO a knowledge base, which CREATE KB makes"
	}
	return "COPY " + ast.QuoteName(corpus.Name) + " FROM …"
}

// formatOf is the format of a statement about rows that names none: the only one of its target, or that of the
// extension of the files.
func formatOf(pos ast.Pos, statement string, o *catalog.Object, paths []string) (string, error) {
	if o.Kind == catalog.KBObject {
		return "", plan.Errorf(pos, ast.CodeSyntax, "write FORMAT triples, or another that SHOW FORMATS lists",
			"%s needs a FORMAT", statement)
	}
	if name := format.OfExtension(paths); name != "" {
		return name, nil
	}
	if _, ok := format.Lookup(string(o.Kind)); ok {
		return string(o.Kind), nil
	}
	return "", plan.Errorf(pos, ast.CodeSyntax, "write FORMAT csv, or another that SHOW FORMATS lists",
		"%s needs a FORMAT", statement)
}

// pathPlace is the position of the path of a LOAD, or of the statement if it has several paths or none.
func pathPlace(s *ast.Load) ast.Pos {
	if len(s.Paths) == 1 {
		return s.Paths[0].Position()
	}
	return s.Pos
}

func loadDocuments(r *exec.Execution, ctx context.Context, s *ast.Load, o *catalog.Object, configured codec.Codec,
	src *codec.Sources, conflict string) (loading.Result, error) {
	var none loading.Result
	set, cond, err := metadata(r, s, o)
	if err != nil {
		return none, err
	}
	load, err := r.Store.NewLoad(ctx, o, loading.Options{OnConflict: conflict})
	if err != nil {
		return none, err
	}
	defer load.Abort()
	failed := func(err error) (loading.Result, error) {
		return none, fault.File(pathPlace(s), repeatedID(s.Format, err))
	}
	types, err := table.NumericColumns(ctx, configured, src)
	if err != nil {
		return none, err
	}
	var odd oddSpans
	fresh, read := map[string]value.Type{}, progress.Count(r.Session.Progress, "documents", src.Share)
	err = codec.ReadDocuments(ctx, configured, src, r.Workers(), func(docs []*text.Document, places []string) error {
		read(len(docs))
		if err := r.Documents.Check(docs, places); err != nil {
			return err
		}
		if err := TokeniseDocuments(r, docs, places, document.TokenizerOf(o)); err != nil {
			return err
		}
		odd.add(docs)
		if err := setFields(r, docs, set, s.Set, cond); err != nil {
			return err
		}
		if err := castFields(o, docs, places, fresh, types, load); err != nil {
			return err
		}
		return load.Add(ctx, docs, places)
	})
	if err != nil {
		return failed(err)
	}
	res, err := load.Commit(ctx)
	if err != nil {
		return failed(err)
	}
	noteConflicts(r, res)
	noteFormat(r, configured)
	odd.note(r)
	return res, nil
}

// repeatedID gives the error of an id that comes twice in a file its SQLSTATE. The hint tells how to make each sentence
// a document, if the format can do so.
func repeatedID(name string, err error) error {
	out := duplicate(err)
	var d *loading.DuplicateError
	var e *ast.Error
	f, ok := format.Lookup(name)
	if ok && errors.As(err, &d) && errors.As(out, &e) && d.SameFile() && f.Options().Lookup("document") != nil {
		e.Hint = "the file begins a document of this id more than once: WITH (document = 'sentence') makes each sentence " +
			"one; on_conflict = 'replace' or 'skip' would lose sentences"
	}
	return out
}

// oddSpans counts spans that models or scores do not take as they are.
type oddSpans struct{ inside, widened, repeated int }

func (o *oddSpans) add(docs []*text.Document) {
	for _, d := range docs {
		for _, l := range d.Layers {
			o.layer(d, l)
		}
	}
}

func (o *oddSpans) layer(d *text.Document, l *text.Layer) {
	if l.Def.Spans || l.Def == text.Mentions {
		o.inside += d.InsideTokens(l)
	}
	if l.Def == text.Mentions {
		o.repeated += l.RepeatedMentions()
	}
}

// added counts what a change of a layer has added.
func (o *oddSpans) added(before, after *text.Document, layer string) {
	var was, is oddSpans
	if l := before.Layer(layer); l != nil {
		was.layer(before, l)
	}
	if l := after.Layer(layer); l != nil {
		is.layer(after, l)
	}
	o.inside, o.repeated = o.inside+max(0, is.inside-was.inside), o.repeated+max(0, is.repeated-was.repeated)
}

// placed counts a row that was given by offsets within a token and lies over the whole of it.
func (o *oddSpans) placed(x *draft.Draft, row *draft.Row, v draft.Values) {
	a, z := v["char_start"], v["char_end"] // an UPDATE may give one of them
	if a.T != value.Integer && z.T != value.Integer || !x.Has("char_start", "char_end", "tok_start") {
		return
	}
	start, end := x.Get(row, "char_start"), x.Get(row, "char_end")
	if a.T == value.Integer && utf8.RuneCountInString(x.Doc.Text[:start]) < int(a.Int()) ||
		z.T == value.Integer && utf8.RuneCountInString(x.Doc.Text[:end]) > int(z.Int()) {
		o.widened++
	}
}

// note gives notices of what was counted.
func (o *oddSpans) note(r *exec.Execution) {
	if o.inside > 0 {
		r.Session.Notice(fmt.Sprintf("spans that begin or end inside a token: %d; models learn whole tokens, and CHECK "+
			"lists them "+
			"(span-inside-token)", o.inside))
	}
	if o.widened > 0 {
		r.Session.Notice(fmt.Sprintf("spans given by offsets inside a token: %d; they cover the whole token", o.widened))
	}
	if o.repeated > 0 {
		r.Session.Notice(fmt.Sprintf("mentions that stand in another cluster before: %d; EVALUATE counts them as the "+
			"scorer of "+
			"CoNLL does", o.repeated))
	}
}

// noteFormat gives as notices what a codec tells of what it has read or written.
func noteFormat(r *exec.Execution, configured codec.Codec) {
	for _, n := range codec.Notices(configured) {
		r.Session.Notice(n)
	}
}

func noteConflicts(r *exec.Execution, res loading.Result) {
	if res.Skipped+res.Replaced > 0 {
		r.Session.Notice(text.Countf("%d {document|documents} replaced, %d skipped", res.Replaced, res.Skipped))
	}
}

// metadata binds the assignments of SET over the columns id and text.
func metadata(r *exec.Execution, s *ast.Load, o *catalog.Object) ([]expr.Expr, *plan.Layer, error) {
	n := bind.Documents(o, o.Name)
	set, err := assign(r, s.Set, n, func(c string) (value.Type, error) {
		t, err := documentType(o, c)
		if err != nil && c != "id" {
			return 0, plan.Errorf(ast.Pos{}, plan.CodeUndefinedColumn, "ALTER CORPUS "+o.Name+" ADD COLUMN "+c+" TEXT",
				"corpus %s has no column %s%s", o.Name, c, option.DidYouMean(c, strings.Split(exec.ColumnNames(o), ", ")))
		}
		if c == "text" {
			return 0, fault.New(plan.CodeWrongKind, "the text comes from the file")
		}
		return t, err
	})
	return set, n, err
}

func setFields(r *exec.Execution, docs []*text.Document, set []expr.Expr, names []ast.Assignment, n *plan.Layer) error {
	if len(set) == 0 {
		return nil
	}
	b := r.DocumentBatch(docs, n)
	for i, d := range docs {
		for k, x := range set {
			v, err := x.At(r.Env, b, i)
			if err != nil {
				return expr.ErrorAt(ast.Pos{}, err)
			}
			d.Fields = withField(d.Fields, names[k].Column, v)
		}
	}
	return nil
}

// TokeniseDocuments tokenises the documents that have none, with several workers.
func TokeniseDocuments(r *exec.Execution, docs []*text.Document, places []string, tokenizer string) error {
	errs := make([]error, len(docs))
	n := min(r.Workers(), len(docs))
	var wg sync.WaitGroup
	for w := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < len(docs); i += n {
				if err := tokenizeSafely(r, docs[i], tokenizer); err != nil {
					errs[i] = fmt.Errorf("%s: %w", places[i], err)
				}
			}
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

func tokenizeSafely(r *exec.Execution, d *text.Document, tokenizer string) (err error) {
	defer guard.Recover(&err, "the tokenizer "+tokenizer)
	return document.Tokenize(r.Env.Ctx, d, tokenizer)
}

// castFields casts metadata to the types of the columns. Columns that the corpus lacks are added when the load commits;
// types are those of some of them, of others the type of the first value.
func castFields(o *catalog.Object, docs []*text.Document, places []string, fresh, types map[string]value.Type,
	load *storage.Load) error {
	for i, d := range docs {
		for k, f := range d.Fields {
			c := o.Column(f.Name)
			t, known := fresh[f.Name]
			switch {
			case c >= 0:
				t = o.Columns[c].Type
			case !known:
				if f.Value.IsNull() {
					continue
				}
				if t = f.Value.T; reservedColumn(f.Name) {
					return &ast.Error{Code: "42939", Msg: fmt.Sprintf("%s: metadata column %s has a reserved name", places[i], f.Name),
						Hint: reservedHint(f.Name)}
				}
				if numeric, ok := types[f.Name]; ok {
					t = numeric
				}
				fresh[f.Name] = t
				if err := load.AddColumn(catalog.ColumnDef{Name: f.Name, Type: t}); err != nil {
					return err
				}
			}
			v, err := value.Cast(f.Value, t)
			if err != nil {
				return fault.New(plan.CodeType, "%s: column %s: %v", places[i], f.Name, err)
			}
			d.Fields[k].Value = v
		}
	}
	return nil
}

// reservedHint is the hint for a column of a file whose name is reserved.
func reservedHint(name string) string {
	if name == "labels" {
		return "the option label of the format names the column of labels"
	}
	return "WITH (columns = (…)) gives columns of csv and tsv other names"
}

func reservedColumn(name string) bool {
	switch name {
	case "id", "text", "doc", "prob", "rank", "document", "documents":
		return true
	}
	return text.Builtins(name) != nil
}

func loadRows(r *exec.Execution, ctx context.Context, s *ast.Load, o *catalog.Object, configured codec.Codec,
	src *codec.Sources) (*operator.Result, error) {
	set, err := bindRowSettings(r, s, o, o)
	if err != nil {
		return nil, err
	}
	load, err := r.Store.NewTableLoad(o)
	if err != nil {
		return nil, err
	}
	defer load.Abort()      // also where an expression panics; nothing after Commit
	var cols []codec.Column // of the file: without the columns that SET assigns
	var at []int
	for i, c := range rowColumns(o) {
		if !slices.ContainsFunc(s.Set, func(a ast.Assignment) bool { return a.Column == c.Name }) {
			cols, at = append(cols, c), append(at, i)
		}
	}
	read := progress.Count(r.Session.Progress, "rows", src.Share)
	err = codec.ReadRows(ctx, configured, src, cols, func(rows [][]value.Value, places []string) error {
		read(len(rows))
		rows, err := set.apply(r, o.Part, widenRows(rows, at, len(o.Columns)))
		if err != nil {
			return err
		}
		return load.Add(ctx, rows, places)
	})
	n := 0
	if err == nil {
		n, err = load.Commit(ctx)
	}
	if err != nil {
		return nil, fault.File(pathPlace(s), err)
	}
	noticeEmpty(r, s, n, "rows")
	noteFormat(r, configured)
	return operator.Tag(text.Countf("LOAD %d {row|rows}", n)), nil
}

// widenRows moves value k of each row to column at[k] of a row with width columns; the others are NULL.
func widenRows(rows [][]value.Value, at []int, width int) [][]value.Value {
	if len(at) == width {
		return rows
	}
	for i, row := range rows {
		wide := make([]value.Value, width)
		for k, v := range row {
			wide[at[k]] = v
		}
		rows[i] = wide
	}
	return rows
}
