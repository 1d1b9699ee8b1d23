package observe

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"sync"
	"time"

	"parlance/db"
)

// Readiness lists what a server still lacks before it is ready for requests. It is an http.Handler for /readyz.
type Readiness struct {
	mu      sync.Mutex
	missing map[string]string // why, by part
}

// NewReadiness returns a readiness that lacks the parts, such as models and listener.
func NewReadiness(parts ...string) *Readiness {
	r := &Readiness{missing: map[string]string{}}
	for _, p := range parts {
		r.missing[p] = "starting"
	}
	return r
}

// Done marks a part as ready.
func (r *Readiness) Done(part string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.missing, part)
}

// Lacks marks a part as not ready, with the reason.
func (r *Readiness) Lacks(part, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missing[part] = why
}

// Missing returns what is missing and why; nothing when the server is ready.
func (r *Readiness) Missing() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.missing)
}

// ServeHTTP answers 200, or 503 if something is missing.
func (r *Readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	missing := r.Missing()
	body, _ := json.Marshal(struct { // texts always can be
		Ready   bool              `json:"ready"`
		Missing map[string]string `json:"missing"`
	}{len(missing) == 0, missing})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if len(missing) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = w.Write(append(body, '\n')) // a client that went away needs no answer
}

// Models is the part of the readiness that WarmUp completes.
const Models = "models"

// warmAgain is the pause before models that could not be loaded are tried again.
const warmAgain = 10 * time.Second

// WarmUp loads models as db.Warm does and completes the part Models. Named models must load, and are tried
// again every 10 s until they do or the context ends; without names a model that does not load is logged, for the
// others can be used.
func (r *Readiness) WarmUp(ctx context.Context, d *db.DB, l *Log, names ...string) {
	r.warmUp(ctx, l, len(names) > 0, func() error { return d.Warm(ctx, names...) })
}

func (r *Readiness) warmUp(ctx context.Context, l *Log, must bool, load func() error) {
	r.Lacks(Models, "loading")
	err := load()
	for told := ""; err != nil && ctx.Err() == nil; err = load() {
		if why := err.Error(); why != told {
			told = why
			l.Warn("models could not be loaded", err)
		}
		if !must {
			break
		}
		r.Lacks(Models, err.Error())
		pause := time.NewTimer(warmAgain)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
	if ctx.Err() == nil { // else the server ends
		r.Done(Models)
	}
}
