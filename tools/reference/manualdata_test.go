package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/db/manual"
)

// TestManualOnData runs the blocks sql data of the manual on the files below PARLANCE_DATA, and compares what they give
// with the block after each; with UPDATE=1 it writes it there.
func TestManualOnData(t *testing.T) {
	data := realdata.Folder(t)
	list, err := manual.Chapters(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		md, err := manual.Files.ReadFile(c.Name)
		if err != nil {
			t.Fatal(err)
		}
		if fresh := onData(t, c, string(md), data); fresh != string(md) && os.Getenv("UPDATE") == "1" {
			if err := os.WriteFile(filepath.Join(root, "db", "manual", c.Name), []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if fresh != string(md) {
			t.Errorf("db/manual/%s shows what its statements do not give; run this test with UPDATE=1", c.Name)
		}
	}
}

// onData is the text of a chapter with what its blocks on data give.
func onData(t *testing.T, c manual.Chapter, md, data string) string {
	t.Helper()
	var e *examples
	for i, b := range c.Blocks {
		if b.Kind != "sql" || b.Mode != "data" {
			continue
		}
		if e == nil {
			var err error
			if e, err = newExamples(root); err != nil {
				t.Fatal(err)
			}
			defer e.close()
		}
		b.Text = strings.ReplaceAll(b.Text, "$PARLANCE_DATA", data)
		got, err := e.block(context.Background(), b)
		if err != nil {
			t.Fatalf("db/manual/%s: %v", c.Name, err)
		}
		if i+2 >= len(c.Blocks) || c.Blocks[i+2].Kind != "text" {
			t.Fatalf("db/manual/%s, line %d: a block text with the results comes next", c.Name, b.Line)
		}
		old := c.Blocks[i].Text + "```\n\n```text\n"
		md = strings.Replace(md, old+c.Blocks[i+2].Text, old+got, 1)
	}
	return md
}
