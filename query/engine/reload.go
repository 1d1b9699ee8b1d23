package engine

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/storage"
)

// Reloaded tells what a reload has done.
type Reloaded struct {
	Same      bool      // the file at the path is the one that was open already
	Modified  time.Time // when the file was last written
	Strangers int       // sessions that end, for the file lacks their users
}

// reloads counts, for all engines of a process, the files that took the place of others.
type reloads struct {
	done, refused atomic.Int64
	open          atomic.Int64 // files that are open
}

// reload is ALTER SYSTEM RELOAD.
func (r *execution) reload(ctx context.Context, s *ast.Reload) (*operator.Result, error) {
	done, err := r.engine.Reload(ctx)
	if err != nil {
		return nil, fault.At(s.Pos, err)
	}
	if done.Same {
		r.ses.Notice("the file at this path is the one that is served already")
	}
	return operator.Tag(s.Tag()), nil
}

// Successor returns an engine over another store, to take the place of this one. It goes on with the sessions, counts
// and limits of the process; plans, models and cached answers are its own.
func (e *Engine) Successor(s *storage.Store) (*Engine, error) {
	next, err := newEngine(s, e.Kinds, e.Funcs, e.Program, e.process, e.Meter, e.Pool)
	if err == nil {
		next.Parse, next.Models.Foreign, next.Reload = e.Parse, e.Models.Foreign, e.Reload
	}
	return next, err
}

// WarmLike loads the models that another engine has in memory, as far as they are there. Those that fail are left to
// the statements that use them, which say why.
func (e *Engine) WarmLike(ctx context.Context, other *Engine) error {
	var names []string
	for _, row := range other.Models.Rows() {
		if name := row[0].S; len(e.Store.Model(name).Versions) > 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		_ = e.Warm(ctx, names)
	}
	return ctx.Err()
}

// EndStrangers ends the sessions of users whom this file lacks, each after its statement, and tells how many they are.
func (e *Engine) EndStrangers() int {
	n := 0
	for _, o := range e.sessions.all() {
		if o.login == nil || o.login.Guest {
			continue
		}
		if u, ok := e.Store.User(o.user); !ok || !u.Created.Equal(o.login.Created) {
			o.end(&ast.Error{Code: "28000", Msg: fmt.Sprintf("the user %s is not in the file that is served now", o.user)},
				false)
			n++
		}
	}
	return n
}

// CountReload counts a reload that has put this engine in place, or one that was refused.
func (e *Engine) CountReload(err error) {
	if err != nil {
		e.reloads.refused.Add(1)
		return
	}
	e.reloads.done.Add(1)
}

// FileClosed says that the file of an engine is closed.
func (e *Engine) FileClosed() { e.reloads.open.Add(-1) }
