package main

import (
	"fmt"
	"strings"

	"parlance/db"
)

// metricFamilies lists the declared metrics.
func metricFamilies(b *strings.Builder) {
	b.WriteString("## Metrics\n\nThe table `system.metrics` and the path `/metrics` of a server have them. They begin " +
		"at 0 when the database is opened.\n\n| metric | type | labels | |\n|---|---|---|---|\n")
	for _, f := range db.MetricFamilies() {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", f.Name, f.Type, strings.Join(f.Labels, ", "), cell(f.Help))
	}
	b.WriteString("\n")
}
