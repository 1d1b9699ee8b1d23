package db

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// manual holds the prose of the reference with its examples, a chapter a file in the order of
// their names, and a file a format.
//
//go:embed manual/*.md manual/formats/*.md
var manual embed.FS

// A block is a fenced part of a chapter, or the prose between two of them. What stands after the
// fence says what it is:
//
//	sql          statements; the reference shows the rows that they give
//	sql quiet    statements whose rows differ from run to run and are not shown
//	sql error    statements of which the last must fail; the reference shows the error
//	sql data     statements on files below $PARLANCE_DATA, which run where these are; the block text that
//	             follows shows what they give
//	sql args […] a statement with these parameters, as JSON
//	file name    a file that later statements read; stdin is what STDIN reads
type block struct {
	kind string // "", "sql", "file", or another fence that is shown as it is
	mode string // quiet, error, data, args or a file's name
	args []any
	text string
	line int // of its first line in the chapter, from 1
}

// chapter is a file of the manual.
type chapter struct {
	name   string // path inside the folder manual
	blocks []block
}

// chapters reads the chapters of a folder of the manual, by name.
func chapters(dir string) ([]chapter, error) {
	names, err := fs.Glob(manual, path.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	var out []chapter
	for _, name := range names {
		data, err := manual.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c := chapter{name: strings.TrimPrefix(name, "manual/")}
		if c.blocks, err = cutBlocks(string(data)); err != nil {
			return nil, fmt.Errorf("db/%s: %w", name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// cutBlocks cuts Markdown into prose and fenced blocks.
func cutBlocks(md string) ([]block, error) {
	var out []block
	at := block{line: 1}
	flush := func(next block) {
		if at.text != "" || at.kind != "" {
			out = append(out, at)
		}
		at = next
	}
	fenced := false
	for i, line := range strings.SplitAfter(md, "\n") {
		info, fence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case fence && fenced:
			flush(block{line: i + 2})
		case fence:
			b := block{line: i + 2}
			if err := b.describe(info); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			flush(b)
		default:
			at.text += line
		}
		fenced = fenced != fence
	}
	if fenced {
		return nil, fmt.Errorf("line %d: this block has no end", at.line-1)
	}
	flush(block{})
	return out, nil
}

// describe takes what stands after a fence.
func (b *block) describe(info string) error {
	b.kind, b.mode, _ = strings.Cut(info, " ")
	if b.kind == "" {
		b.kind = "text"
	}
	if b.kind != "sql" {
		return nil
	}
	if args, ok := strings.CutPrefix(b.mode, "args "); ok {
		b.mode = "args"
		return json.Unmarshal([]byte(args), &b.args)
	}
	switch b.mode {
	case "", "quiet", "error", "data":
		return nil
	}
	return fmt.Errorf("a block sql is quiet, error, data or args […], not %q", b.mode)
}
