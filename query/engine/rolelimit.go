package engine

import (
	"slices"
	"time"

	"parlance/query/setting"
	"parlance/storage/accounts"
)

// roleLimit returns the limits of a session's settings, nil for none. It is safe to call from any goroutine.
func (e *Engine) roleLimit(ses *Session, base *setting.Database) *setting.RoleLimit {
	if ses.Login == nil || !base.HasRoleLimits {
		return nil
	}
	role, err := e.Role(ses)
	i := slices.Index(accounts.Roles(), role)
	if err != nil || i < 0 {
		return nil // its user is gone: it may run nothing
	}
	return &base.RoleLimits[i]
}

// FollowDatabase applies the present settings of the database to the session.
func (e *Engine) FollowDatabase(ses *Session) {
	base := e.SystemSettings.Load()
	ses.Settings.FollowDatabase(base, e.roleLimit(ses, base))
}

// IdleTimeout returns how long a client may leave its transaction block idle, 0 for any time. own is the timeout that
// the session has set in milliseconds, -1 if it has set none. It is safe to call from any goroutine.
func (e *Engine) IdleTimeout(ses *Session, own int) time.Duration {
	base := e.SystemSettings.Load()
	if own < 0 {
		own = base.BlockTimeout
	}
	if c := e.roleLimit(ses, base); c != nil {
		if b := (setting.LimitedSetting{Limit: c.IdleTimeout, ZeroIsUnlimited: true}); b.Exceeds(own) {
			own = b.Limit
		}
	}
	return time.Duration(own) * time.Millisecond
}

// OwnIdleTimeout is idle_in_transaction_session_timeout of the session in milliseconds, -1 if the session has not set
// it.
func (s *Session) OwnIdleTimeout() int {
	if len(s.Settings.ArgsOf("idle_in_transaction_session_timeout")) == 0 {
		return -1
	}
	return s.Settings.IdleTimeout
}
