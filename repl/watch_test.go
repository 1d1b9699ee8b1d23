package repl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// logLine reads the log until a message, and returns its line.
func logLine(t *testing.T, log <-chan string, msg string) map[string]any {
	t.Helper()
	for text := range log {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if line["msg"] == msg {
			return line
		}
	}
	t.Fatalf("the log ends without %q", msg)
	return nil
}

func httpGet(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// TestServerIsWatched runs parlance serve with its flags for watching.
func TestServerIsWatched(t *testing.T) {
	var cmd command
	parser, err := kong.New(&cmd, named())
	if err == nil {
		_, err = parser.Parse([]string{"serve", filepath.Join(t.TempDir(), "watched.parlance"), "--listen", "127.0.0.1:0",
			"--http", "127.0.0.1:0", "--log-format", "json", "--log-statements", "--pprof"})
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := cmd.Serve.Run(ctx, &streams{err: write})
		write.Close()
		ended <- err
	}()
	log := make(chan string, 100)
	go func() {
		defer close(log)
		for s := bufio.NewScanner(read); s.Scan(); {
			log <- s.Text()
		}
	}()
	web := "http://" + logLine(t, log, "listening for HTTP")["address"].(string)
	addr := logLine(t, log, "listening")["address"].(string)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); ; <-tick.C {
		status, body := httpGet(t, web+"/readyz")
		if status == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it is not ready: %s", body)
		}
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"exec", "--connect", "postgres://ann@" + addr + "/x?sslmode=disable", "-c",
		"SELECT 42 AS answer"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	line := logLine(t, log, "statement")
	if line["text"] == nil || line["user"] != "ann" || line["client"] == nil {
		t.Errorf("logged %v", line)
	}
	if _,
		body := httpGet(t, web+"/metrics"); !strings.Contains(body, `parlance_statements_total{code="",kind="SELECT"} `) ||
		!strings.Contains(body, "parlance_connections_total 1\n") {
		t.Errorf("/metrics:\n%s", body)
	}
	if status, _ := httpGet(t, web+"/debug/pprof/"); status != 200 {
		t.Errorf("/debug/pprof/: %d", status)
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestProfilesNeedAnAddress refuses a flag that would do nothing.
func TestProfilesNeedAnAddress(t *testing.T) {
	o := watchOptions{Pprof: true}
	if _, err := o.listen(nil); err == nil || !strings.Contains(err.Error(), "--http") {
		t.Error(err)
	}
}

// TestUsualAddressTaken: a server starts without HTTP where another one has the usual address, and not where
// profiles were wanted there.
func TestUsualAddressTaken(t *testing.T) {
	var said bytes.Buffer
	o := watchOptions{HTTP: usualHTTP}
	log, err := o.log(&said)
	if err != nil {
		t.Fatal(err)
	}
	// listen listens while the address is taken; what another process takes it with may end meanwhile.
	listen := func() (l net.Listener, err error) {
		for range 100 {
			if own, err := net.Listen("tcp", usualHTTP); err == nil {
				defer own.Close()
			}
			if l, err = o.listen(log); l == nil {
				return nil, err
			}
			l.Close()
		}
		return l, err
	}
	if l, err := listen(); l != nil || err != nil || !strings.Contains(said.String(), "--http") {
		t.Errorf("%v, %v: %s", l, err, &said)
	}
	o.Pprof = true
	if _, err := listen(); err == nil {
		t.Error("no profiles, and no error")
	}
	o = watchOptions{HTTP: "off"}
	if l, err := o.listen(log); l != nil || err != nil {
		t.Errorf("off: %v, %v", l, err)
	}
}
