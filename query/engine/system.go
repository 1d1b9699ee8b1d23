package engine

import (
	"strings"

	"parlance/algo/feature"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/learn"
	"parlance/query/models"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/query/score"
	"parlance/query/setting"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/format"
	"parlance/storage/value"
)

// systemTableDef is a table of the schema system.
type systemTableDef struct {
	schema, name, doc string
	columns           []plan.Column
	rows              func(r *execution) ([][]value.Value, error)
}

// systemTables is set by a function, since the rows of its tables refer to it.
var systemTables = systemTableList()

func systemTableList() []systemTableDef {
	return []systemTableDef{
		{"system", "corpora", "corpora with their sizes",
			exec.Columns("name documents:int tokens:int tokenizer columns layers created:time"), corpusRows},
		{"system", "layers", "stored layers of corpora", exec.Columns("corpus layer model rows:int columns"), layerRows},
		{"system", "indexes", "indexes of tables and full-text indexes of corpora",
			exec.Columns("object layer columns kind case stem bytes:int"), ofExecution(change.IndexRows)},
		{"system", "gazetteers", "gazetteers", exec.Columns("name rows:int columns case created:time"),
			func(r *execution) ([][]value.Value, error) { return objectRows(r, catalog.GazetteerObject) }},
		{"system", "lexicons", "lexicons", exec.Columns("name rows:int columns case created:time"),
			func(r *execution) ([][]value.Value, error) { return objectRows(r, catalog.LexiconObject) }},
		{"system", "kbs", "knowledge bases with the rows of their tables; entities counts pairs of an entity and a type",
			exec.Columns("name triples:int entities:int aliases:int relations:int types:int rules:int columns created:time"),
			kbRows},
		{"system", "features", "feature sets, built-in ones first", exec.Columns("name builtin:bool templates doc"),
			featureRows},
		{"system", "models",
			"versions of models; serves marks the one that the name alone means, metric and value are its score on VALIDATE",
			exec.Columns(
				"name version:int serves:bool kind layer metric value:float aliases created:time seconds:float bytes:int"),
			modelRows},
		{"system", "loaded_models", "models in memory, within model_memory; pinned ones stay there",
			exec.Columns("model version:int bytes:int pinned:bool last_used:time uses:int"),
			func(r *execution) ([][]value.Value, error) { return r.Models.Rows(), nil }},
		{"system", "promotions", "versions that were promoted to aliases, or refused", exec.Columns("time:time user model " +
			"alias from_version:int to_version:int promoted:bool metric new_value:float old_value:float difference:float " +
			"p:float input statement note"), ofExecution(score.PromotionRows)},
		{"system", "kinds", "kinds of model", exec.Columns("name doc prob paper"), kindRows},
		{"system", "options", "options of kinds, training and evaluation",
			exec.Columns("kind name type default range phase doc"), optionRows},
		{"system", "formats", "file formats", exec.Columns("name reads:bool writes:bool layers doc"), formatRows},
		{"system", "functions", "functions and aggregates", exec.Columns("name signature doc example"), functionRows},
		{"system", "checks", "rules of CHECK CORPUS", exec.Columns("rule severity about doc"), checkRows},
		{"system", "jobs", "trainings: readers see their own, others see of those of other users neither user nor texts",
			exec.Columns(
				"job:int state step:int of:int objective:float started:time ended:time statement note error user"), jobRows},
		{"system", "activity", "statements that run, for readers their own: state is running, sending (waiting for the " +
			"client) or queued, with a position from 1; and transaction blocks that have changed something and wait for their " +
			"next statement, idle in transaction",
			exec.Columns(
				"id:int session:int user client application state kind started:time seconds:float rows:int position:int statement"),
			activityRows},
		{"system", "cache", "cached predictions by model", exec.Columns("model entries:int bytes:int hits:int misses:int"),
			cacheRows},
		{"system", "file", "the database file, its size and what is free in it; modified is when it was written last, " +
			"opened since when it is served, read_only whether changes are refused, and content is the same for copies of one " +
			"state that BACKUP made", exec.Columns("path bytes:int free:int modified:time opened:time read_only:bool content"),
			fileRows},
		{"system", "users", "accounts: all of them for admins, for others their own", exec.Columns("name role created:time"),
			userRows},
		{"system", "metrics", "what the database counts since it was opened; labels is an object of JSON",
			metricColumns, metricRows},
		{"system", "settings", "settings", exec.Columns("name value default scope doc"), settingsTable},
	}
}

