package db

import (
	"maps"
	"slices"

	"parlance/query/exec"
)

// SetDefaults sets settings of the session by name and makes these values what RESET and DISCARD
// ALL go back to; if one is wrong, all stays as it was. Elements of lists have commas between.
// It is called while no statement runs.
func (c *Conn) SetDefaults(settings map[string]string) error {
	return wrap(c.ses.Settings.SetDefaults(sorted(settings)))
}

// Reset makes the session as it was when it began, but for what receives notices and progress
// and the streams: it ends a transaction block and sets the defaults of settings. It is called
// while no statement runs.
func (c *Conn) Reset() error {
	c.ses.Block = exec.NoBlock
	if !c.ses.Settings.Changed() {
		return nil
	}
	return wrap(c.ses.Settings.Reset())
}

// CheckSettings returns what is wrong with settings that SetDefaults would get.
func CheckSettings(settings map[string]string) error {
	return wrap(exec.NewSettings().SetDefaults(sorted(settings)))
}

// SettingNames lists the settings of sessions in the order of their declaration.
func SettingNames() []string {
	var out []string
	for _, d := range exec.NewSettings().Set.Decls() {
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
