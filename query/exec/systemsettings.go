package exec

import (
	"math"
	"time"

	"parlance/algo/option"
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

// loadSystem returns the settings of the database with those that it keeps, by name, in effect.
func loadSystem(kept map[string]string) (*system, error) {
	s := systemSettings()
	sessions := NewSettings()
	var args [][2]string
	for name, v := range kept {
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
		return nil, err
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
	return s, nil
}

// keptSystem are the settings of the database as they are kept, to be changed.
func keptSystem(kept map[string]string) *system {
	s := systemSettings()
	var args [][2]string
	for name, v := range kept {
		args = append(args, [2]string{name, v})
	}
	_ = s.set.Restore(args) // they were in effect before
	return s
}

func (s *system) modelBytes() int64 { return int64(s.modelMemory) << 20 }
