package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parlance/db"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		s.Close()
	})
	return s.URL
}

func get(t *testing.T, url string) (status int, body string) {
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

func TestMetricsOfStatements(t *testing.T) {
	d := open(t)
	url := serve(t, Handler(d, NewReadiness(), Options{}))
	c := d.Conn()
	for _, s := range []string{"CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('a', 'x'), ('b', 'y')",
		"SELECT id FROM docs", "SELECT id FROM docs LIMIT 1", "SELECT x FROM docs", "SELEKT", "DROP CORPUS nothing"} {
		_, _ = c.Exec(context.Background(), s) // some fail
	}
	d.Network().Opened()
	d.Network().Refused("53300")
	d.Network().Received(1000)
	want := `
# HELP parlance_statements_total statements that ended, by their first words and SQLSTATE; code is empty for success, kind is UNPARSED for texts that are no statement
# TYPE parlance_statements_total counter
parlance_statements_total{code="",kind="CREATE"} 1
parlance_statements_total{code="",kind="INSERT"} 1
parlance_statements_total{code="",kind="SELECT"} 2
parlance_statements_total{code="42703",kind="SELECT"} 1
parlance_statements_total{code="42704",kind="DROP"} 1
parlance_statements_total{code="42601",kind="UNPARSED"} 1
# HELP parlance_rows_returned_total rows that statements handed out
# TYPE parlance_rows_returned_total counter
parlance_rows_returned_total{kind="CREATE"} 0
parlance_rows_returned_total{kind="DROP"} 0
parlance_rows_returned_total{kind="INSERT"} 0
parlance_rows_returned_total{kind="SELECT"} 3
parlance_rows_returned_total{kind="UNPARSED"} 0
# HELP parlance_statements_running statements under way, those whose rows are still read among them
# TYPE parlance_statements_running gauge
parlance_statements_running 0
# HELP parlance_connections_open connections of clients, those that log in among them
# TYPE parlance_connections_open gauge
parlance_connections_open 1
# HELP parlance_connections_refused_total connections that did not come to their session, by SQLSTATE
# TYPE parlance_connections_refused_total counter
parlance_connections_refused_total{code="53300"} 1
# HELP parlance_received_bytes_total bytes from clients
# TYPE parlance_received_bytes_total counter
parlance_received_bytes_total 1000
`
	names := []string{"parlance_statements_total", "parlance_rows_returned_total", "parlance_statements_running",
		"parlance_connections_open", "parlance_connections_refused_total", "parlance_received_bytes_total"}
	if err := testutil.ScrapeAndCompare(url+"/metrics", strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
	_, body := get(t, url+"/metrics")
	for _, line := range []string{`parlance_statement_seconds_count{kind="SELECT"} 3`,
		`parlance_statement_seconds_bucket{kind="SELECT",le="+Inf"} 3`, "go_goroutines ", "process_start_time_seconds ",
		`parlance_build_info{version="` + db.Version + `"} 1`} {
		if !strings.Contains(body, "\n"+line) {
			t.Errorf("/metrics has no line %s", line)
		}
	}
}

func TestHistogramsHaveBuckets(t *testing.T) {
	d := open(t)
	if _, err := d.Exec(context.Background(), "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	_, body := get(t, serve(t, Handler(d, NewReadiness(), Options{}))+"/metrics")
	if n := strings.Count(body, `parlance_statement_seconds_bucket{kind="SELECT",le="`); n < 3 {
		t.Errorf("%d buckets", n)
	}
}

func TestMetricsAreWellNamed(t *testing.T) {
	d := open(t)
	if _, err := d.Exec(context.Background(), "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	problems, err := testutil.CollectAndLint(newCollector(d))
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

func TestHealthAndReadiness(t *testing.T) {
	d := open(t)
	r := NewReadiness(Models, "listener")
	url := serve(t, Handler(d, r, Options{}))
	if status, body := get(t, url+"/healthz"); status != 200 || body != "ok\n" {
		t.Errorf("/healthz: %d %s", status, body)
	}
	ready := func(status int, missing ...string) {
		t.Helper()
		got, body := get(t, url+"/readyz")
		var answer struct {
			Ready   bool
			Missing map[string]string
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil {
			t.Fatal(err)
		}
		ok := got == status && answer.Ready == (status == 200) && len(answer.Missing) == len(missing)
		for _, m := range missing {
			ok = ok && answer.Missing[m] != ""
		}
		if !ok {
			t.Errorf("/readyz: %d %s, want %d and %v", got, body, status, missing)
		}
	}
	ready(503, Models, "listener")
	r.Done("listener")
	ready(503, Models)
	r.WarmUp(t.Context(), d, nil)
	ready(200)
	r.Lacks("listener", "the server is stopping")
	ready(503, "listener")
	if status, _ := get(t, url+"/debug/pprof/"); status != 404 {
		t.Errorf("/debug/pprof/ without the option: %d", status)
	}
	if status, _ := get(t, url+"/nothing"); status != 404 {
		t.Errorf("/nothing: %d", status)
	}
	for path, want := range map[string][2]string{"/healthz": {"text/plain; charset=utf-8", ""},
		"/readyz": {"application/json", "no-store"}} {
		res, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{res.Header.Get("Content-Type"), res.Header.Get("Cache-Control")}; got != want {
			t.Errorf("%s has the type and the caching %q", path, got)
		}
		res.Body.Close()
	}
	if res, err := http.Post(url+"/metrics", "", nil); err != nil || res.StatusCode != 405 {
		t.Errorf("POST /metrics: %v %v", res, err)
	} else {
		res.Body.Close()
	}
}

// TestWarmAgain: a model that there is not is looked for again until it is there, and told of once.
func TestWarmAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log, err := NewLog(&b, LogOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			fails   int
			must    bool
			missing string
			took    time.Duration
		}{{2, true, "", 2 * warmAgain}, {9, true, "no ner", 3*warmAgain + 1}, {9, false, "", 0}, {0, true, "", 0}} {
			b.Reset()
			r, fails := NewReadiness(Models), c.fails
			ctx, cancel := context.WithTimeout(t.Context(), 3*warmAgain+1)
			start := time.Now()
			r.warmUp(ctx, log, c.must, func() error {
				if fails--; fails >= 0 {
					return errors.New("no ner")
				}
				return nil
			})
			cancel()
			if took := time.Since(start); took != c.took || r.Missing()[Models] != c.missing ||
				strings.Count(b.String(), "no ner") != min(c.fails, 1) {
				t.Errorf("%+v: %v, missing %v, logged %s", c, took, r.Missing(), b.String())
			}
		}
	})
}

func TestPprof(t *testing.T) {
	url := serve(t, Handler(open(t), NewReadiness(), Options{Pprof: true}))
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap?debug=1", "/debug/pprof/cmdline",
		"/debug/pprof/symbol", "/debug/pprof/trace?seconds=0.001"} {
		if status, body := get(t, url+path); status != 200 || body == "" {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", Handler(open(t), NewReadiness(), Options{}))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); !ok ||
			min(s.ReadTimeout, s.WriteTimeout, s.IdleTimeout) <= 0 {
			t.Error("a client may take as long as it likes")
		}
		close(entered)
		<-leave
		_, _ = io.WriteString(w, "done")
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, mux, nil) }()
	base := "http://" + l.Addr().String()
	if status, _ := get(t, base+"/healthz"); status != 200 {
		t.Errorf("/healthz: %d", status)
	}
	answer := make(chan string, 1)
	go func() {
		r, err := http.Get(base + "/slow")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		answer <- string(b)
	}()
	<-entered
	cancel()
	close(leave)
	if got := <-answer; got != "done" {
		t.Errorf("the request under way gets %q", got)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is open still: %v", err)
	}
}

func TestServeTellsAFailingListener(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := Serve(t.Context(), l, http.NotFoundHandler(), nil); err == nil {
		t.Error("a closed listener is no error")
	}
}
