package engine

import (
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/query/setting"
	"parlance/storage/value"
)

// setting returns the value of a setting of the session, by name in any case.
func (r *execution) setting(name string) (string, bool) {
	return r.settingAs(name, (*option.Decl).Value)
}

// shownSetting is setting with a unit, such as 30s.
func (r *execution) shownSetting(name string) (string, bool) {
	return r.settingAs(name, (*option.Decl).Shown)
}

func (r *execution) settingAs(name string, text func(*option.Decl) string) (string, bool) {
	if r.alwaysReadOnly(r.ses.Settings.Canonical(name)) {
		return "on", true
	}
	if d := r.ses.Settings.Set.Lookup(r.ses.effectiveName(r.ses.Settings.Canonical(name))); d != nil {
		return text(d), true
	}
	if v, ok := r.fixedSetting(name); ok {
		return v, true
	}
	if base := r.engine.SystemSettings.Load(); base != nil {
		if d := base.Set.Lookup(name); d != nil {
			return text(d), true
		}
	}
	return "", false
}

// alwaysReadOnly reports whether a setting is transaction_read_only in a database that is open read-only, where every
// transaction is.
func (r *execution) alwaysReadOnly(name string) bool {
	return name == "transaction_read_only" && r.Store.ReadOnly()
}

// Setting returns the value of a setting of a session, by name in any case.
func (e *Engine) Setting(ses *Session, name string) (string, bool) {
	return (&execution{Execution: &exec.Execution{Database: &e.Database, Session: &ses.Session}, engine: e,
		ses: ses}).setting(name)
}

// setTo sets a setting; if local, until the end of the transaction block.
func (r *execution) setTo(pos ast.Pos, name string, a option.Arg, local bool) error {
	s := r.ses.Settings
	name = s.Canonical(name)
	d := s.Set.Lookup(name)
	if d == nil {
		if _, fixed := r.fixedSetting(name); fixed {
			return plan.Errorf(pos, "55P02", "", "%s cannot be set", name)
		}
		if r.engine.SystemSettings.Load().Set.Lookup(name) != nil {
			return databaseSettingError(pos, "ALTER SYSTEM SET "+name+" = …", name)
		}
		return setting.Unknown(pos, name, &s.Set)
	}
	a = setting.Canonicalise(d, a)
	a.Name = name
	if r.alwaysReadOnly(name) && strings.EqualFold(a.Text(), "off") {
		return plan.Errorf(pos, "25006", fault.WhereToWrite, "the database is open read-only, and so are all transactions")
	}
	if setting.IsBlockMode(name) {
		local = true
		if err := r.ses.checkModeChange(pos, name, strings.ToLower(a.Text())); err != nil {
			return err
		}
	}
	if local && !s.SaveForLocal(name) {
		r.ses.Notice("SET LOCAL holds until the end of a transaction block, and there is none")
		return nil
	}
	if err := r.checkUsing(name, a, pos); err != nil {
		return err
	}
	if err := s.ApplyWithinLimit(pos, append(s.ArgsExcept(name), a), name); err != nil {
		return err
	}
	switch name {
	case "application_name":
		r.ses.Application = s.ClientSettings.Application
		r.ses.showProgram()
	case "seed":
		r.ses.RandomSequences = 0
	}
	return nil
}

// databaseSettingError is the error of SET and RESET for a setting of the database.
func databaseSettingError(pos ast.Pos, way, name string) error {
	return plan.Errorf(pos, "55P02", way+", by an admin", "%s is a setting of the database, not of sessions", name)
}

// setTransaction sets the modes of the block, or the defaults of later blocks.
func (r *execution) setTransaction(s *ast.SetTransaction) error {
	if !s.Session && r.ses.Block == NoBlock {
		r.ses.Notice("SET TRANSACTION holds until the end of a transaction block, and there is none")
		return nil
	}
	return r.setModes(s.Pos, s.Modes, !s.Session)
}

// setModes sets the transaction modes that BEGIN or SET TRANSACTION lists, for the block or as defaults.
func (r *execution) setModes(pos ast.Pos, modes string, block bool) error {
	prefix := "default_transaction_"
	if block {
		prefix = "transaction_"
	}
	for rest := strings.ReplaceAll(modes, ",", ""); rest != ""; {
		name, v := "", ""
		for _, m := range transactionModes {
			if after, ok := strings.CutPrefix(rest, m.words); ok {
				name, v, rest = m.setting, m.value, strings.TrimSpace(after)
				break
			}
		}
		if name == "" {
			return plan.Errorf(pos, ast.CodeSyntax, "modes are READ ONLY, READ WRITE, DEFERRABLE, NOT DEFERRABLE and "+
				"ISOLATION LEVEL READ COMMITTED, REPEATABLE READ or SERIALIZABLE", "%s is no mode of transactions", rest)
		}
		if err := r.setTo(pos, prefix+name, option.Arg{Value: value.Str(v)}, block); err != nil {
			return err
		}
	}
	return nil
}

// transactionModes are the words that set a transaction mode.
var transactionModes = []struct{ words, setting, value string }{
	{"READ ONLY", "read_only", "on"}, {"READ WRITE", "read_only", "off"},
	{"ISOLATION LEVEL READ COMMITTED", "isolation", "read committed"},
	{"ISOLATION LEVEL READ UNCOMMITTED", "isolation", "read uncommitted"},
	{"ISOLATION LEVEL REPEATABLE READ", "isolation", setting.RepeatableRead},
	{"ISOLATION LEVEL SERIALIZABLE", "isolation", setting.Serializable},
	{"NOT DEFERRABLE", "deferrable", "off"}, {"DEFERRABLE", "deferrable", "on"},
}

// readOnly reports whether the session refuses statements that write.
func (s *Session) readOnly() bool {
	if s.Block != NoBlock && len(s.Settings.ArgsOf("transaction_read_only")) > 0 {
		return s.Settings.ReadOnly == "on"
	}
	return s.Settings.DefaultReadOnly == "on"
}

func currentSetting(r *execution, a []value.Value) (value.Value, error) {
	if v, ok := r.shownSetting(a[0].S); ok {
		return value.Str(v), nil
	}
	if len(a) > 1 && a[1].Bool() {
		return value.Value{}, nil
	}
	return value.Value{}, setting.Unknown(ast.Pos{}, a[0].S, &r.ses.Settings.Set)
}

func setConfig(r *execution, a []value.Value) (value.Value, error) {
	if len(a[1].S) > longestSetting {
		return value.Value{}, fault.Invalid("a setting has %d {byte|bytes} at most, this one %d", longestSetting, len(a[1].S))
	}
	if err := r.setTo(ast.Pos{}, a[0].S, textArg(a[1].S), a[2].Bool()); err != nil {
		return value.Value{}, err
	}
	v, _ := r.shownSetting(a[0].S)
	return value.Str(v), nil
}

// longestSetting is the longest text that a setting takes, in bytes.
const longestSetting = 1 << 16

// textArg is a value of a setting written as one text; elements of lists are separated by commas.
func textArg(text string) option.Arg {
	parts := strings.Split(text, ",")
	if len(parts) == 1 {
		return option.Arg{Value: value.Str(text)}
	}
	out := option.Arg{}
	for _, p := range parts {
		out.List = append(out.List, option.Arg{Value: value.Str(strings.Trim(strings.TrimSpace(p), `"`))})
	}
	return out
}
