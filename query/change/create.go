package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/feature/place"
	"parlance/algo/option"
	"parlance/algo/segment"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// corpusOptions are the options of CREATE CORPUS.
type corpusOptions struct{ tokenizer string }

func (c *corpusOptions) declare(s *option.Set) {
	s.Choice(&c.tokenizer, "tokenizer", document.DefaultTokenizer, segment.Names(),
		"how texts are cut into sentences and tokens")
}

// tableOptions are the options of CREATE LEXICON and CREATE GAZETTEER; only a gazetteer has a tokeniser, for its
// phrases.
type tableOptions struct{ letterCase, tokenizer string }

func (t *tableOptions) declare(s *option.Set, phrases bool) {
	s.Choice(&t.letterCase, "case", "exact", []string{"exact", "lower"}, "how letter case counts when words are looked up")
	if phrases {
		s.Choice(&t.tokenizer, "tokenizer", document.DefaultTokenizer, segment.Names(), "how phrases are cut into tokens")
	}
}

// ObjectOptions returns the declared options of a kind of object.
func ObjectOptions(k catalog.ObjectKind) *option.Set {
	s := &option.Set{}
	switch k {
	case catalog.CorpusObject:
		(&corpusOptions{}).declare(s)
	case catalog.GazetteerObject, catalog.LexiconObject:
		(&tableOptions{}).declare(s, k == catalog.GazetteerObject)
	}
	return s
}

func Create(r *exec.Execution, ctx context.Context, s *ast.Create) (*operator.Result, error) {
	k := ObjectKind(s.Object)
	if o, ok := r.Snapshot.Object(s.Name); ok && s.IfNotExists && o.Kind == k {
		r.Session.Notice(fmt.Sprintf("%s %s exists already", k, s.Name))
		return operator.Tag("CREATE " + s.Object), nil
	}
	if exec.Reserved(s.Name) {
		return nil, plan.Errorf(s.Pos, "42939", "choose another name", "%s is a reserved name", s.Name)
	}
	if k == catalog.KBObject {
		return createKB(r, ctx, s)
	}
	o, err := newObject(r, s, k)
	if err != nil {
		return nil, err
	}
	var source *plannedRows
	if s.As != nil {
		if source, err = planCreateAs(r, s, &o); err != nil {
			return nil, err
		}
	}
	return createObject(r, ctx, s, o, source, "")
}

// createObject adds an object to the catalog. With a source of rows the object, or a part of it, is filled first.
func createObject(r *exec.Execution, ctx context.Context, s *ast.Create, o catalog.Object, source *plannedRows,
	part string) (*operator.Result, error) {
	if s.Temporary {
		o.Temporary = temporarySession(r)
	}
	if source == nil {
		_, err := r.Store.CreateObject(ctx, o)
		return operator.Tag("CREATE " + s.Object), nameTaken(r, s, err)
	}
	prepared, err := r.Store.CreateHidden(ctx, o)
	if err != nil {
		return nil, errors.Join(nameTaken(r, s, err), source.op.Close())
	}
	target := prepared
	if part != "" {
		target = prepared.Table(part)
	}
	n := 0
	// so that the object is discarded also after a panic of an expression
	err = guard.Call("CREATE "+s.Object, func() (err error) {
		n, err = fill(r, ctx, target, source)
		return err
	})
	if err == nil {
		err = nameTaken(r, s, r.Store.PublishObject(ctx, prepared))
	}
	if err != nil {
		r.Snapshot.Close() // an open snapshot would keep the discarded rows in the file
		return nil, errors.Join(err, r.Store.DiscardObject(ctx, prepared))
	}
	return operator.Tag(fmt.Sprintf("CREATE %s %d", s.Object, n)), nil
}

// temporarySession is the number of the session in its temporary objects. It gets one when it first makes some.
func temporarySession(r *exec.Execution) uint64 {
	if r.Session.Temporary == 0 {
		r.Session.Temporary = r.Store.NewSession()
	}
	return r.Session.Temporary
}

// nameTaken turns a conflict of names into an error of the statement.
func nameTaken(r *exec.Execution, s *ast.Create, err error) error {
	return takenBy(r, s.Pos, ObjectKind(s.Object), err)
}

