package db

import (
	"fmt"
	"strings"

	"parlance/algo"
	"parlance/algo/feature"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/exec"
	"parlance/query/fn"
	"parlance/query/parse"
	"parlance/storage/format"
)

// Reference returns the reference of the language in Markdown: grammar, layers, functions,
// formats, kinds with their options, feature templates, settings, error codes. It follows from
// their declarations.
func Reference() string {
	var b strings.Builder
	b.WriteString("# Reference\n\nGenerated from the declarations in the program; `make update` writes it again.\n\n")
	b.WriteString("## Grammar\n\n```\n" + strings.TrimSpace(parse.EBNF()) + "\n```\n\n")
	layers(&b)
	functions(&b)
	b.WriteString("## Formats\n\n")
	for _, f := range format.List() {
		fmt.Fprintf(&b, "### %s\n\n%s.%s\n\n", f.Name, upper(f.Doc), direction(f))
		options(&b, f.Options())
	}
	b.WriteString("## Kinds of model\n\n")
	for _, k := range algo.Kinds() {
		s := &option.Set{}
		k.New().Options(s)
		fmt.Fprintf(&b, "### %s\n\n%s. Source: %s.\n\n", k.Name, upper(k.Doc), k.Paper)
		options(&b, s)
	}
	for _, s := range exec.CommonOptions() {
		fmt.Fprintf(&b, "### Options of %s\n\n", s.Name)
		options(&b, s.Set)
	}
	features(&b)
	b.WriteString("## Error codes\n\n| code | meaning |\n|---|---|\n")
	for _, c := range Codes() {
		fmt.Fprintf(&b, "| %s | %s |\n", c[0], c[1])
	}
	return b.String()
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func direction(f *format.Format) string {
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
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", d.Name, d.Type, cell(fmt.Sprintf("%q", d.Default)), cell(d.Range), d.Phase, cell(doc))
	}
	b.WriteString("\n")
}

func layers(b *strings.Builder) {
	b.WriteString("## Layers\n\nEvery layer has the column doc besides, and hidden prob and rank. ON CONFLICT of INSERT compares the columns of the key, besides doc: SKIP leaves the stored row, REPLACE assigns what is given to it. Rows of gazetteers and lexicons are compared by their first column.\n\n| layer | columns | key | |\n|---|---|---|---|\n")
	for _, d := range text.Builtin {
		var cols []string
		for _, c := range d.Columns {
			cols = append(cols, c.Name)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", d.Name, strings.Join(cols, ", "), strings.Join(exec.ConflictKey(d), ", "), cell(d.Doc))
	}
	b.WriteString("\n")
}

func functions(b *strings.Builder) {
	t, err := fn.NewTable()
	if err != nil {
		return // the built-in functions are a table of constants
	}
	b.WriteString("## Functions\n\n| function | |\n|---|---|\n")
	for _, f := range t.List() {
		fmt.Fprintf(b, "| `%s` | %s |\n", cell(f.Signature()), cell(f.Doc))
	}
	b.WriteString("\n## Aggregates\n\n| aggregate | |\n|---|---|\n")
	for _, a := range t.Aggregates() {
		fmt.Fprintf(b, "| `%s` | %s |\n", a.Name, cell(a.Doc))
	}
	b.WriteString("\n## Window functions\n\nThey and the aggregates stand before `OVER (PARTITION BY … ORDER BY … ROWS BETWEEN … AND …)`.\n\n| function | |\n|---|---|\n")
	for _, w := range fn.Windows() {
		fmt.Fprintf(b, "| `%s` | %s |\n", cell(w.Signature()), cell(w.Doc))
	}
	b.WriteString("\n")
}

func features(b *strings.Builder) {
	b.WriteString("## Feature templates\n\nTemplates are separated by commas, semicolons or line ends; atoms of a template are joined by `|`; `form[-1..1]` stands for one template an offset; `#` starts a comment. Directives of document sets: `weight(binary|count|log|tfidf)`, `norm(none|l2)`.\n\n| atom | |\n|---|---|\n")
	for _, a := range feature.Atoms() {
		fmt.Fprintf(b, "| `%s` | %s |\n", a.Usage, cell(a.Doc))
	}
	b.WriteString("\n| set | templates | |\n|---|---|---|\n")
	for _, s := range feature.Builtins() {
		fmt.Fprintf(b, "| %s | `%s` | %s |\n", s.Name, cell(s.Notation), cell(s.Doc))
	}
	b.WriteString("\n")
}
