package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"parlance/algo/seq/tagger"
)

// crfsuite trains CRFsuite on the same attributes, where it is on PATH, and returns the seconds
// of 100 iterations with reading its file; 0 without it.
func (b *bench) crfsuite(d *tagger.Data) (float64, error) {
	tool := b.peer("crfsuite")
	if tool == "" {
		return 0, nil
	}
	path := filepath.Join(b.Dir, "train.crfsuite")
	if err := writeCRFsuite(path, d); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(b.ctx, tool, "learn", "-a", "lbfgs", "-p", "c2=1", "-p", "max_iterations=100", "-m",
		filepath.Join(b.Dir, "model.crfsuite"), path)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("crfsuite: %w: %s", err, out)
	}
	return time.Since(start).Seconds(), nil
}

// writeCRFsuite writes a line a token, label and attributes between tabs, and a blank line
// after each sequence; colons and backslashes in attributes are escaped.
func writeCRFsuite(path string, d *tagger.Data) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	names := make([]string, d.Alphabet.Len())
	escape := strings.NewReplacer(`\`, `\\`, ":", `\:`)
	for i := range names {
		names[i] = escape.Replace(d.Alphabet.Name(uint32(i)))
	}
	for s := 1; s < len(d.Offsets); s++ {
		for t := d.Offsets[s-1]; t < d.Offsets[s]; t++ {
			fmt.Fprint(w, d.Names[d.Gold[t]])
			for _, a := range d.Attrs[d.AttrOffsets[t]:d.AttrOffsets[t+1]] {
				fmt.Fprint(w, "\t", names[a])
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
