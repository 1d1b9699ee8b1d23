package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func (b *bench) temporary(name string) string { return filepath.Join(b.Dir, name) }

// write writes items in the format of LIBSVM and LIBLINEAR: class, then column:value with columns
// from 1 in rising order.
func (b *bench) write(name string, x *items) error {
	f, err := os.Create(b.temporary(name))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for i, y := range x.class {
		cols, _ := x.rows.Row(i)
		cols = slices.Clone(cols)
		slices.Sort(cols)
		fmt.Fprint(w, y)
		for _, c := range cols {
			fmt.Fprintf(w, " %d:1", c+1)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// run runs a tool, where it is on PATH, and returns its seconds of processor time and what it
// said; 0 without it.
func (b *bench) run(tool string, args ...string) (float64, string, error) {
	path := b.peer(tool)
	if path == "" {
		return 0, "", nil
	}
	cmd := exec.CommandContext(b.ctx, path, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return 0, "", fmt.Errorf("%s: %w: %s", tool, err, out.String())
	}
	return max(1e-3, cmd.ProcessState.UserTime().Seconds()+cmd.ProcessState.SystemTime().Seconds()), out.String(), nil
}

// processor is the seconds of processor time that this process has used.
func processor() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// objectives sums the objectives that svm-train printed, as a maximum.
func objectives(said string) float64 {
	sum := 0.0
	for _, line := range strings.Split(said, "\n") {
		if rest, ok := strings.CutPrefix(line, "obj = "); ok {
			number, _, _ := strings.Cut(rest, ",")
			if v, err := strconv.ParseFloat(number, 64); err == nil {
				sum -= v
			}
		}
	}
	return sum
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
