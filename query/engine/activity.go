package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/jobs"
	"parlance/storage/value"
)

// activity is the statements that run in this process, a list under one lock.
type activity struct {
	mu     sync.Mutex
	head   running      // of the ring
	blocks []*openBlock // that have changed something or keep a state, in the order in which they began to
}

// openBlock is a transaction block that keeps others from its corpora, or a state that it reads.
type openBlock struct {
	ses                   *Session
	id                    uint64 // of the statement that first did
	user, client, program string
	since                 time.Time // when the block began
}

// keep lists the block of a session until the function that it returns is called.
func (a *activity) keep(s *Session) (forget func()) {
	b := &openBlock{s, s.Statement, s.User, s.Client, s.Application, s.opened}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.blocks = append(a.blocks, b)
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.blocks = slices.DeleteFunc(a.blocks, func(x *openBlock) bool { return x == b })
	}
}

// running is a statement on its way. A session uses one again and again; what is read by
// others changes under the lock, but for the counters.
type running struct {
	prev, next *running
	id         uint64
	ses        *Session
	stmt       ast.Statement
	inline     []value.Value // parameters that are shown as literals
	user       string
	client     string
	program    string
	started    time.Time
	cancel     context.CancelCauseFunc // may be nil
	timer      *time.Timer             // of statement_timeout, or nil
	bound      int64                   // of rows, 0 for none
	sending    atomic.Bool
	rows       atomic.Int64
	exec.Status
}

func (a *activity) init() { a.head.prev, a.head.next = &a.head, &a.head }

// enlist registers a statement of a session.
func (e *Engine) enlist(ses *Session, stmt ast.Statement) *running {
	e.Follow(ses)
	ses.Began = time.Now()
	a := &e.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	s := ses.idle
	if ses.idle = nil; s == nil {
		s = &running{}
	}
	ses.Statement = e.Meter.Statements.Start()
	s.id, s.ses, s.stmt, s.cancel, s.started = ses.Statement, ses, stmt, ses.Cancel, ses.Began
	s.user, s.client, s.program = ses.User, ses.Client, ses.Application
	s.inline, ses.Literals = ses.Literals, nil
	s.bound = int64(ses.Settings.MaxResultRows)
	s.sending.Store(false)
	s.rows.Store(0)
	s.Recursive.Store(nil)
	s.Notices.Clear()
	s.timer = a.deadline(s)
	s.prev, s.next = a.head.prev, &a.head
	s.prev.next, s.next.prev = s, s
	return s
}

// strike takes a statement off the list.
func (e *Engine) strike(s *running) {
	if s.timer != nil {
		s.timer.Stop()
	}
	a := &e.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	s.prev.next, s.next.prev = s.next, s.prev
	s.ses.idle = s
	s.prev, s.next, s.ses, s.stmt, s.inline, s.cancel, s.timer = nil, nil, nil, nil, nil, nil, nil
}

// statementBytes bounds the text that system.activity shows of a statement.
const statementBytes = 1024

// idleBlock is the state of a transaction block in which no statement runs.
const idleBlock = "idle in transaction"

// statementNow is what is told of a running statement.
type statementNow struct {
	id                    uint64
	ses                   *Session
	session               int64 // its number, 0 within the process
	user, client, program string
	state                 string
	stmt                  ast.Statement
	inline                []value.Value
	started               time.Time
	rows                  int64
	waiter                *jobs.Waiter
}

// now lists the running statements in the order of their beginning, then blocks in which none runs.
func (a *activity) now() []statementNow {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []statementNow
	busy := map[*Session]bool{}
	for s := a.head.next; s != &a.head; s = s.next {
		busy[s.ses] = true
		out = append(out, statementNow{s.id, s.ses, s.ses.ID, s.user, s.client, s.program, s.state(), s.stmt, s.inline, s.started, s.rows.Load(), s.Waiter.Load()})
	}
	for _, b := range a.blocks {
		if !busy[b.ses] {
			out = append(out, statementNow{id: b.id, session: b.ses.ID, user: b.user, client: b.client, program: b.program, state: idleBlock, stmt: &ast.Begin{}, started: b.since})
		}
	}
	return out
}

func (s *running) state() string {
	switch {
	case s.Waiter.Load() != nil:
		return "queued"
	case s.sending.Load():
		return "sending"
	}
	return "running"
}

// statementText is the text of a statement without passwords, cut to statementBytes.
func statementText(stmt ast.Statement) string {
	text := ast.Redact(stmt)
	if len(text) <= statementBytes {
		return text
	}
	n := statementBytes
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(text[:n]) + "…"
}

// activityRows are the rows of system.activity. The text of other users' statements is for administrators.
func activityRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	role, err := r.engine.Role(r.ses)
	if err != nil {
		return nil, err
	}
	for _, s := range r.engine.activity.now() {
		text := statementText(exec.WithValues(s.stmt, s.inline))
		kind, shown := value.Str(ast.KindOf(s.stmt)), value.Str(text)
		if !r.ses.governs(role, s.user) {
			shown = value.Value{}
		}
		position := value.Value{}
		if s.waiter != nil {
			if n := r.Jobs.Queue.Position(s.waiter); n > 0 {
				position = value.Int(int64(n))
			}
		}
		session := value.Value{}
		if s.session != 0 {
			session = value.Int(s.session)
		}
		out = append(out, []value.Value{value.Int(int64(s.id)), session, exec.TextOrNull(s.user), exec.TextOrNull(s.client), exec.TextOrNull(s.program), value.Str(s.state), kind,
			exec.TimeOrNull(s.started.UTC()), value.Real(time.Since(s.started).Seconds()), value.Int(s.rows), position, shown})
	}
	return out, nil
}

// observe makes others see the execution as that of a statement on their list.
func (r *execution) observe(now *running) { r.now, r.Execution.Status = now, &now.Status }
