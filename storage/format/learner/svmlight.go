package learner

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// svmlight is the data of SVMlight, LIBSVM and LIBLINEAR: a document a line, its label, then features index:value with
// rising indices from 1. The text of a document is its features. Several labels stand between commas.
type svmlight struct{}

func (c *svmlight) Options(*option.Set) {}

// svmlightSplitter leaves out blank lines and comments.
type svmlightSplitter struct{}

func (svmlightSplitter) Begins(line []byte) (begins, skip bool) {
	s := text.Trim(string(line))
	return s != "" && s[0] != '#', s == "" || s[0] == '#'
}

func (c *svmlight) Splitter() codec.Splitter { return svmlightSplitter{} }

func (c *svmlight) Parse(b codec.Block) ([]*text.Document, error) {
	line, _, _ := strings.Cut(b.Text, "\n")
	line, _, _ = strings.Cut(line, "#") // a comment
	fields := strings.Fields(line)
	d := &text.Document{ID: b.ID()}
	if len(fields) > 0 && !strings.Contains(fields[0], ":") {
		var names []string
		for name := range strings.SplitSeq(fields[0], ",") {
			if name == "" {
				return nil, b.Fault(0, 1, "a label is empty in %q", fields[0])
			}
			names = append(names, svmlightLabel(name))
		}
		d.SetLayer(layers.Labels(names...))
		fields = fields[1:]
	}
	last, at := uint64(0), 0
	for _, f := range fields {
		at += strings.Index(line[at:], f)
		index, v, ok := strings.Cut(f, ":")
		i, err := strconv.ParseUint(index, 10, 31)
		x, err2 := strconv.ParseFloat(v, 64)
		if !ok || err != nil || err2 != nil || i == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, b.Fault(0, at+1,
				"%q is no feature: an index from 1, a colon and a finite value are wanted, such as 3:0.5", f)
		}
		if i <= last {
			return nil, b.Fault(0, at+1, "the index of %q does not rise: %d stands before it", f, last)
		}
		last, at = i, at+len(f)
	}
	d.Text = strings.Join(fields, " ")
	return []*text.Document{d}, nil
}

// svmlightLabel is a label as models have it: +1 and 1.0 are 1.
func svmlightLabel(s string) string {
	if v, err := strconv.ParseFloat(s, 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return s
}

// Document writes labels and features in a line.
func (c *svmlight) Document(w io.Writer, d *text.Document) error {
	var names []string
	if l := d.Layer("labels"); l != nil {
		names = l.Strs("label")
	}
	if len(names) == 0 {
		return fmt.Errorf("document %s has no label", d.ID)
	}
	label := strings.Join(names, ",")
	if strings.ContainsAny(label, " \t\r\n:#") || strings.Count(label, ",") != len(names)-1 {
		return fmt.Errorf("document %s: the label %q does not fit: blanks, colons, commas and # end it", d.ID, label)
	}
	read, err := c.Parse(codec.Block{Base: d.ID, Text: label + " " + d.Text + "\n"})
	if err != nil || read[0].Text != d.Text {
		return fmt.Errorf("document %s: its text is not made of features such as 3:0.5, with one blank between two", d.ID)
	}
	_, err = fmt.Fprintln(w, strings.TrimSuffix(label+" "+d.Text, " "))
	return err
}
