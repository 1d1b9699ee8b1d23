package engine

import (
	"slices"
	"time"

	"parlance/query/setting"
	"parlance/storage"
)

// ceiling returns what bounds the settings of a session, nil if nothing does. It is called from any goroutine.
func (e *Engine) ceiling(ses *Session, base *setting.Database) *setting.Ceiling {
	if ses.Login == nil || !base.Bounded {
		return nil
	}
	role, err := e.Role(ses)
	i := slices.Index(storage.Roles(), role)
	if err != nil || i < 0 {
		return nil // it may do nothing
	}
	return &base.Ceilings[i]
}

// Follow gives the settings of a session what has changed in those of the database.
func (e *Engine) Follow(ses *Session) {
	base := e.SystemSettings.Load()
	ses.Settings.Follow(base, e.ceiling(ses, base))
}

// Patience returns how long a client may leave its transaction block alone, 0 for ever, where its session has
// set own, or nothing (-1). It is called from any goroutine.
func (e *Engine) Patience(ses *Session, own int) time.Duration {
	base := e.SystemSettings.Load()
	if own < 0 {
		own = base.BlockTimeout
	}
	if c := e.ceiling(ses, base); c != nil {
		if b := (setting.Bound{Most: c.IdleTimeout, Endless: true}); b.Beyond(own) {
			own = b.Most
		}
	}
	return time.Duration(own) * time.Millisecond
}

// OwnPatience is what the session has set for Patience, -1 for nothing.
func (s *Session) OwnPatience() int {
	if len(s.Settings.Own("idle_in_transaction_session_timeout")) == 0 {
		return -1
	}
	return s.Settings.IdleTimeout
}
