package setting

import (
	"math"
	"time"

	"parlance/algo/option"
)

// Database are the settings of the database, which ALTER SYSTEM sets. The value in effect is immutable: ALTER SYSTEM
// replaces it by a new one.
type Database struct {
	CacheSize         int
	modelMemory       int
	MaxTrainings      int
	MaxStatementBytes int
	MaxDocumentBytes  int
	StatementMemory   int
	MemoryLimit       int
	Limits            Limits
	idleTimeout       int
	readTimeout       int
	writeTimeout      int
	loginTimeout      int
	RoleLimits        []RoleLimit // by role, weakest first
	HasRoleLimits     bool        // some role has a limit
	BlockTimeout      int         // default of idle_in_transaction_session_timeout
	Set               option.Set
	sessions          map[string]string // defaults of session settings by name; nil for none
}

// Limits are the limits of a server on its clients.
type Limits struct {
	MaxConnections      int
	ReservedConnections int           // of MaxConnections, for administrators
	IdleTimeout         time.Duration // of a session that runs no statement, 0 for none
	ReadTimeout         time.Duration // for the rest of a message of which a part has come, 0 for none
	WriteTimeout        time.Duration // for a client to read a part of an answer, 0 for none
	LoginTimeout        time.Duration // from the connection to the first statement
	MaxMessageBytes     int           // of one message from a client
}

func NewDatabase() *Database {
	s := &Database{}
	s.Set.Int(&s.CacheSize, "cache_size", 256, 0, 1<<20, "bound of the prediction cache").Per("MB")
	s.Set.Int(&s.modelMemory, "model_memory", 4096, 1, 1<<30,
		"what loaded models may take in memory; those that were used least recently are unloaded, pinned ones never").Per(
		"MB")
	s.Set.Int(&s.MaxTrainings, "max_trainings", 1, 1, 1024, "trainings at once; further ones wait for their turn")
	s.Set.Int(&s.MaxStatementBytes, "max_statement_bytes", 16<<20, 1024, 16<<20, "length of a statement").Per("bytes")
	s.Set.Int(&s.MaxDocumentBytes, "max_document_bytes", 64<<20, 1, math.MaxInt32,
		"length of the text of a document").Per("bytes")
	s.Set.Int(&s.StatementMemory, "statement_memory", 1024, 16, 1<<20, "what a statement may hold in memory beyond what "+
		"it can write to files: results of subselects, arrays and texts that aggregates make, columns of wide rows, what "+
		"changes gather; work_memory beyond it has no effect").Per("MB")
	s.Set.Int(&s.MemoryLimit, "memory_limit", 4096, 16, 1<<30, "what all statements together may hold in memory: beyond "+
		"it sorts, groupings, joins and windows use temporary files, and what cannot is an error; 1 MB of each is free").Per(
		"MB")
	l := &s.Limits
	s.Set.Int(&l.MaxConnections, "max_connections", 2500, 1, 1<<20, "connections that a server takes at once")
	s.Set.Int(&l.ReservedConnections, "reserved_connections", 3, 0, 1<<20,
		"connections of max_connections that only administrators get")
	s.Set.Int(&s.idleTimeout, "idle_timeout", 0, 0, math.MaxInt32,
		"what a connection may stay without a statement before a server closes it, 0 for no limit").Per("s")
	s.Set.Int(&s.readTimeout, "read_timeout", 60, 0, math.MaxInt32, "what a client may send nothing more of a message "+
		"that it has begun before a server closes the connection, 0 for no limit").Per("s")
	s.Set.Int(&s.writeTimeout, "write_timeout", 600, 0, math.MaxInt32,
		"what a client may read nothing of its answer before a server closes the connection, 0 for no limit").Per("s")
	s.Set.Int(&s.loginTimeout, "login_timeout", 30, 1, 3600, "what a client may take to log in").Per("s")
	s.Set.Int(&l.MaxMessageBytes, "max_message_bytes", 64<<20, 1<<16, 1<<30,
		"length of a message from a client").Per("bytes")
	s.declareRoleLimits()
	s.Set.Require(func() bool { return l.ReservedConnections < l.MaxConnections },
		"reserved_connections must be less than max_connections")
	return s
}

// LoadDatabase returns the settings of a database; stored are the values in its file, by name.
func LoadDatabase(stored map[string]string) (*Database, error) {
	s := NewDatabase()
	sessions := New()
	var args [][2]string
	for name, v := range stored {
		args = append(args, [2]string{name, v})
		if sessions.Set.Lookup(name) == nil {
			continue
		}
		if s.sessions == nil {
			s.sessions = map[string]string{}
		}
		s.sessions[name] = v
	}
	if err := s.Set.Restore(args); err != nil {
		return nil, err
	}
	s.Limits.IdleTimeout = time.Duration(s.idleTimeout) * time.Second
	s.Limits.ReadTimeout = time.Duration(s.readTimeout) * time.Second
	s.Limits.WriteTimeout = time.Duration(s.writeTimeout) * time.Second
	s.Limits.LoginTimeout = time.Duration(s.loginTimeout) * time.Second
	for _, c := range s.RoleLimits {
		s.HasRoleLimits = s.HasRoleLimits || c != RoleLimit{role: c.role}
	}
	sessions.database = s
	_ = sessions.defaults() // the values were accepted when they were set
	s.BlockTimeout = sessions.IdleTimeout
	return s, nil
}

// StoredDatabase returns a copy of the stored settings, to be changed.
func StoredDatabase(stored map[string]string) *Database {
	s := NewDatabase()
	var args [][2]string
	for name, v := range stored {
		args = append(args, [2]string{name, v})
	}
	_ = s.Set.Restore(args) // they were accepted when they were set
	return s
}

func (s *Database) ModelBytes() int64 { return int64(s.modelMemory) << 20 }
