package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/pgcatalog"
	"parlance/query/plan"
	"parlance/storage/value"
)

// sessionList holds the sessions of clients by number.
type sessionList struct {
	mu   sync.Mutex
	byID map[int64]*openSession
}

// openSession is what other sessions can see of a session, and how they end it.
type openSession struct {
	ses     *Session
	user    string
	login   *Login
	client  string
	since   time.Time
	program atomic.Pointer[string]
	block   atomic.Pointer[blockState]
	end     func(err error, running bool)
	ended   chan struct{}
}

// blockState is a transaction block as other sessions see it.
type blockState struct {
	state Block
	since time.Time
}

// RegisterSession lists a session of a client under its number until DeregisterSession. end is called from other
// goroutines. It ends the session with an error: at once, cancelling its statement, if running is true, else after its
// statement.
func (e *Engine) RegisterSession(ses *Session, end func(err error, running bool)) {
	o := &openSession{ses: ses, user: ses.User, login: ses.Login, client: ses.Client, since: time.Now(), end: end}
	o.ended = make(chan struct{})
	ses.entry = o
	ses.showProgram()
	ses.showBlock()
	l := &e.sessions
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID == nil {
		l.byID = map[int64]*openSession{}
	}
	l.byID[ses.ID] = o
}

// DeregisterSession removes a session from the list.
func (e *Engine) DeregisterSession(ses *Session) {
	o := ses.entry
	if o == nil {
		return
	}
	ses.entry = nil
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	delete(e.sessions.byID, ses.ID)
	close(o.ended)
}

// showProgram updates application_name in the list.
func (s *Session) showProgram() {
	if name := s.Application; s.entry != nil {
		s.entry.program.Store(&name)
	}
}

// showBlock updates the state of the block in the list.
func (s *Session) showBlock() {
	switch {
	case s.entry == nil:
	case s.Block == NoBlock:
		s.entry.block.Store(nil)
	default:
		s.entry.block.Store(&blockState{s.Block, s.opened})
	}
}

// all lists the sessions by number.
func (l *sessionList) all() []*openSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := slices.Collect(maps.Values(l.byID))
	slices.SortFunc(out, func(a, b *openSession) int { return int(a.ses.ID - b.ses.ID) })
	return out
}

// openSession returns a session that this one may end; nil if there is no session of that number.
func (r *execution) openSession(pos ast.Pos, id int64) (*openSession, error) {
	role, err := r.engine.Role(r.ses)
	if err != nil {
		return nil, err
	}
	r.engine.sessions.mu.Lock()
	o := r.engine.sessions.byID[id]
	r.engine.sessions.mu.Unlock()
	if o != nil && !r.ses.mayControl(role, o.user) {
		return nil, plan.Errorf(pos, "42501", "", "session %d is one of another user", id)
	}
	return o, nil
}

// byUser names the user of the session, if it has one, in messages to other sessions.
func (r *execution) byUser() string {
	if r.ses.User == "" {
		return ""
	}
	return " by " + r.ses.User
}

// endSession ends a session with its transaction block.
func (r *execution) endSession(o *openSession) {
	o.end(&ast.Error{Code: "57P01", Msg: "the session was ended" + r.byUser()}, true)
}

// cancelSession runs CANCEL SESSION.
func (r *execution) cancelSession(s *ast.CancelSession) (*operator.Result, error) {
	const hint = "SHOW ACTIVITY lists statements with their sessions, pg_stat_activity all sessions"
	id, err := r.JobNumber(s.Session)
	if err != nil {
		return nil, plan.Errorf(s.Session.Position(), plan.CodeType, hint, "the number of a session is wanted")
	}
	o, err := r.openSession(s.Pos, int64(id))
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, hint, "there is no session %d", id)
	}
	r.endSession(o)
	return operator.Tag("CANCEL SESSION"), nil
}

// endSessionsOf ends the sessions of a dropped account: this session after its statement, others at once.
func (r *execution) endSessionsOf(user string, created time.Time) {
	gone := func(o *openSession) bool {
		return o.user != user || o.login == nil || !o.login.Created.Equal(created)
	}
	list, dropped := slices.DeleteFunc(r.engine.sessions.all(), gone),
		&ast.Error{Code: "28000", Msg: fmt.Sprintf("the user %s was dropped", user)}
	for _, o := range list { // mark all first: when a block among them ends, another of them may be waiting for its locks
		if o.ses != r.ses {
			r.cancelStatements(o, dropped)
		}
	}
	for _, o := range list {
		o.end(dropped, o.ses != r.ses)
	}
}