// takenBy is the error of a new name of an object of a kind that another object has; other errors are returned as they
// are.
func takenBy(r *exec.Execution, pos ast.Pos, k catalog.ObjectKind, err error) error {
	var taken *storage.TakenError
	if !errors.As(err, &taken) {
		return err
	}
	o := taken.By
	if _, seen := r.Snapshot.Object(o.Name); o.Temporary != 0 && !seen {
		return plan.Errorf(pos, "42710", fault.TemporaryTaken, "%v", err)
	}
	hint := fmt.Sprintf("choose another name, or DROP %s %s first", strings.ToUpper(string(o.Kind)), ast.QuoteName(o.Name))
	if o.Kind == k {
		hint = "DROP it first, or write IF NOT EXISTS"
	}
	return plan.Errorf(pos, "42710", hint, "%v", err)
}

// newObject checks options and columns of a CREATE.
func newObject(r *exec.Execution, s *ast.Create, k catalog.ObjectKind) (catalog.Object, error) {
	o := catalog.Object{Name: s.Name, Kind: k, Options: map[string]string{}}
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return o, err
	}
	set := ObjectOptions(k)
	if err := set.Apply(args); err != nil {
		return o, optarg.AtOption(err, s.With)
	}
	for _, v := range set.Values(option.Train, option.Predict, option.Run) {
		o.Options[v[0]] = v[1]
	}
	for _, c := range s.Columns {
		t, err := bind.Type(c.Type)
		if err != nil {
			return o, err
		}
		if err := checkColumn(r, &o, c, k); err != nil {
			return o, err
		}
		o.Columns = append(o.Columns, catalog.ColumnDef{Name: c.Name, Type: t})
	}
	if len(o.Columns) == 0 && s.As == nil {
		switch k {
		case catalog.GazetteerObject:
			o.Columns = []catalog.ColumnDef{{Name: "phrase", Type: value.Text}, {Name: "label", Type: value.Text}}
		case catalog.LexiconObject:
			return o, plan.Errorf(s.Pos, ast.CodeSyntax, "CREATE "+s.Object+" "+s.Name+" (word TEXT, bits TEXT)",
				"a %s needs columns", strings.ToLower(s.Object))
		}
	}
	if k != catalog.CorpusObject && s.Object != ast.ObjectTable && len(o.Columns) > 0 && o.Columns[0].Type != value.Text {
		return o, plan.Errorf(s.Pos, plan.CodeType, "", "the first column of a %s is text, not %s", k, o.Columns[0].Type)
	}
	return o, nil
}

func checkColumn(r *exec.Execution, o *catalog.Object, c ast.ColumnDef, k catalog.ObjectKind) error {
	if o.Column(c.Name) >= 0 {
		return plan.Errorf(c.Pos, "42701", "", "column %s is named twice", c.Name)
	}
	if k != catalog.CorpusObject {
		return nil
	}
	switch c.Name {
	case "id", "text":
		return plan.Errorf(c.Pos, "42701", "leave it out", "every corpus has the column %s", c.Name)
	case "doc", "prob", "rank", "document", "documents":
		return plan.Errorf(c.Pos, "42939", "choose another name", "%s is a reserved name", c.Name)
	}
	if r.LayerDef(c.Name) != nil {
		return plan.Errorf(c.Pos, "42939", "choose another name", "%s is the name of a layer", c.Name)
	}
	return nil
}

// CreateFeatures checks and stores a feature set.
func CreateFeatures(r *exec.Execution, ctx context.Context, s *ast.CreateFeatures) (*operator.Result, error) {
	if o, ok := r.Snapshot.Object(s.Name); ok && s.IfNotExists && o.Kind == catalog.FeaturesObject {
		r.Session.Notice(fmt.Sprintf("features %s exists already", s.Name))
		return operator.Tag("CREATE FEATURES"), nil
	}
	_, ofTokens := feature.Builtin(s.Name)
	if _, ofPlaces := place.Builtin(s.Name); ofTokens || ofPlaces || exec.Reserved(s.Name) {
		return nil, plan.Errorf(s.Pos, "42939", "choose another name", "%s is a reserved name", s.Name)
	}
	named, err := relation.SetResources(s.Templates)
	if err != nil {
		return nil, plan.Errorf(s.Pos, plan.CodeInvalid, "", "%v", err)
	}
	for _, res := range named {
		if _, err := r.Refer(res, nil); err != nil {
			return nil, fault.At(s.Pos, err)
		}
	}
	_, err = r.Store.CreateObject(ctx, catalog.Object{Name: s.Name, Kind: catalog.FeaturesObject, Source: s.Templates})
	if err != nil {
		return nil, takenBy(r, s.Pos, catalog.FeaturesObject, err)
	}
	return operator.Tag("CREATE FEATURES"), nil
}