// ofExecution adapts a function of another package that makes rows to the type of this package.
func ofExecution(rows func(r *exec.Execution) ([][]value.Value, error)) func(r *execution) ([][]value.Value, error) {
	return func(r *execution) ([][]value.Value, error) { return rows(r.Execution) }
}

func systemTable(schema, name string) *systemTableDef {
	for i := range systemTables {
		if systemTables[i].schema == schema && systemTables[i].name == name {
			return &systemTables[i]
		}
	}
	return nil
}

func corpusRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects(catalog.CorpusObject) {
		var layers []string
		for _, l := range r.Snapshot.LayerDefs(o) {
			layers = append(layers, l.Name)
		}
		out = append(out, []value.Value{value.Str(o.Name), value.Int(int64(r.Snapshot.Count(o))),
			value.Int(r.Snapshot.Tokens(o)), value.Str(document.TokenizerOf(o)),
			exec.TextOrNull(exec.TypedColumns(o)), exec.TextOrNull(strings.Join(layers, ", ")), exec.TimeOrNull(o.Created)})
	}
	return out, nil
}

func layerRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects(catalog.CorpusObject) {
		layers, err := r.Snapshot.CountLayers(o)
		if err != nil {
			return nil, err
		}
		for _, l := range layers {
			names := storedColumns(&l.LayerInfo)
			out = append(out, []value.Value{value.Str(o.Name), value.Str(l.Name), exec.TextOrNull(l.Model), value.Int(l.Rows),
				value.Str(strings.Join(names, ", "))})
		}
	}
	return out, nil
}

// storedColumns are the columns of a stored layer that have values, hidden ones last.
func storedColumns(l *documents.LayerInfo) (names []string) {
	for i, c := range l.Def.Columns {
		if l.Present[i] || !c.Stored() {
			names = append(names, c.Name)
		}
	}
	if l.Prob {
		names = append(names, "prob")
	}
	if l.Rank {
		names = append(names, "rank")
	}
	return names
}

func objectRows(r *execution, k catalog.ObjectKind) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects(k) {
		out = append(out, []value.Value{value.Str(o.Name), value.Int(int64(r.Snapshot.TableCount(o))),
			value.Str(exec.TypedColumns(o)), value.Str(models.CaseOf(o)), exec.TimeOrNull(o.Created)})
	}
	return out, nil
}

// kbRows lists the knowledge bases. Their columns are those that were added to the triples.
func kbRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects(catalog.KBObject) {
		row := []value.Value{value.Str(o.Name)}
		for _, part := range catalog.KBTables() {
			row = append(row, value.Int(int64(r.Snapshot.TableCount(o.Table(part)))))
		}
		own := &catalog.Object{}
		for _, c := range o.Table(catalog.Triples).Columns {
			if !o.Table(catalog.Triples).Builtin(c.Name) {
				own.Columns = append(own.Columns, c)
			}
		}
		out = append(out, append(row, exec.TextOrNull(exec.TypedColumns(own)), exec.TimeOrNull(o.Created)))
	}
	return out, nil
}

func featureRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, b := range feature.Builtins() {
		out = append(out, []value.Value{value.Str(b.Name), value.Bool(true), value.Str(b.Notation), value.Str(b.Doc)})
	}
	for _, b := range place.Builtins() {
		out = append(out, []value.Value{value.Str(b.Name), value.Bool(true), value.Str(b.Notation), value.Str(b.Doc)})
	}
	for _, o := range r.Snapshot.Objects(catalog.FeaturesObject) {
		out = append(out, []value.Value{value.Str(o.Name), value.Bool(false), value.Str(o.Source), {}})
	}
	return out, nil
}

func modelRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects(catalog.ModelObject) {
		versions := r.Snapshot.Model(o.Name).Versions
		if len(versions) == 0 {
			continue
		}
		serving, err := r.Models.Version(r.Snapshot, ast.ModelRef{Name: o.Name})
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			out = append(out,
				[]value.Value{value.Str(v.Name), value.Int(int64(v.Version)), value.Bool(v.Version == serving.Version),
					value.Str(v.Kind),
					exec.TextOrNull(relation.WrittenBy(v)), exec.MetricName(v), exec.MetricValue(v),
					exec.TextOrNull(exec.AliasList(r.Execution, v.Name, v.Version)), exec.TimeOrNull(v.Created),
					value.Real(v.Seconds), value.Int(v.WeightsBytes)})
		}
	}
	return out, nil
}

// probOf is the meaning of prob of a kind with its default options.
func probOf(k *kind.Kind) kind.Probability {
	m := k.New()
	m.Options(&option.Set{})
	return m.Schema().Prob
}

func kindRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, k := range r.Kinds {
		out = append(out, []value.Value{value.Str(k.Name), value.Str(k.Doc), value.Str(probOf(&k).String()),
			exec.TextOrNull(k.Paper)})
	}
	return out, nil
}

func optionRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	add := func(name string, s *option.Set) {
		for _, d := range s.Decls() {
			out = append(out, []value.Value{value.Str(name), value.Str(d.Name), value.Str(d.Type), value.Str(d.Default),
				exec.TextOrNull(d.Range), value.Str(d.Phase.String()), value.Str(d.Doc + setting.Unit(d))})
		}
	}
	for i := range r.Kinds {
		add(r.Kinds[i].Name, exec.KindOptions(&r.Kinds[i]))
	}
	add("TRAIN", &learn.NewTrainOptions(nil).Set)
	add("ANNOTATE", &change.NewAnnotateOptions().Set)
	add("EVALUATE", &score.NewEvaluateOptions().Set)
	add("DIFF MODEL", &score.NewDiffOptions().Set)
	return out, nil
}

func formatRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, f := range format.List() {
		out = append(out, []value.Value{value.Str(f.Name), value.Bool(f.Reads()), value.Bool(f.Writes()),
			exec.TextOrNull(strings.Join(f.Layers, ", ")), value.Str(f.Doc)})
	}
	for _, f := range r.Models.Foreign {
		out = append(out, []value.Value{value.Str(f.Name), value.Bool(f.New != nil), value.Bool(f.Write != nil), {},
			value.Str("models of " + f.Doc)})
	}
	return out, nil
}

func functionRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, f := range r.Funcs.Scalars() {
		out = append(out, []value.Value{value.Str(f.Name), value.Str(f.Signature()), value.Str(f.Doc),
			exec.TextOrNull(f.Example)})
	}
	for _, a := range r.Funcs.Aggregates() {
		out = append(out, []value.Value{value.Str(a.Name), value.Str(a.Name + " (aggregate)"), value.Str(a.Doc),
			exec.TextOrNull(a.Example)})
	}
	for _, w := range r.Funcs.Windows() {
		out = append(out, []value.Value{value.Str(w.Name), value.Str(w.Signature() + " OVER (…)"), value.Str(w.Doc),
			exec.TextOrNull(w.Example)})
	}
	for i := range bind.TableFunctions {
		f := &bind.TableFunctions[i]
		out = append(out, []value.Value{value.Str(f.Name), value.Str("FROM " + f.Signature()), value.Str(f.Doc), {}})
	}
	return out, nil
}

func jobRows(r *execution) ([][]value.Value, error) {
	see, err := r.sight()
	if err != nil {
		return nil, err
	}
	var out [][]value.Value
	for _, j := range r.Jobs.List() {
		seen := see(j.User)
		if seen == notSeen {
			continue
		}
		out = append(out, []value.Value{value.Int(int64(j.ID)), value.Str(j.State), exec.IntOrNull(j.Step),
			exec.IntOrNull(j.Of),
			value.Real(j.Objective),
			exec.TimeOrNull(j.Started), exec.TimeOrNull(j.Ended), seen.text(j.Statement), seen.text(j.Note),
			seen.text(j.Error), seen.text(j.User)})
	}
	return out, nil
}

func cacheRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, m := range r.Store.Cache().Stats().Models {
		out = append(out, []value.Value{value.Str(m.Label), value.Int(m.Entries), value.Int(m.Bytes),
			value.Int(m.Hits), value.Int(m.Misses)})
	}
	return out, nil
}

func fileRows(r *execution) ([][]value.Value, error) {
	st, err := r.Store.FileStats()
	if err != nil {
		return nil, err
	}
	modified, content := value.Value{}, value.Value{}
	if r.Store.ReadOnly() { // a file that is written has other ones after each change
		sum, err := r.Store.Content()
		if err != nil {
			return nil, err
		}
		modified, content = value.Time(r.Store.Modified().UTC()), value.Str(sum)
	}
	return [][]value.Value{{value.Str(st.Path), value.Int(st.Bytes), value.Int(st.Free), modified,
		value.Time(r.engine.opened.UTC()), value.Bool(r.Store.ReadOnly()), content}}, nil
}

func settingsTable(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, s := range r.SettingRows() {
		out = append(out, []value.Value{value.Str(s[0]), value.Str(s[1]), value.Str(s[2]), value.Str(s[3]), value.Str(s[4])})
	}
	return out, nil
}
