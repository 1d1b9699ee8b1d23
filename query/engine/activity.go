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
	"parlance/query/turn"
	"parlance/storage/accounts"
	"parlance/storage/value"
)

// activity lists the statements that run in this process, under one lock. system.activity shows it.
type activity struct {
	mu      sync.Mutex
	head    runningStatement // of a ring of statements
	running atomic.Int64     // statements in it
	blocks  []*openBlock     // that hold locks or a snapshot, oldest first
}

// openBlock is a transaction block that holds locks or a snapshot between its statements.
type openBlock struct {
	ses                   *Session
	id                    uint64 // of the first statement that took them
	user, client, program string
	since                 time.Time // when the block began
}

// trackBlock lists the block of a session until the returned function is called.
func (a *activity) trackBlock(s *Session) (forget func()) {
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

// runningStatement is a statement that runs. A session reuses one for all its statements. Fields that other goroutines
// read change under the lock of activity; counters are atomic.
type runningStatement struct {
	prev, next *runningStatement
	id         uint64
	ses        *Session
	stmt       ast.Statement
	literals   []value.Value // values of parameters that stand for literals of the text
	user       string
	client     string
	program    string
	started    time.Time
	cancel     context.CancelCauseFunc // may be nil
	timer      *time.Timer             // of statement_timeout, or nil
	maxRows    int64                   // max_result_rows, 0 for no limit
	slot       *turn.Slot              // if it computes in turns with others
	sending    atomic.Bool
	rows       atomic.Int64
	exec.Status
}

func (a *activity) init() { a.head.prev, a.head.next = &a.head, &a.head }

// register adds a statement of a session to the list.
func (e *Engine) register(ses *Session, stmt ast.Statement) *runningStatement {
	e.FollowDatabase(ses)
	ses.Began = time.Now()
	a := &e.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	s := ses.spare
	if ses.spare = nil; s == nil {
		s = &runningStatement{}
	}
	ses.Statement = e.Meter.Statements.Start()
	s.id, s.ses, s.stmt, s.cancel, s.started = ses.Statement, ses, stmt, ses.Cancel, ses.Began
	s.user, s.client, s.program = ses.User, ses.Client, ses.Application
	s.literals, ses.Literals = ses.Literals, nil
	s.maxRows = int64(ses.Settings.MaxResultRows)
	s.sending.Store(false)
	s.rows.Store(0)
	s.Recursive.Store(nil)
	s.Notices.Clear()
	s.timer = a.deadline(s)
	s.prev, s.next = a.head.prev, &a.head
	s.prev.next, s.next.prev = s, s
	a.running.Add(1)
	return s
}

// takeTurns gives a statement of a client a slot, under whose context it computes in turns with others. Those of
// administrators take none, nor does one that begins while no other runs.
func (e *Engine) takeTurns(ctx context.Context, s *runningStatement, ses *Session) context.Context {
	if ses.Login == nil || e.activity.running.Load() == 1 {
		return ctx
	}
	if role, err := e.Role(ses); err != nil || role == accounts.Admin && !ses.Login.Guest {
		return ctx
	}
	s.slot = e.turns.NewSlot()
	return turn.With(ctx, s.slot)
}

// deregister removes a statement from the list.
func (e *Engine) deregister(s *runningStatement) {
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.slot != nil {
		s.slot.Close()
	}
	a := &e.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	s.prev.next, s.next.prev = s.next, s.prev
	a.running.Add(-1)
	s.ses.spare, s.slot = s, nil
	s.prev, s.next, s.ses, s.stmt, s.literals, s.cancel, s.timer = nil, nil, nil, nil, nil, nil, nil
}

// statementBytes is the longest text that system.activity shows of a statement.
const statementBytes = 1024

// idleInTransaction is the state of a transaction block in which no statement runs.
const idleInTransaction = "idle in transaction"

// statementInfo is a copy of what system.activity shows of a statement.
type statementInfo struct {
	id                    uint64
	ses                   *Session
	session               int64 // its number, 0 for a session within the process
	user, client, program string
	state                 string
	stmt                  ast.Statement
	inline                []value.Value
	started               time.Time
	rows                  int64
	waiter                *jobs.Waiter
}

// list lists the running statements, oldest first, then the blocks in which no statement runs.
func (a *activity) list() []statementInfo {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []statementInfo
	busy := map[*Session]bool{}
	for s := a.head.next; s != &a.head; s = s.next {
		busy[s.ses] = true
		out = append(out, statementInfo{s.id, s.ses, s.ses.ID, s.user, s.client, s.program, s.state(), s.stmt, s.literals,
			s.started, s.rows.Load(), s.Waiter.Load()})
	}
	for _, b := range a.blocks {
		if !busy[b.ses] {
			out = append(out, statementInfo{id: b.id, session: b.ses.ID, user: b.user, client: b.client, program: b.program,
				state: idleInTransaction, stmt: &ast.Begin{}, started: b.since})
		}
	}
	return out
}

func (s *runningStatement) state() string {
	switch {
	case s.Waiter.Load() != nil:
		return "queued"
	case s.sending.Load():
		return "sending"
	}
	return "running"
}

// statementText is the text of a statement without passwords, at most statementBytes of it.
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

// activityRows are the rows of system.activity, as far as the session may see them.
func activityRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	see, err := r.sight()
	if err != nil {
		return nil, err
	}
	for _, s := range r.engine.activity.list() {
		seen := see(s.user)
		if seen == notSeen {
			continue
		}
		shown := value.Value{}
		if seen == wholly {
			shown = value.Str(statementText(exec.WithValues(s.stmt, s.inline)))
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
		out = append(out, []value.Value{value.Int(int64(s.id)), session, seen.text(s.user), seen.text(s.client),
			seen.text(s.program), value.Str(s.state), value.Str(ast.KindOf(s.stmt)),
			exec.TimeOrNull(s.started.UTC()), value.Real(time.Since(s.started).Seconds()), value.Int(s.rows), position, shown})
	}
	return out, nil
}

// observeAs connects the execution with its statement in the list, for the counters.
func (r *execution) observeAs(now *runningStatement) {
	r.now, r.Execution.Status = now, &now.Status
}
