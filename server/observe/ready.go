package observe

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"sync"

	"parlance/db"
)

// Readiness is what a server still lacks before it should get requests. It is an http.Handler
// that tells so.
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

// Done notes that a part is there.
func (r *Readiness) Done(part string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.missing, part)
}

// Lacks notes that a part is not there, or not any more, and why.
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

// WarmUp loads models as db.Warm does and completes the part Models. Named models must load;
// without names a model that does not is logged, for the others can be used.
func (r *Readiness) WarmUp(ctx context.Context, d *db.DB, l *Log, names ...string) {
	r.Lacks(Models, "loading")
	err := d.Warm(ctx, names...)
	if ctx.Err() != nil {
		return // the server ends
	}
	if err != nil {
		l.Warn("models could not be loaded", err)
	}
	if err != nil && len(names) > 0 {
		r.Lacks(Models, err.Error())
		return
	}
	r.Done(Models)
}
