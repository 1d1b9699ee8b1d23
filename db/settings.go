package db

import (
	"errors"
	"maps"
	"slices"
	"time"

	"parlance/query/setting"
)

// SetDefaults sets settings of the session by name and makes these values what RESET and DISCARD
// ALL go back to; if one is wrong, all stays as it was. Elements of lists have commas between.
// It is called while no statement runs.
func (c *Conn) SetDefaults(settings map[string]string) error {
	c.d.now().FollowDatabase(c.ses)
	return wrap(c.ses.Settings.SetDefaults(sorted(settings)))
}

// Reset makes the session as it was when it began, but for what receives notices and progress
// and the streams: it ends a transaction block and cursors, drops temporary objects and sets the defaults of
// settings. It is called while no statement runs.
func (c *Conn) Reset() error {
	c.ses.End()
	c.settle(nil)
	err := c.dropTemporary()
	c.ses.Settings.ForgetBlock()
	if c.ses.Settings.Changed() {
		err = errors.Join(err, c.ses.Settings.Reset())
	}
	return wrap(err)
}

// Setting returns the value of a setting of the session, those that cannot be set among them;
// the case of the name does not matter.
func (c *Conn) Setting(name string) (string, bool) { return c.d.now().Setting(c.ses, name) }

// OnSetting sets what is told the values of the settings that clients of a server keep track of:
// all at once, and again each one that changes, while a statement runs.
func (c Wire) OnSetting(f func(name, value string)) { c.ses.Settings.OnChange(f) }

// Location returns the zone in which clients are shown timestamps: that of the setting TimeZone.
func (c Wire) Location() *time.Location { return c.ses.Settings.Location }

// SetConnection sets the results of functions about the connection: its number, the address of the server, and the name
// that the client has for the database, "" for that of the file. It is called while no statement runs.
func (c Wire) SetConnection(id int64, server, database string) {
	c.ses.ID, c.ses.Server, c.ses.Database = id, server, database
}

// Register makes the session one that others see and may end, until Release; it has its number and user by then. end is
// called from other goroutines. It must end the connection with the error: cancelling the statement under way where
// running is set, else after it.
func (c Wire) Register(end func(err *Error, running bool)) {
	c.d.now().RegisterSession(c.ses, func(err error, running bool) {
		var e *Error
		if errors.As(wrap(err), &e) {
			end(e, running)
		}
	})
}

// CheckSettings returns what is wrong with settings that SetDefaults would get.
func CheckSettings(settings map[string]string) error {
	return wrap(setting.New().SetDefaults(sorted(settings)))
}

// SettingNames lists the settings of sessions in the order of their declaration.
func SettingNames() []string {
	var out []string
	for _, d := range setting.New().Set.Decls() {
		out = append(out, d.Name)
	}
	return out
}

// sorted are settings in the order of their names, for errors that are the same each time.
func sorted(settings map[string]string) [][2]string {
	var out [][2]string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		out = append(out, [2]string{name, settings[name]})
	}
	return out
}
