package exec

import (
	"context"
	"math"
	"time"

	"parlance/algo/option"
	"parlance/query/ast"
)

// system are the settings of the database, which ALTER SYSTEM sets. It never changes once it is in effect.
type system struct {
	cacheSize         int
	modelMemory       int
	maxTrainings      int
	maxStatementBytes int
	maxDocumentBytes  int
	statementMemory   int
	memoryLimit       int
	limits            Limits
	idleTimeout       int
	readTimeout       int
	writeTimeout      int
	loginTimeout      int
	ceilings          []ceiling // by role, weakest first
	bounded           bool      // by one of them
	blockTimeout      int       // idle_in_transaction_session_timeout of sessions that set none
	set               option.Set
	sessions          map[string]string // defaults of sessions by name; nil without
}

// Limits are bounds that a server keeps with its clients.
type Limits struct {
	MaxConnections      int
	ReservedConnections int           // of MaxConnections, for administrators
	IdleTimeout         time.Duration // of a session without a statement, 0 for none
	ReadTimeout         time.Duration // of a client that sends a part of a message, 0 for none
	WriteTimeout        time.Duration // of a client that reads nothing of an answer, 0 for none
	LoginTimeout        time.Duration // from the connection to the first statement
	MaxMessageBytes     int           // of one message from a client
}

func systemSettings() *system {
	s := &system{}
	s.set.Int(&s.cacheSize, "cache_size", 256, 0, 1<<20, "bound of the prediction cache").Per("MB")
	s.set.Int(&s.modelMemory, "model_memory", 4096, 1, 1<<30, "what loaded models may take in memory; those that were used least recently are unloaded, pinned ones never").Per("MB")
	s.set.Int(&s.maxTrainings, "max_trainings", 1, 1, 1024, "trainings at once; further ones wait for their turn")
	s.set.Int(&s.maxStatementBytes, "max_statement_bytes", 16<<20, 1024, 16<<20, "length of a statement").Per("bytes")
	s.set.Int(&s.maxDocumentBytes, "max_document_bytes", 64<<20, 1, math.MaxInt32, "length of the text of a document").Per("bytes")
	s.set.Int(&s.statementMemory, "statement_memory", 1024, 16, 1<<20, "what a statement may hold in memory beyond what it can write to files: results of subselects, arrays and texts that aggregates make, columns of wide rows, what changes gather; work_memory beyond it has no effect").Per("MB")
	s.set.Int(&s.memoryLimit, "memory_limit", 4096, 16, 1<<30, "what all statements together may hold in memory: beyond it sorts, groupings, joins and windows use temporary files, and what cannot is an error; 1 MB of each is free").Per("MB")
	l := &s.limits
	s.set.Int(&l.MaxConnections, "max_connections", 2500, 1, 1<<20, "connections that a server takes at once")
	s.set.Int(&l.ReservedConnections, "reserved_connections", 3, 0, 1<<20, "connections of max_connections that only administrators get")
	s.set.Int(&s.idleTimeout, "idle_timeout", 0, 0, math.MaxInt32, "what a connection may stay without a statement before a server closes it, 0 for no limit").Per("s")
	s.set.Int(&s.readTimeout, "read_timeout", 60, 0, math.MaxInt32, "what a client may send nothing more of a message that it has begun before a server closes the connection, 0 for no limit").Per("s")
	s.set.Int(&s.writeTimeout, "write_timeout", 600, 0, math.MaxInt32, "what a client may read nothing of its answer before a server closes the connection, 0 for no limit").Per("s")
	s.set.Int(&s.loginTimeout, "login_timeout", 30, 1, 3600, "what a client may take to log in").Per("s")
	s.set.Int(&l.MaxMessageBytes, "max_message_bytes", 64<<20, 1<<16, 1<<30, "length of a message from a client").Per("bytes")
	s.declareCeilings()
	s.set.Require(func() bool { return l.ReservedConnections < l.MaxConnections }, "reserved_connections must be less than max_connections")
	return s
}

