package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// served is a server in a process of its own.
type served struct {
	cmd     *exec.Cmd
	address string // host:port for clients
	local   string // their Unix-domain socket
	http    string // host:port of the metrics; "" without
	done    chan error
}

// program is the program that is measured. It is built once, unless it is named.
func (b *bench) program() (string, error) {
	if b.Program == "" {
		file := filepath.Join(b.Dir, "parlance")
		cmd := exec.CommandContext(b.ctx, "go", "build", "-o", file, "parlance")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build: %w: %s", err, out)
		}
		b.Program = file
	}
	return b.Program, nil
}

// server runs the program as a server of a database file.
func (b *bench) server(file string) (*served, error) {
	program, err := b.program()
	if err != nil {
		return nil, err
	}
	s := &served{cmd: exec.CommandContext(b.ctx, program, "serve", file, "--listen", "127.0.0.1:0", "--listen", b.Dir,
		"--http", "127.0.0.1:0", "--pprof"), done: make(chan error, 1)}
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	r, w := io.Pipe()
	s.cmd.Stderr = w
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := s.cmd.Wait()
		w.Close()
		s.done <- err
	}()
	var said strings.Builder
	lines := bufio.NewScanner(r)
	for (s.address == "" || s.local == "") && lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		if m := listens.FindStringSubmatch(lines.Text()); m != nil && strings.Contains(m[1], "HTTP") {
			s.http = m[2]
		} else if m != nil && filepath.IsAbs(m[2]) {
			s.local = m[2]
		} else if m != nil {
			s.address = m[2]
		}
	}
	go io.Copy(io.Discard, r)
	if s.address == "" || s.local == "" {
		return nil, fmt.Errorf("%s serve: %w: %s", program, <-s.done, said.String())
	}
	return s, nil
}

var listens = regexp.MustCompile(`msg="?(listening(?: for HTTP)?)"? address=(\S+)`)

// stop ends the server and waits for it.
func (s *served) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-s.done
}

// computed returns the time that a process and its children, ended ones too, have computed, in
// seconds; false where the system does not tell.
func computed(pid int) (float64, bool) {
	own, ok := times(strconv.Itoa(pid))
	if !ok {
		return 0, false
	}
	sum := own.user + own.system + own.ended
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range all {
		if c, ok := times(filepath.Base(p)); ok && c.parent == pid {
			sum += c.user + c.system
		}
	}
	return float64(sum) / 100, true
}

// cpuTimes are times of a process, in hundredths of a second.
type cpuTimes struct {
	parent, user, system int
	ended                int // user and system of children that have ended
}

func times(pid string) (cpuTimes, bool) {
	raw, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return cpuTimes{}, false
	}
	// The name before the last ) may hold anything. The parent is field 4; utime, stime, cutime and
	// cstime are the fields 14 to 17.
	f := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(f) < 15 {
		return cpuTimes{}, false
	}
	var n [5]int
	for i, at := range [...]int{1, 11, 12, 13, 14} {
		if n[i], err = strconv.Atoi(f[at]); err != nil {
			return cpuTimes{}, false
		}
	}
	return cpuTimes{n[0], n[1], n[2], n[3] + n[4]}, true
}

// gauges collects the garbage of the server and reads figures from its metrics.
func (s *served) gauges(ctx context.Context, names ...string) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if _, err := s.get(ctx, "/debug/pprof/heap?gc=1"); err != nil {
		return nil, err
	}
	text, err := s.get(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for line := range strings.Lines(text) {
		name, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !slices.Contains(names, name) {
			continue
		}
		if out[name], err = strconv.ParseFloat(v, 64); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *served) get(ctx context.Context, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.http+path, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}
