// Package observe is the monitoring of a server: health, readiness and metrics over HTTP, and a log of statements and
// connections.
package observe

import (
	"io"
	"net/http"
	"net/http/pprof"

	"parlance/db"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// scrapes is the number of requests for metrics that are answered at a time.
const scrapes = 4

// Options of Handler.
type Options struct {
	Pprof bool // whether /debug/pprof/ gives profiles of the process, its command line among them
}

// Handler answers /healthz (200 while the process lives), /readyz (200 when nothing is missing,
// else 503, with what is missing as JSON) and /metrics (of the database, the Go runtime and the
// process, in the text formats of Prometheus and OpenMetrics).
func Handler(d *db.DB, r *Readiness, o Options) http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(newCollector(d), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", healthy)
	mux.Handle("GET /readyz", r)
	mux.Handle("GET /metrics",
		promhttp.HandlerFor(reg, promhttp.HandlerOpts{MaxRequestsInFlight: scrapes, EnableOpenMetrics: true}))
	if o.Pprof {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n") // a client that went away needs no answer
}