// ObjectOf finds an object of one of the kinds.
func ObjectOf(r *exec.Execution, pos ast.Pos, name string, kinds ...catalog.ObjectKind) (*catalog.Object, error) {
	o, ok := r.Snapshot.Object(name)
	if !ok {
		wanted := string(kinds[0])
		if len(kinds) > 1 {
			wanted = "corpus or table"
		}
		hint := strings.TrimPrefix(r.Suggest(name), "; ")
		if hint == "" && slices.Contains(kinds, catalog.CorpusObject) {
			hint = "SHOW CORPORA lists the corpora; CREATE CORPUS makes one for documents, CREATE TABLE one for rows"
		}
		return nil, plan.Errorf(pos, plan.CodeUndefinedObject, hint, "there is no %s %s", wanted, name)
	}
	for _, k := range kinds {
		if o.Kind == k {
			return o, nil
		}
	}
	return nil, plan.Errorf(pos, plan.CodeWrongKind, "", "%s is a %s, not a %s", name, o.Kind, kinds[0])
}

func CreateIndex(r *exec.Execution, ctx context.Context, s *ast.CreateIndex) (*operator.Result, error) {
	if s.Fulltext {
		return createFulltext(r, ctx, s)
	}
	if len(s.With) > 0 {
		return nil, plan.Errorf(s.With[0].Pos, plan.CodeInvalid, "CREATE FULLTEXT INDEX takes options",
			"an index takes no option %s", s.With[0].Name)
	}
	o, err := Target(r, s.On)
	if err != nil {
		return nil, err
	}
	if s.On.Layer != "" && o.Owner == 0 {
		return nil, plan.Errorf(s.On.Pos, plan.CodeFeature,
			"CREATE INDEX ON "+ast.QuoteName(o.Name)+" (column) finds documents by metadata", "layers have no indexes")
	}
	for i, c := range s.Columns {
		if o.Kind == catalog.CorpusObject && (c == "id" || c == "text") {
			return nil, plan.Errorf(s.ColumnPos(i), plan.CodeWrongKind, "documents are found by id without one; index "+
				"metadata columns", "column %s cannot be indexed", c)
		}
		if o.Column(c) < 0 {
			hint := ""
			if names := exec.ColumnNames(o); names != "" {
				hint = "columns: " + names
			}
			return nil, plan.Errorf(s.ColumnPos(i), plan.CodeUndefinedColumn, hint, "%s has no column %s%s", o.Name, c,
				option.DidYouMean(c, strings.Split(exec.ColumnNames(o), ", ")))
		}
	}
	for _, have := range o.Indexes {
		if strings.Join(have, "\x00") == strings.Join(s.Columns, "\x00") {
			if s.IfNotExists {
				r.Session.Notice(fmt.Sprintf("%s has an index on %s already", o.Name, strings.Join(have, ", ")))
				return operator.Tag("CREATE INDEX"), nil
			}
			return nil, plan.Errorf(s.Pos, "42710", "write IF NOT EXISTS", "the index exists already")
		}
	}
	return operator.Tag("CREATE INDEX"), r.Store.CreateIndex(ctx, o, s.Columns)
}

func DropIndex(r *exec.Execution, ctx context.Context, s *ast.DropIndex) (*operator.Result, error) {
	if o, ok := r.Snapshot.Object(s.On.Name); ok && o.Kind == catalog.CorpusObject &&
		(s.On.Layer != "" || slices.Equal(s.Columns, []string{"text"})) {
		return dropFulltext(r, ctx, s)
	}
	o, err := Target(r, s.On)
	if err != nil {
		return nil, err
	}
	err = r.Store.DropIndex(ctx, o, s.Columns)
	if errors.Is(err, storage.ErrNotFound) {
		if !s.IfExists {
			return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, indexHint(o), "%s has no index on %s", o.Name,
				strings.Join(s.Columns, ", "))
		}
		r.Session.Notice(fmt.Sprintf("%s has no index on %s", o.Name, strings.Join(s.Columns, ", ")))
		err = nil
	}
	if errors.Is(err, storage.ErrInUse) {
		return nil, plan.Errorf(s.Pos, "2BP01", "", "every knowledge base has the index on %s of %s",
			strings.Join(s.Columns, ", "), o.Part)
	}
	return operator.Tag("DROP INDEX"), err
}

