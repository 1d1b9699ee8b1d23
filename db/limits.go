package db

import (
	"parlance/query/setting"
)

// Limits are the bounds that a server keeps with its clients: settings of the database.
type Limits = setting.Limits

// Limits returns the bounds as they are set now.
func (d *DB) Limits() Limits { return d.now().Limits() }

// Identify tells who uses the session, for system.activity: the user, the address of the client and
// the name that its program gives itself. It is set while no statement runs. The user of ConnAs and
// Guest stays.
func (c Wire) Identify(user, client, application string) {
	if c.ses.Login == nil {
		c.ses.User = user
	}
	c.ses.Client, c.ses.Application = client, application
}
