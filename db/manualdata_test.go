package db

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
)

// TestManualOnData runs the blocks sql data of the manual on the files below PARLANCE_DATA, and compares what they give
// with the block after each; with UPDATE=1 it writes it there.
func TestManualOnData(t *testing.T) {
	data := realdata.Folder(t)
	list, err := chapters("manual")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		md, err := manual.ReadFile("manual/" + c.name)
		if err != nil {
			t.Fatal(err)
		}
		if fresh := onData(t, c, string(md), data); fresh != string(md) && os.Getenv("UPDATE") == "1" {
			if err := os.WriteFile(filepath.Join("manual", c.name), []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if fresh != string(md) {
			t.Errorf("db/manual/%s shows what its statements do not give; run this test with UPDATE=1", c.name)
		}
	}
}

// onData is the text of a chapter with what its blocks on data give.
func onData(t *testing.T, c chapter, md, data string) string {
	t.Helper()
	var e *examples
	for i, b := range c.blocks {
		if b.kind != "sql" || b.mode != "data" {
			continue
		}
		if e == nil {
			var err error
			if e, err = newExamples(".."); err != nil {
				t.Fatal(err)
			}
			defer e.close()
		}
		b.text = strings.ReplaceAll(b.text, "$PARLANCE_DATA", data)
		got, err := e.block(context.Background(), b)
		if err != nil {
			t.Fatalf("db/manual/%s: %v", c.name, err)
		}
		if i+2 >= len(c.blocks) || c.blocks[i+2].kind != "text" {
			t.Fatalf("db/manual/%s, line %d: a block text with the results comes next", c.name, b.line)
		}
		old := c.blocks[i].text + "```\n\n```text\n"
		md = strings.Replace(md, old+c.blocks[i+2].text, old+got, 1)
	}
	return md
}