// indexHint lists the indexes of an object.
func indexHint(o *catalog.Object) string {
	if len(o.Indexes) == 0 {
		return "it has none"
	}
	list := make([]string, len(o.Indexes))
	for i, cols := range o.Indexes {
		list[i] = "(" + strings.Join(cols, ", ") + ")"
	}
	return "indexes: " + strings.Join(list, ", ")
}

// Drop removes an object. It waits for those who write it, as ALTER does, or a block would lose at COMMIT what it has
// written.
func Drop(r *exec.Execution, ctx context.Context, s *ast.Drop) (*operator.Result, error) {
	k := ObjectKind(s.Object)
	for {
		if _, ok := r.Snapshot.Object(s.Name); !ok && s.IfExists {
			r.Session.Notice(fmt.Sprintf("there is no %s %s", k, s.Name))
			return operator.Tag("DROP " + s.Object), nil
		}
		o, err := ObjectOf(r, s.NamePos, s.Name, k)
		if err != nil {
			return nil, err
		}
		if k == catalog.ModelObject {
			return operator.Tag("DROP MODEL"), dropModel(r, ctx, s)
		}
		held, release, err := lockTarget(r, ctx, o)
		if err != nil {
			return nil, err
		}
		if now, ok := r.Snapshot.Object(s.Name); !ok || now.ID != o.ID { // the writer has renamed or dropped it
			release()
			continue
		}
		defer release()
		return operator.Tag("DROP " + s.Object), dropLocked(r, held, s, o)
	}
}

// dropLocked removes an object of which the statement is the only writer, unless models read it.
func dropLocked(r *exec.Execution, ctx context.Context, s *ast.Drop, o *catalog.Object) error {
	if users := dependentModels(r, ctx, o); len(users) > 0 {
		return plan.Errorf(s.Pos, "2BP01", "DROP MODEL "+users[0]+" first", "%s %s is read by %s", o.Kind, s.Name,
			strings.Join(users, ", "))
	}
	r.Snapshot.Close() // an open snapshot would keep the dropped rows in the file
	return r.Store.DropObject(ctx, s.Name)
}

// dependentModels lists the models that read a gazetteer, lexicon or knowledge base when they annotate.
func dependentModels(r *exec.Execution, ctx context.Context, o *catalog.Object) []string {
	var out []string
	if kb := r.Store.Owner(ctx, o); kb != nil {
		o = kb
	}
	for _, m := range r.Snapshot.Objects(catalog.ModelObject) {
		for _, v := range r.Store.Model(m.Name).Versions {
			for _, p := range v.Resources {
				if p.Name == o.Name {
					out = append(out, fmt.Sprintf("%s@%d", v.Name, v.Version))
				}
			}
		}
	}
	sort.Strings(out)
	return out
}

// dropModel drops one version of a model or all. Versions that other models were trained with are not dropped.
func dropModel(r *exec.Execution, ctx context.Context, s *ast.Drop) error {
	drop := map[int]bool{}
	if s.Version != "" {
		v, err := r.Resolve(ast.ModelRef{Pos: s.Pos, Name: s.Name, Version: s.Version})
		if err != nil {
			return err
		}
		drop[v.Version] = true
	}
	for _, m := range r.Snapshot.Objects(catalog.ModelObject) {
		for _, v := range r.Store.Model(m.Name).Versions {
			for _, p := range v.Upstream {
				own := m.Name == s.Name && (s.Version == "" || p.Role != models.ResourceRole)
				if p.Name == s.Name && !own && (s.Version == "" || drop[p.Version]) {
					return plan.Errorf(s.Pos, "2BP01", fmt.Sprintf("DROP MODEL %s@%d first", v.Name, v.Version),
						"%s@%d was trained with %s@%d", v.Name, v.Version, p.Name, p.Version)
				}
			}
		}
	}
	defer r.Models.Forget(s.Name)
	if s.Version == "" {
		if err := r.Store.DropModel(ctx, s.Name); err != nil {
			return err
		}
		return r.Models.Unpin(s.Name)
	}
	for v := range drop {
		for alias, to := range r.Store.Model(s.Name).Aliases {
			if to == v {
				return plan.Errorf(s.Pos, "2BP01", "PROMOTE another version first", "%s@%d is %s", s.Name, v, alias)
			}
		}
		if err := r.Store.DropModelVersion(ctx, s.Name, v); err != nil {
			return err
		}
	}
	return nil
}
