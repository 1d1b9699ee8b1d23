package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tool returns the path of a program of PostgreSQL: on PATH, or where Debian keeps the newest.
func tool(name string) string {
	if p, err := exec.LookPath(name); err == nil {
		return p
	}
	all, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

var (
	transactions = regexp.MustCompile(`number of transactions actually processed: (\d+)`)
	rate         = regexp.MustCompile(`tps = ([0-9.]+) \(without`)
	failures     = regexp.MustCompile(`number of failed transactions: (\d+)`)
)

// sampled is the share of statements whose delay pgbench writes down: a line for each takes
// from what it can send.
const sampled = "0.02"

// pgbench runs scripts with a protocol mode for some seconds, one chosen at random each time.
func (b *bench) pgbench(address, mode string, scripts []string, seconds int) (load, error) {
	dir, err := os.MkdirTemp(b.Dir, "pgbench-*")
	if err != nil {
		return load{}, err
	}
	host, port, err := reached(address)
	if err != nil {
		return load{}, err
	}
	args := []string{"-n", "-M", mode, "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(seconds), "-l",
		"--sampling-rate", sampled, "--log-prefix", filepath.Join(dir, "log"),
		"-h", host, "-p", port, "-U", "admin"}
	for i, s := range scripts {
		path := filepath.Join(dir, fmt.Sprintf("script%d.sql", i))
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			return load{}, err
		}
		args = append(args, "-f", path)
	}
	cmd := exec.CommandContext(b.ctx, tool("pgbench"), append(args, "postgres")...)
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable")
	said, err := cmd.CombinedOutput()
	if err != nil {
		return load{}, fmt.Errorf("pgbench: %w: %.1000s", err, said)
	}
	l, err := pgbenchSays(string(said))
	if err == nil {
		l.delays, err = pgbenchDelays(dir)
	}
	return l, err
}

// reached is what programs of PostgreSQL take for an address: host and port, or the folder of a Unix-domain socket and
// its number.
func reached(address string) (host, port string, err error) {
	if filepath.IsAbs(address) {
		return filepath.Dir(address), strings.TrimPrefix(filepath.Ext(address), "."), nil
	}
	return net.SplitHostPort(address)
}

// pgbenchSays reads the summary of pgbench.
func pgbenchSays(said string) (load, error) {
	n, r, f := transactions.FindStringSubmatch(said), rate.FindStringSubmatch(said), failures.FindStringSubmatch(said)
	if n == nil || r == nil {
		return load{}, fmt.Errorf("pgbench said %q", said)
	}
	if f != nil && f[1] != "0" {
		return load{}, fmt.Errorf("%s statements of pgbench failed", f[1])
	}
	count, _ := strconv.Atoi(n[1])
	perSecond, err := strconv.ParseFloat(r[1], 64)
	return load{statements: count, seconds: float64(count) / perSecond}, err
}

// pgbenchDelays reads the delays from the logs of pgbench: the third word of a line is one in
// microseconds.
func pgbenchDelays(dir string) ([]time.Duration, error) {
	logs, err := filepath.Glob(filepath.Join(dir, "log.*"))
	if err != nil {
		return nil, err
	}
	var out []time.Duration
	for _, l := range logs {
		raw, err := os.ReadFile(l)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(raw)) {
			f := strings.Fields(line)
			if len(f) < 3 {
				continue
			}
			us, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", l, err)
			}
			out = append(out, time.Duration(us)*time.Microsecond)
		}
	}
	slices.Sort(out)
	return out, nil
}