// applySystem puts the kept settings into effect.
func (e *Engine) applySystem() error {
	s := systemSettings()
	sessions := NewSettings()
	var args [][2]string
	for name, v := range e.Store.Settings() {
		args = append(args, [2]string{name, v})
		if sessions.Set.Lookup(name) == nil {
			continue
		}
		if s.sessions == nil {
			s.sessions = map[string]string{}
		}
		s.sessions[name] = v
	}
	if err := s.set.Restore(args); err != nil {
		return err
	}
	s.limits.IdleTimeout = time.Duration(s.idleTimeout) * time.Second
	s.limits.ReadTimeout = time.Duration(s.readTimeout) * time.Second
	s.limits.WriteTimeout = time.Duration(s.writeTimeout) * time.Second
	s.limits.LoginTimeout = time.Duration(s.loginTimeout) * time.Second
	for _, c := range s.ceilings {
		s.bounded = s.bounded || c != ceiling{role: c.role}
	}
	sessions.base = s
	_ = sessions.defaults() // what was taken once is taken again
	s.blockTimeout = sessions.IdleTimeout
	e.system.Store(s)
	e.pool.Limit(int64(s.memoryLimit) << 20)
	e.trainings.resize(s.maxTrainings)
	e.Store.Cache().SetLimit(int64(s.cacheSize) << 20)
	e.recall.limit(int64(s.cacheSize) << 20)
	return nil
}

// Limits returns the bounds that a server keeps, as they are set now.
func (e *Engine) Limits() Limits { return e.system.Load().limits }

// alterSystem keeps a setting of the database, or the default of a setting of sessions.
func (r *run) alterSystem(ctx context.Context, s *ast.AlterSystem) (*Result, error) {
	if model, ok := pinName(s.Name); ok {
		return tag("ALTER SYSTEM"), r.pinModel(s.Pos, model, s.Value)
	}
	own := r.databaseSettings()
	set := &own.set
	if set.Lookup(s.Name) == nil {
		set = &NewSettings().Set
	}
	if set.Lookup(s.Name) == nil {
		return nil, unknownSetting(s.Pos, s.Name, &own.set, set)
	}
	var args []option.Arg
	d := set.Lookup(s.Name)
	if s.Value != nil {
		a, err := optionArg(s.Value, r.env)
		if err != nil {
			return nil, err
		}
		a.Name = s.Name
		if err := r.checkUsing(s.Pos, s.Name, a); err != nil {
			return nil, err
		}
		args = append(args, a)
	} else if err := set.Restore([][2]string{{d.Name, d.Default}}); err != nil {
		return nil, err
	}
	if err := set.Apply(args); err != nil {
		return nil, at(s.Pos, optionError(err, nil))
	}
	if err := r.pinsFit(own.modelBytes()); err != nil {
		return nil, at(s.Pos, err)
	}
	if s.Value == nil {
		return r.keepSetting(ctx, s.Name, nil)
	}
	v := d.Value()
	return r.keepSetting(ctx, s.Name, &v)
}

// keepSetting keeps a setting of the database, nil for its default, and puts it into effect.
func (r *run) keepSetting(ctx context.Context, name string, v *string) (*Result, error) {
	var err error
	if v == nil {
		err = r.Store.DropSetting(name)
	} else {
		err = r.Store.SetSetting(name, *v)
	}
	if err != nil {
		return nil, err
	}
	if err := r.Engine.applySystem(); err != nil {
		return nil, err
	}
	r.Engine.shrink()
	return tag("ALTER SYSTEM"), r.Store.Cache().Shrink(ctx)
}

// databaseSettings are the settings of the database as they are kept, to be changed.
func (r *run) databaseSettings() *system {
	s := systemSettings()
	var kept [][2]string
	for name, v := range r.Store.Settings() {
		kept = append(kept, [2]string{name, v})
	}
	_ = s.set.Restore(kept) // they were in effect before
	return s
}
