package exec

import (
	"sync"
)

// maxNotices is how many different notices of relations a statement gives: a relation that is joined with a table may
// have one for each row of the table.
const maxNotices = 10

// notices are those that relations have given in a statement, so that each is given once.
type notices struct {
	mu   sync.Mutex
	seen map[string]bool
	full bool // the user was told that there are more
}

// filter returns the notice if it is new, a last one if there are too many, or "" if there is nothing to say.
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

// Clear forgets the notices: a session uses the record of a statement again for the next one.
func (t *notices) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen, t.full = nil, false
}

// NoticeOnce gives a notice of a relation, unless the statement has given it before.
func (r *Execution) NoticeOnce(notice string) {
	if r.Status != nil {
		notice = r.Status.Notices.filter(notice)
	}
	if notice != "" {
		r.Session.Notice(notice)
	}
}
