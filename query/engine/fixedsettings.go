package engine

import (
	"strings"

	"parlance/query/models"
	"parlance/query/setting"
)

// fixedSettings are those that cannot be set.
var fixedSettings = []struct {
	name, doc string
	value     func(r *execution) string
}{
	{"server_version", "version of PostgreSQL whose catalog and protocol are followed, and of the program",
		func(r *execution) string { return ServerVersion(r.Program) }},
	{"server_version_num", "the same as a number", func(*execution) string { return "150000" }},
	{"server_encoding", "character encoding of the database", func(*execution) string { return "UTF8" }},
	{"integer_datetimes", "whether timestamps are whole numbers of microseconds", func(*execution) string { return "on" }},
	{"is_superuser", "whether the user may do everything",
		func(r *execution) string { return setting.OnOff(r.superuser()) }},
	{"session_authorization", "name of the user", func(r *execution) string { return r.UserName() }},
	{"in_hot_standby", "whether the database is open read-only, as that of a replica is",
		func(r *execution) string { return setting.OnOff(r.Store.ReadOnly()) }},
	{"lc_collate", "order of texts: by code point", func(*execution) string { return "C" }},
	{"lc_ctype", "classes of characters", func(*execution) string { return "C" }},
	{"lc_messages", "language of messages", func(*execution) string { return "C" }},
	{"max_identifier_length", "longest name that clients should use, in bytes", func(*execution) string { return "63" }},
	{"max_index_keys", "columns of an index that clients should use at most", func(*execution) string { return "32" }},
	{"password_encryption", "how passwords are kept", func(*execution) string { return "scram-sha-256" }},
}

// fixedSetting is the value of a setting that cannot be set.
func (r *execution) fixedSetting(name string) (string, bool) {
	for _, f := range fixedSettings {
		if strings.EqualFold(f.name, name) {
			return f.value(r), true
		}
	}
	return "", false
}

// SettingRows lists session and database settings: name, value, default, scope, doc.
func (r *execution) SettingRows() [][5]string {
	var out [][5]string
	s := r.ses.Settings
	for _, d := range s.Set.Decls() {
		v := d.Value()
		if r.alwaysReadOnly(d.Name) {
			v = "on"
		}
		out = append(out, [5]string{d.Name, v, s.DefaultValue(d), "session", d.Doc + setting.Unit(d)})
	}
	for _, d := range r.engine.SystemSettings.Load().Set.Decls() {
		out = append(out, [5]string{d.Name, d.Value(), d.Default, "database", d.Doc + setting.Unit(d)})
	}
	for _, name := range r.Models.Pinned() {
		out = append(out,
			[5]string{models.PinPrefix + name, "true", "false", "database", "whether model " + name + " stays in memory"})
	}
	for _, f := range fixedSettings {
		v := f.value(r)
		out = append(out, [5]string{f.name, v, v, "fixed", f.doc})
	}
	return out
}
