package main

import (
	"fmt"
	"strings"

	"parlance/algo/check"
	"parlance/query/relation"
)

// checks writes the table functions over corpora and the rules of CHECK CORPUS.
func checks(b *strings.Builder) {
	b.WriteString("## Functions over a corpus\n\nThey stand in FROM: `FROM check(docs) WITH (…)`.\n\n| function | " +
		"columns | |\n|---|---|---|\n")
	for _, f := range relation.CorpusFunctions() {
		var args, cols []string
		for _, a := range f.Args {
			args = append(args, ", "+a.Name)
		}
		for _, c := range f.Columns {
			cols = append(cols, c.Name)
		}
		fmt.Fprintf(b, "| `%s(corpus%s)` | %s | %s |\n", f.Name, strings.Join(args, ""), strings.Join(cols, ", "),
			cell(f.Doc))
	}
	b.WriteString("\n## Rules of CHECK CORPUS\n\n| rule | severity | about | |\n|---|---|---|---|\n")
	for _, r := range check.Rules() {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.Name, r.Severity, r.About, cell(r.Doc))
	}
	b.WriteString("\n")
}
