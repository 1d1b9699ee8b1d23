package exec

import (
	"sync"
)

// mostTold is how many different notices of relations a statement gives: joined with a table, a relation may
// have one to give for each of its rows.
const mostTold = 10

// told are the notices that relations gave in a statement.
type told struct {
	mu    sync.Mutex
	seen  map[string]bool
	ended bool
}

// next returns what is to be said: a notice that is new, once that there are more, or "".
func (t *told) next(notice string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended || t.seen[notice]:
		return ""
	case len(t.seen) == mostTold:
		t.ended = true
		return "further notices like these are left out"
	case t.seen == nil:
		t.seen = map[string]bool{}
	}
	t.seen[notice] = true
	return notice
}

// Clear forgets them: sessions use the records of statements again.
func (t *told) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen, t.ended = nil, false
}

// tell gives a notice of a relation, once a statement.
func (r *Execution) tell(notice string) {
	if r.Observed != nil {
		notice = r.Observed.Told.next(notice)
	}
	if notice != "" {
		r.Session.Notice(notice)
	}
}
