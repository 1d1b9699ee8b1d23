package change

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/option"
	"parlance/algo/stem"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// FulltextOptions are the options of CREATE FULLTEXT INDEX.
type FulltextOptions struct{ letterCase, stem string }

func (f *FulltextOptions) declare(s *option.Set) {
	s.Choice(&f.letterCase, "case", "lower", []string{"lower", "exact"}, "how letter case counts when words are compared")
	s.Choice(&f.stem, "stem", noStem, append([]string{noStem}, stem.Languages()...), "language whose words are "+
		"compared by their stems, so that refund finds refunds; none: as they are")
	s.Require(func() bool { return f.stem == noStem || f.letterCase == "lower" },
		"stem: words have stems in lower case, not with case = 'exact'")
}

const noStem = "none"

func IndexOptions(f *FulltextOptions) *option.Set {
	s := &option.Set{}
	f.declare(s)
	return s
}

// createFulltext indexes the text of documents, a column of their tokens, or the text that the rows of a layer cover.
func createFulltext(r *exec.Execution, ctx context.Context, s *ast.CreateIndex) (*operator.Result, error) {
	o, x, err := fulltextTarget(r, s.On, s.Columns)
	if err != nil {
		return nil, err
	}
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return nil, err
	}
	var opt FulltextOptions
	if err := IndexOptions(&opt).Apply(args); err != nil {
		return nil, optarg.AtOption(err, s.With)
	}
	if x.Case = opt.letterCase; opt.stem != noStem {
		x.Stem = opt.stem
	}
	err = r.Store.CreateFulltext(ctx, o, x)
	if errors.Is(err, storage.ErrExists) {
		if s.IfNotExists {
			r.Session.Notice("the full-text index exists already")
			return operator.Tag("CREATE INDEX"), nil
		}
		return nil, plan.Errorf(s.Pos, "42710", "DROP INDEX first, or write IF NOT EXISTS", "%v", err)
	}
	return operator.Tag("CREATE INDEX"), err
}

// fulltextTarget checks that what the statement names can have a full-text index.
func fulltextTarget(r *exec.Execution, on ast.Target, cols []string) (*catalog.Object, documents.FulltextIndex, error) {
	var x documents.FulltextIndex
	o, err := ObjectOf(r, on.Pos, on.Name, catalog.CorpusObject)
	var wrong *ast.Error
	if errors.As(err, &wrong) && wrong.Code == plan.CodeWrongKind {
		wrong.Hint = "CREATE INDEX ON " + on.Name + " makes an index for look-ups; full-text indexes are for corpora"
	}
	if err != nil {
		return nil, x, err
	}
	if len(cols) != 1 {
		return nil, x, plan.Errorf(on.Pos, plan.CodeFeature, "make an index for each column",
			"a full-text index has one column, not %d", len(cols))
	}
	x = documents.FulltextIndex{Layer: on.Layer, Column: cols[0]}
	if x.Layer == "documents" {
		x.Layer = ""
	}
	if x.Layer == "" {
		if x.Column != "text" {
			return nil, x, plan.Errorf(on.Pos, plan.CodeUndefinedColumn,
				fmt.Sprintf("ON %s (text), or a layer: ON %s.tokens (lemma)", o.Name, o.Name),
				"a full-text index of documents is on their text, not on %s", x.Column)
		}
		return o, x, nil
	}
	def := r.LayerDef(x.Layer)
	if l := r.StoredLayer(o, x.Layer); l != nil {
		def = l.Def
	}
	if def == nil {
		return nil, x, plan.Errorf(on.Pos, plan.CodeUndefinedTable, "", "corpus %s has no layer %s", o.Name, x.Layer)
	}
	var can []string
	for _, c := range def.Columns {
		if searchable(def, x.Layer, c) {
			can = append(can, c.Name)
		}
		if c.Name == x.Column && searchable(def, x.Layer, c) {
			return o, x, nil
		}
	}
	hint := "columns: " + strings.Join(can, ", ")
	if len(can) == 0 {
		hint = fmt.Sprintf("ON %s (text) searches the documents", o.Name)
	}
	code := plan.CodeFeature
	if def.Index(x.Column) < 0 {
		code = plan.CodeUndefinedColumn
	}
	return nil, x, plan.Errorf(on.Pos, code, hint, "%s of %s cannot have a full-text index", x.Column, x.Layer)
}

// searchable reports whether a column of a layer can be indexed: a text of tokens, or the text
// that rows cover.
func searchable(def *text.LayerDef, layer string, c text.Column) bool {
	if layer == "tokens" {
		return c.Type == value.Text
	}
	return c.Name == "text" && def.Index("char_start") >= 0 && def.Index("char_end") >= 0
}

// dropFulltext removes a full-text index.
func dropFulltext(r *exec.Execution, ctx context.Context, s *ast.DropIndex) (*operator.Result, error) {
	o, x, err := fulltextTarget(r, s.On, s.Columns)
	if err != nil {
		return nil, err
	}
	err = r.Store.DropFulltext(ctx, o, x.Layer, x.Column)
	if errors.Is(err, storage.ErrNotFound) {
		if s.IfExists {
			return operator.Tag("DROP INDEX"), nil
		}
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, "DESCRIBE "+o.Name+" shows its indexes", "%v", err)
	}
	return operator.Tag("DROP INDEX"), err
}

// FulltextName is the name of a full-text index in DESCRIBE.
func FulltextName(x storage.FulltextInfo) string {
	name := x.Column
	if x.Layer != "" {
		name = x.Layer + "." + x.Column
	}
	if x.Stem != "" {
		return fmt.Sprintf("%s (case = %s, stem = %s)", name, x.Case, x.Stem)
	}
	return fmt.Sprintf("%s (case = %s)", name, x.Case)
}

// IndexRows lists the indexes of all tables and corpora.
func IndexRows(r *exec.Execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects("") {
		for _, t := range o.Tables {
			for _, cols := range t.Indexes {
				out = append(out, []value.Value{value.Str(o.Name), value.Str(t.Part), value.Str(strings.Join(cols, ", ")),
					value.Str("lookup"), {}, {}, {}})
			}
		}
		for _, cols := range o.Indexes {
			out = append(out, []value.Value{value.Str(o.Name), {}, value.Str(strings.Join(cols, ", ")),
				value.Str("lookup"), {}, {}, {}})
		}
		if o.Kind != catalog.CorpusObject {
			continue
		}
		for _, x := range r.Snapshot.Fulltext(o) {
			out = append(out, []value.Value{value.Str(o.Name), exec.TextOrNull(x.Layer), value.Str(x.Column),
				value.Str("fulltext"), value.Str(x.Case), exec.TextOrNull(x.Stem),
				value.Int(x.Bytes)})
		}
	}
	return out, nil
}
