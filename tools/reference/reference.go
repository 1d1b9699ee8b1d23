package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"parlance/algo"
	"parlance/algo/extract"
	"parlance/algo/feature"
	placefeature "parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/db"
	"parlance/db/manual"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/draft"
	"parlance/query/engine"
	"parlance/query/parse"
	"parlance/storage/format"
	"parlance/storage/format/codec"
)

// witness is told every statement of the manual that has run, and of which format it is an
// example: "" in chapters.
type witness func(format string, s ast.Statement)

// reference is the reference of the language in Markdown: the chapters of the manual with the results of their
// examples, functions, layers, formats, kinds with their options, feature templates, settings, error codes, grammar.
// root is the folder of the repository, from which examples load files below testdata. An error names the example that
// fails. seen may be nil.
func reference(ctx context.Context, root string, seen witness) (string, error) {
	var b strings.Builder
	if err := chaptersOf(ctx, &b, root, seen); err != nil {
		return "", err
	}
	if err := functions(ctx, &b, root); err != nil {
		return "", err
	}
	tableFunctions(&b)
	layers(&b)
	systemTables(&b)
	metricFamilies(&b)
	if err := formats(ctx, &b, root, seen); err != nil {
		return "", err
	}
	modelFormats(&b)
	kinds(&b)
	checks(&b)
	features(&b)
	b.WriteString("## Error codes\n\n| code | meaning |\n|---|---|\n")
	for _, c := range db.Codes() {
		fmt.Fprintf(&b, "| %s | %s |\n", c[0], c[1])
	}
	b.WriteString("\n## Grammar\n\n```\n" + strings.TrimSpace(parse.EBNF()) + "\n```\n")
	return referenceHead + contents(b.String()) + "\n" + b.String(), nil
}

const referenceHead = `# Reference

Generated from the declarations in the program and from db/manual; ` + "`make update`" + ` writes it again.
The examples of the chapters have run in the order in which they stand, each result is what they gave.
Paste them into ` + "`parlance`" + `, started in the folder of the repository, to see the same. A file shown with its
name is read by the statements that follow it.

`

// contents lists the headings of the second and third level with links.
func contents(md string) string {
	var b strings.Builder
	fenced := false
	used := map[string]int{}
	for _, line := range strings.Split(md, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		level, title, ok := strings.Cut(line, " ")
		if fenced || !ok || level != "##" && level != "###" {
			continue
		}
		a := anchor(title)
		if n := used[a]; n > 0 {
			used[a]++
			a = fmt.Sprintf("%s-%d", a, n)
		} else {
			used[a] = 1
		}
		fmt.Fprintf(&b, "%s- [%s](#%s)\n", strings.Repeat("  ", len(level)-2), title, a)
	}
	return b.String()
}

