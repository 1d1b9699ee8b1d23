// Package manual holds the chapters of the manual: prose with examples, which `\help` of the shell shows and from which
// the reference is made, results included.
package manual

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Files are the chapters, a file each, in the order of their names; the folder formats has a file for each format.
//
//go:embed *.md formats/*.md
var Files embed.FS

// Block is a fenced part of a chapter, or the prose between two of them. What stands after the
// fence says what it is:
//
//	sql          statements; the reference shows the rows that they give
//	sql quiet    statements whose rows differ from run to run and are not shown
//	sql error    statements of which the last must fail; the reference shows the error
//	sql data     statements on files below $PARLANCE_DATA, which run where these are; the block text that
//	             follows shows what they give
//	sql args […] a statement with these parameters, as JSON
//	file name    a file that later statements read; stdin is what STDIN reads
type Block struct {
	Kind string // "", "sql", "file", or another fence that is shown as it is
	Mode string // quiet, error, data, args or a file's name
	Args []any
	Text string
	Line int // of its first line in the chapter, from 1
}

// Chapter is a file of the manual.
type Chapter struct {
	Name   string // of its file
	Blocks []Block
}

// Chapters reads the chapters of a folder of the manual, "." or "formats", by name.
func Chapters(dir string) ([]Chapter, error) {
	names, err := fs.Glob(Files, path.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	var out []Chapter
	for _, name := range names {
		data, err := Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c := Chapter{Name: name}
		if c.Blocks, err = Cut(string(data)); err != nil {
			return nil, fmt.Errorf("db/manual/%s: %w", name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// Cut cuts Markdown into prose and fenced blocks.
func Cut(md string) ([]Block, error) {
	var out []Block
	at := Block{Line: 1}
	flush := func(next Block) {
		if at.Text != "" || at.Kind != "" {
			out = append(out, at)
		}
		at = next
	}
	fenced := false
	for i, line := range strings.SplitAfter(md, "\n") {
		info, fence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case fence && fenced:
			flush(Block{Line: i + 2})
		case fence:
			b := Block{Line: i + 2}
			if err := b.describe(info); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			flush(b)
		default:
			at.Text += line
		}
		fenced = fenced != fence
	}
	if fenced {
		return nil, fmt.Errorf("line %d: this block has no end", at.Line-1)
	}
	flush(Block{})
	return out, nil
}

// describe takes what stands after a fence.
func (b *Block) describe(info string) error {
	b.Kind, b.Mode, _ = strings.Cut(info, " ")
	if b.Kind == "" {
		b.Kind = "text"
	}
	if b.Kind != "sql" {
		return nil
	}
	if args, ok := strings.CutPrefix(b.Mode, "args "); ok {
		b.Mode = "args"
		return json.Unmarshal([]byte(args), &b.Args)
	}
	switch b.Mode {
	case "", "quiet", "error", "data":
		return nil
	}
	return fmt.Errorf("a block sql is quiet, error, data or args […], not %q", b.Mode)
}
