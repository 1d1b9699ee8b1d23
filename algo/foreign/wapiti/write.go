package wapiti

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/seq/external"
)

// write writes a chain by patterns of Wapiti. An observation that weighs both labels and pairs, which begins with *,
// stands once.
func write(ctx context.Context, w io.Writer, m kind.Model) error {
	x, err := foreign.TemplatesOf(m, external.Wapiti, "Wapiti")
	if err != nil {
		return err
	}
	type observation struct{ labels, pairs external.Row }
	var names []string
	all := map[string]*observation{}
	of := func(name string) *observation {
		if all[name] == nil {
			all[name] = &observation{}
			names = append(names, name)
		}
		return all[name]
	}
	active := 0
	for _, r := range x.Unigrams {
		of(r.Name).labels = r
		active += len(r.At)
	}
	for _, r := range x.Bigrams {
		of(r.Name).pairs = r
		active += len(r.At)
	}
	columns := max(0, x.Columns-1) // the highest one, counted from 0
	typ := crfType
	if x.Local {
		typ = memm
	}
	out := bufio.NewWriter(w)
	netstrings := func(list []string) {
		for _, s := range list {
			fmt.Fprintf(out, "%d:%s,\n", len(s), s)
		}
	}
	fmt.Fprintf(out, "#mdl#%d#%d\n#rdr#%d/%d/0\n", typ, active, len(x.Templates), columns)
	netstrings(x.Templates)
	fmt.Fprintf(out, "#qrk#%d\n", len(x.Labels))
	netstrings(x.Labels)
	fmt.Fprintf(out, "#qrk#%d\n", len(names))
	netstrings(names)
	next, l := int64(0), int64(len(x.Labels))
	weights := func(r external.Row, size int64) {
		for i, at := range r.At {
			fmt.Fprintf(out, "%d=%s\n", next+int64(at), strconv.FormatFloat(r.Weights[i], 'x', -1, 64))
		}
		next += size
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if name[0] != 'b' {
			weights(all[name].labels, l)
		}
		if name[0] != 'u' {
			weights(all[name].pairs, l*l)
		}
	}
	return out.Flush()
}