// namedSession finds the session of a number. If there is none, the client gets a notice.
func (r *execution) namedSession(v value.Value) (*openSession, error) {
	o, err := r.openSession(ast.Pos{}, v.Int())
	if err == nil && o == nil {
		r.ses.Notice(fmt.Sprintf("there is no session %d", v.Int()))
	}
	return o, err
}

// terminateBackend is pg_terminate_backend(session, milliseconds to wait for its end).
func terminateBackend(r *execution, a []value.Value) (value.Value, error) {
	wait := int64(0)
	if len(a) > 1 {
		wait = a[1].Int()
	}
	if wait < 0 {
		return value.Value{}, fault.New(plan.CodeInvalid, "the time to wait is no negative number of milliseconds")
	}
	o, err := r.namedSession(a[0])
	if err != nil || o == nil {
		return value.Bool(false), err
	}
	r.endSession(o)
	if wait == 0 {
		return value.Bool(true), nil
	}
	ctx, cancel := context.WithTimeout(r.Env.Ctx, time.Duration(min(wait, 1<<31))*time.Millisecond)
	defer cancel()
	select {
	case <-o.ended:
		return value.Bool(true), nil
	case <-ctx.Done():
	}
	if err := r.Env.Ctx.Err(); err != nil {
		return value.Value{}, err
	}
	r.ses.Notice(fmt.Sprintf("session %d has not ended within %d ms", a[0].Int(), wait))
	return value.Bool(false), nil
}

// cancelBackend is pg_cancel_backend(session), which cancels the statements that run in the session.
func cancelBackend(r *execution, a []value.Value) (value.Value, error) {
	o, err := r.namedSession(a[0])
	if err != nil || o == nil {
		return value.Bool(false), err
	}
	r.cancelStatements(o, r.cancelled())
	return value.Bool(true), nil
}

// cancelStatements cancels the statements that run in a session.
func (r *execution) cancelStatements(o *openSession, cause error) {
	// held until the end, so that the cancellation cannot hit the next statement of the session
	r.engine.activity.mu.Lock()
	defer r.engine.activity.mu.Unlock()
	for x := r.engine.activity.head.next; x != &r.engine.activity.head; x = x.next {
		if x.ses == o.ses && x.cancel != nil {
			x.cancel(cause)
		}
	}
}

// cancelled is the error of a statement that this session has cancelled.
func (r *execution) cancelled() *ast.Error {
	return &ast.Error{Code: CodeCancelled, Msg: "the statement was cancelled" + r.byUser()}
}

// backendRows are the rows of pg_stat_activity, the sessions of clients, as far as the session may see them.
func backendRows(r *execution) ([][]value.Value, error) {
	see, err := r.sight()
	if err != nil {
		return nil, err
	}
	running := map[*Session]statementInfo{}
	for _, s := range r.engine.activity.list() {
		if s.ses != nil {
			running[s.ses] = s
		}
	}
	users := r.catalog().RoleOIDs()
	var out [][]value.Value
	for _, o := range r.engine.sessions.all() {
		seen := see(o.user)
		if seen == notSeen {
			continue
		}
		state, xact, began, query := "idle", value.Value{}, value.Value{}, ""
		if b := o.block.Load(); b != nil {
			state, xact = "idle in transaction", exec.TimeOrNull(b.since.UTC())
			if b.state == FailedBlock {
				state += " (aborted)"
			}
		}
		if s, ok := running[o.ses]; ok && s.state != idleInTransaction {
			state, began = "active", exec.TimeOrNull(s.started.UTC())
			if query = statementText(exec.WithValues(s.stmt, s.inline)); xact.IsNull() {
				xact = began
			}
		}
		oid, user, program, host, port := value.Value{}, value.Str(o.user), value.Str(*o.program.Load()), hostOf(o.client),
			portOf(o.client)
		if n, ok := users[o.user]; ok {
			oid = value.Int(n)
		}
		if seen == masked {
			query, oid, user, program, host, port = "<insufficient privilege>", value.Value{}, value.Value{}, value.Value{},
				value.Value{}, value.Value{}
		}
		out = append(out, []value.Value{value.Int(pgcatalog.OIDDatabase), value.Str(r.DatabaseName()), value.Int(o.ses.ID),
			value.Value{}, oid, user, program, host, value.Value{}, port, exec.TimeOrNull(o.since.UTC()),
			xact, began,
			value.Value{}, value.Value{}, value.Value{}, value.Str(state), value.Value{}, value.Value{}, value.Value{},
			value.Str(query), value.Str("client backend")})
	}
	return out, nil
}