// anchor is the name under which pages of Markdown link to a heading.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// chaptersOf writes the chapters of the manual; their examples share a database. seen takes
// every statement that has run, and may be nil.
func chaptersOf(ctx context.Context, b *strings.Builder, root string, seen witness) (err error) {
	list, err := manual.Chapters(".")
	if err != nil {
		return err
	}
	e, err := newExamples(root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	e.seen = seen
	for _, c := range list {
		if err := e.chapter(ctx, b, c); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	return nil
}

// formats writes what is declared of each format and its example, which has a database of its
// own. seen may be nil.
func formats(ctx context.Context, b *strings.Builder, root string, seen witness) error {
	b.WriteString("## Formats\n\nEvery example starts in an empty database.\n\n")
	list, err := manual.Chapters("formats")
	if err != nil {
		return err
	}
	examples := map[string]manual.Chapter{}
	for _, c := range list {
		examples[strings.TrimSuffix(path.Base(c.Name), ".md")] = c
	}
	for _, f := range format.List() {
		fmt.Fprintf(b, "### %s\n\n%s.%s\n\n", f.Name, prose(upper(f.Doc)), direction(f))
		options(b, f.Options())
		if c, ok := examples[f.Name]; ok {
			if err := formatExample(ctx, b, root, f.Name, c, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

func formatExample(ctx context.Context, b *strings.Builder, root, name string, c manual.Chapter,
	seen witness) (err error) {
	e, err := newExamples(root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	e.seen, e.format = seen, name
	if err := e.chapter(ctx, b, c); err != nil {
		return err
	}
	b.WriteByte('\n')
	return nil
}

// modelFormats writes what is declared of the model files of other programs.
func modelFormats(b *strings.Builder) {
	b.WriteString("## Formats of models\n\nOf LOAD … INTO MODEL and COPY MODEL.\n\n")
	for _, f := range algo.Formats() {
		set, can := &option.Set{}, []string{}
		if f.New != nil {
			f.New().Options(set)
			can = append(can, "read")
		}
		if f.Write != nil {
			can = append(can, "written")
		}
		fmt.Fprintf(b, "### Models of %s\n\nModels of %s. They are %s.\n\n", f.Name, prose(f.Doc), strings.Join(can, " and "))
		options(b, set)
	}
}

func kinds(b *strings.Builder) {
	b.WriteString("## Kinds of model\n\n")
	for _, k := range algo.Kinds() {
		s := &option.Set{}
		k.New().Options(s)
		fmt.Fprintf(b, "### %s\n\n%s.", k.Name, upper(k.Doc))
		if k.Paper != "" {
			fmt.Fprintf(b, " Source: %s.", k.Paper)
		}
		b.WriteString("\n\n")
		surface(b, &k)
		options(b, s)
	}
	b.WriteString("## Options of statements\n\n")
	for _, s := range engine.CommonOptions() {
		fmt.Fprintf(b, "### Options of %s\n\n", s.Name)
		options(b, s.Set)
	}
}

// surface lists what a kind reads and answers; relations and tables have their columns described.
func surface(b *strings.Builder, k *kind.Kind) {
	for _, line := range engine.KindSummary(k) {
		fmt.Fprintf(b, "- %s\n", prose(line))
	}
	b.WriteByte('\n')
	m := k.New()
	m.Options(&option.Set{})
	for _, r := range m.Schema().Relations {
		relationTable(b, r)
	}
}

// relationTable describes arguments and columns of a relation, unless none says anything.
func relationTable(b *strings.Builder, r kind.Relation) {
	if len(r.Args) == 0 && !slices.ContainsFunc(r.Columns, func(c kind.Column) bool { return c.Doc != "" }) {
		return
	}
	fmt.Fprintf(b, "| %s | type | |\n|---|---|---|\n", r.Name)
	for _, a := range r.Args {
		need := "argument"
		if a.Optional {
			need = "optional argument"
		}
		fmt.Fprintf(b, "| %s | %s | %s: %s |\n", a.Name, a.Type, need, cell(a.Doc))
	}
	for _, c := range r.Columns {
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.Name, c.Type, cell(c.Doc))
	}
	b.WriteByte('\n')
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func direction(f *codec.Format) string {
	s := " Read and written."
	if !f.Writes() {
		s = " Read only."
	}
	if !f.Reads() {
		s = " Written only."
	}
	if len(f.Layers) > 0 {
		s += " Layers: " + strings.Join(f.Layers, ", ") + "."
	}
	return s
}

// prose keeps tags in a text from being taken for markup.
func prose(s string) string { return strings.ReplaceAll(s, "<", "\\<") }

// cell keeps a text inside its cell of a table.
func cell(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) }

func options(b *strings.Builder, s *option.Set) {
	if len(s.Decls()) == 0 {
		b.WriteString("It has no options.\n\n")
		return
	}
	b.WriteString("| option | type | default | range | phase | |\n|---|---|---|---|---|---|\n")
	for _, d := range s.Decls() {
		doc := d.Doc
		if d.Unit != "" {
			doc += ", in " + d.Unit
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", d.Name, d.Type, cell(fmt.Sprintf("%q", d.Default)), cell(d.Range),
			d.Phase, cell(doc))
	}
	b.WriteString("\n")
}

func layers(b *strings.Builder) {
	b.WriteString("## Layers\n\nEvery layer has the column doc besides, and hidden prob and rank. ON CONFLICT of INSERT " +
		"compares the columns of the key, besides doc: SKIP leaves the stored row, REPLACE assigns what is given to it. " +
		"Rows of gazetteers and lexicons are compared by their first column.\n\n| layer | columns | key | " +
		"|\n|---|---|---|---|\n")
	for _, d := range text.Builtin {
		var cols []string
		for _, c := range d.Columns {
			cols = append(cols, c.Name)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", d.Name, strings.Join(cols, ", "), strings.Join(draft.ConflictKey(d), ", "),
			cell(d.Doc))
	}
	b.WriteString("\n")
}

// systemTables lists the tables of the catalog.
func systemTables(b *strings.Builder) {
	b.WriteString("## System tables\n\n`SHOW name` lists `system.name`.\n\n| table | columns | |\n|---|---|---|\n")
	for _, t := range engine.SystemTables() {
		fmt.Fprintf(b, "| system.%s | %s | %s |\n", t.Name, strings.Join(t.Columns, ", "), cell(t.Doc))
	}
	b.WriteString("\n")
	clientTables(b)
}

// clientTables lists the tables that clients of PostgreSQL look into, and functions that give rows.
func clientTables(b *strings.Builder) {
	for _, schema := range []string{"pg_catalog", "information_schema"} {
		full, empty := engine.CatalogTables(schema)
		fmt.Fprintf(b, "`%s` has %s; and, without rows: %s.\n\n", schema, strings.Join(full, ", "), strings.Join(empty, ", "))
	}
	b.WriteString("## Functions that give rows\n\n| function | columns | |\n|---|---|---|\n")
	for _, f := range bind.RowFunctions {
		names := make([]string, len(f.Columns))
		for i, c := range f.Columns {
			names[i] = c.Name
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Signature(), strings.Join(names, ", "), cell(f.Doc))
	}
	b.WriteString("\n")
}

func tableFunctions(b *strings.Builder) {
	b.WriteString("## Table functions\n\nThey stand in FROM and take a corpus, `TEXT '…'` or `(SELECT text, id …)` " +
		"first. Their rows have doc and the columns below; columns of the document are in scope.\n\n")
	for _, f := range bind.TableFunctions {
		fmt.Fprintf(b, "### %s\n\n%s.\n\n```\n%s\n```\n\n| argument | type | |\n|---|---|---|\n", f.Name, upper(f.Doc),
			f.Signature())
		for _, a := range f.Args {
			fmt.Fprintf(b, "| %s | %s | %s |\n", a.Name, a.Type, cell(a.Doc))
		}
		b.WriteString("\n| column | type | |\n|---|---|---|\n")
		for _, c := range f.Columns {
			fmt.Fprintf(b, "| %s | %s | %s |\n", c.Name, c.Type, cell(c.Doc))
		}
		b.WriteString("\n")
	}
	b.WriteString("### Patterns\n\n" + extract.Syntax + "\n")
}

func features(b *strings.Builder) {
	b.WriteString("## Feature templates\n\nTemplates are separated by commas, semicolons or line ends; atoms of a " +
		"template are joined by `|`; `form[-1..1]` stands for one template an offset; `#` starts a comment. Directives of " +
		"document sets: `weight(binary|count|log|tfidf)`, `norm(none|l2)`.\n\n| atom | |\n|---|---|\n")
	for _, a := range feature.Atoms() {
		fmt.Fprintf(b, "| `%s` | %s |\n", a.Usage, cell(a.Doc))
	}
	b.WriteString("\n| set | templates | |\n|---|---|---|\n")
	for _, s := range feature.Builtins() {
		fmt.Fprintf(b, "| %s | `%s` | %s |\n", s.Name, cell(s.Notation), cell(s.Doc))
	}
	b.WriteString("\n")
	placeFeatures(b)
}

// placeFeatures writes the notation of features over places.
func placeFeatures(b *strings.Builder) {
	b.WriteString("## Features over places\n\n" + placefeature.Syntax + "\n| of | step or function | |\n|---|---|---|\n")
	for _, d := range placefeature.Steps() {
		fmt.Fprintf(b, "| %s | `%s` | %s |\n", d.Of, cell(d.Usage), cell(d.Doc))
	}
	b.WriteString("\n")
	for _, s := range placefeature.Builtins() {
		fmt.Fprintf(b, "`%s`, %s:\n\n```\n%s\n```\n\n", s.Name, s.Doc, s.Notation)
	}
}
