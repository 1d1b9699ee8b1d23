package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// contest is work that Parlance and a peer both do, each in a process of its own. Commands are lines of sh in the
// folder of the benchmark, where P is the program; files that they read are there before.
type contest struct {
	key    string // what --rows chooses it by
	work   string
	peer   string // program whose presence is asked for; "" without a peer
	ours   string
	theirs string
	fresh  string    // line of sh before each run, which is not measured; "" for none
	repeat int       // how often a line runs in a measurement, for what takes hundredths of a second; 0 for once
	time   float64   // goal for the ratio of processor time; 0 for none
	memory float64   // goal for the ratio of memory
	score  [2]string // lines of sh that print the accuracy of either side after the last run, in percent; "" for none
}

// reads reports whether one of the lines of a contest names one of the files.
func (c *contest) reads(files ...string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return strings.Contains(c.fresh+c.ours+c.theirs, f) })
}

// spent is what a process took, with those that it waited for.
type spent struct {
	seconds float64 // of the processor
	memory  float64 // peak of resident memory, in MB
}

// rounds is how often the two sides of a contest run, in turns.
const rounds = 5

// contests measures them and adds two tables: ratios, and what they were made of.
func (b *bench) contests(title string, list []contest) error {
	program, err := b.program()
	if err != nil {
		return err
	}
	ratios := b.table(title, "work", "peer", "time", "goal", "memory", "goal", "date", "row")
	full := b.table(title+": processor seconds and peak memory of whole processes", "row", "s", "of the peer", "MB",
		"of the peer", "commands")
	for _, c := range list {
		if c.peer != "" && b.peer(c.peer) == "" {
			continue
		}
		var ours, theirs []spent
		for range rounds {
			for _, side := range []struct {
				line string
				into *[]spent
			}{{c.ours, &ours}, {c.theirs, &theirs}} {
				if side.line == "" {
					continue
				}
				if c.fresh != "" {
					if _, err := b.shell(program, c.fresh); err != nil {
						return err
					}
				}
				n := max(1, c.repeat)
				took, err := b.shell(program, fmt.Sprintf("for i in $(seq %d); do %s; done", n, side.line))
				if err != nil {
					return fmt.Errorf("%s: %w", c.work, err)
				}
				took.seconds /= float64(n)
				*side.into = append(*side.into, took)
			}
		}
		a, p := typical(ours), typical(theirs)
		commands := "`" + c.ours + "`"
		if c.theirs != "" {
			commands += "; `" + c.theirs + "`"
		}
		accuracy, err := b.accuracies(program, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.work, err)
		}
		ratios.add(c.work+accuracy, b.version(c.peer), share(a.seconds, p.seconds), goal(c.time),
			share(a.memory, p.memory), goal(c.memory), today(), c.key)
		full.add(c.key, figure(a.seconds), figure(p.seconds), figure(a.memory), figure(p.memory),
			strings.ReplaceAll(commands, "|", `\|`))
	}
	return nil
}

// accuracies is the accuracies of both sides as an addition to what the work is called.
func (b *bench) accuracies(program string, c contest) (string, error) {
	if c.score[0] == "" {
		return "", nil
	}
	var shown [2]string
	for i, line := range c.score {
		cmd := b.command(program, "sh", "-ec", line)
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w: %.1000s", line, err, out)
		}
		shown[i] = strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("; accuracy %s %%, of the peer %s %%", shown[0], shown[1]), nil
}

// command is a command in the folder of the benchmark, with the program as P.
func (b *bench) command(program, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.ctx, name, args...)
	cmd.Dir = b.Dir
	cmd.Env = append(os.Environ(), "P="+program, "LC_ALL=C")
	return cmd
}

// shell runs a line of sh under GNU time, whose own memory is small: what a process inherits from a large one counts
// among its peak.
func (b *bench) shell(program, line string) (c spent, err error) {
	said := b.temporary("time.out")
	cmd := b.command(program, "time", "-o", said, "-f", "%U %S %M", "sh", "-ec", line)
	if out, err := cmd.CombinedOutput(); err != nil {
		return c, fmt.Errorf("%s: %w: %.1000s", line, err, out)
	}
	raw, err := os.ReadFile(said)
	if err != nil {
		return c, err
	}
	var f [3]float64
	for i, s := range strings.Fields(string(raw)) {
		if i < len(f) {
			if f[i], err = strconv.ParseFloat(s, 64); err != nil {
				return c, err
			}
		}
	}
	return spent{f[0] + f[1], f[2] / 1024}, nil
}

// typical is the medians of runs.
func typical(list []spent) spent {
	if len(list) == 0 {
		return spent{}
	}
	of := func(get func(spent) float64) float64 {
		var v []float64
		for _, c := range list {
			v = append(v, get(c))
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	return spent{of(func(c spent) float64 { return c.seconds }), of(func(c spent) float64 { return c.memory })}
}

func figure(x float64) string {
	switch {
	case x == 0:
		return ""
	case x < 0.1:
		return fmt.Sprintf("%.3f", x)
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

func share(a, b float64) string {
	if b == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", a/b)
}

func goal(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("≤ %.2g", x)
}

// version is a peer with the version of its Debian package, or the commit that it was built from, which the script that
// builds peers writes into a file beside the program.
func (b *bench) version(peer string) string {
	path, err := exec.LookPath(peer)
	if peer == "" || err != nil {
		return ""
	}
	if raw, err := os.ReadFile(path + ".version"); err == nil {
		return strings.TrimSpace(string(raw))
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return peer
	}
	owner, err := exec.CommandContext(b.ctx, "dpkg", "-S", path).Output()
	name, _, found := strings.Cut(string(owner), ":")
	if err != nil || !found {
		return peer
	}
	v, err := exec.CommandContext(b.ctx, "dpkg-query", "-W", "-f", "${Version}", name).Output()
	if err != nil {
		return peer
	}
	return name + " " + string(v)
}

// today is the date of a table.
func today() string { return time.Now().UTC().Format(time.DateOnly) }
