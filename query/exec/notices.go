package exec

import (
	"sync"
)

// maxNotices is how many different notices of relations a statement gives: joined with a table, a relation may
// have one to give for each of its rows.
const maxNotices = 10

// notices are the notices that relations gave in a statement.
type notices struct {
	mu   sync.Mutex
	seen map[string]bool
	full bool
}

// filter returns what is to be said: a notice that is new, once that there are more, or "".
func (t *notices) filter(notice string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.full || t.seen[notice]:
		return ""
	case len(t.seen) == maxNotices:
		t.full = true
		return "further notices like these are left out"
	case t.seen == nil:
		t.seen = map[string]bool{}
	}
	t.seen[notice] = true
	return notice
}

// Clear forgets them: sessions use the records of statements again.
func (t *notices) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen, t.full = nil, false
}

// NoticeOnce gives a notice of a relation, once a statement.
func (r *Execution) NoticeOnce(notice string) {
	if r.Status != nil {
		notice = r.Status.Notices.filter(notice)
	}
	if notice != "" {
		r.Session.Notice(notice)
	}
}
