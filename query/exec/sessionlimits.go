package exec

import (
	"slices"
	"time"

	"parlance/storage"
)

// ceiling returns what bounds the settings of a session, nil if nothing does. It is called from any goroutine.
func (e *Engine) ceiling(ses *Session, base *system) *ceiling {
	if ses.Login == nil || !base.bounded {
		return nil
	}
	role, err := e.Role(ses)
	i := slices.Index(storage.Roles(), role)
	if err != nil || i < 0 {
		return nil // it may do nothing
	}
	return &base.ceilings[i]
}

// Follow gives the settings of a session what has changed in those of the database.
func (e *Engine) Follow(ses *Session) {
	base := e.system.Load()
	ses.Settings.follow(base, e.ceiling(ses, base))
}

// statementMemory is what a statement of the session may hold, in MB.
func (e *Engine) statementMemory(ses *Session) int {
	most := e.system.Load().statementMemory
	if c := ses.Settings.ceiling; c != nil && c.statementMemory > 0 {
		most = min(most, c.statementMemory)
	}
	return most
}

// Patience returns how long a client may leave its transaction block alone, 0 for ever, where its session has
// set own, or nothing (-1). It is called from any goroutine.
func (e *Engine) Patience(ses *Session, own int) time.Duration {
	base := e.system.Load()
	if own < 0 {
		own = base.blockTimeout
	}
	if c := e.ceiling(ses, base); c != nil {
		if b := (bound{most: c.idleTimeout, endless: true}); b.beyond(own) {
			own = b.most
		}
	}
	return time.Duration(own) * time.Millisecond
}

// OwnPatience is what the session has set for Patience, -1 for nothing.
func (s *Session) OwnPatience() int {
	if len(s.Settings.own("idle_in_transaction_session_timeout")) == 0 {
		return -1
	}
	return s.Settings.IdleTimeout
}
