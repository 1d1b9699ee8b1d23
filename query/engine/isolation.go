package engine

import (
	"strings"

	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/query/setting"
)

// isolation is the level of the block, or of statements outside of one.
func (s *Session) isolation() string {
	if s.Block != NoBlock && len(s.Settings.Own("transaction_isolation")) > 0 {
		return s.Settings.Isolation
	}
	return s.Settings.Standard
}

// freeze keeps the present state for all statements of a block or group, if its level wants that, at the first one that
// reads or changes something.
func (e *Engine) freeze(ses *Session, stmt ast.Statement) {
	within := ses.Block != NoBlock
	if within && ses.asked || ses.Frozen != nil || !asks(stmt) {
		return
	}
	if ses.asked = within; !within && !(ses.grouped && (reads(stmt) || Joins(stmt))) {
		return
	}
	if level := ses.isolation(); ses.Transaction == nil && (level == setting.RepeatableRead || level == setting.Serializable) {
		ses.Frozen = e.Store.Freeze(level == setting.Serializable)
		if within {
			ses.unlist = e.activity.keep(ses)
		}
	}
}

// alone reports whether a statement is a serializable transaction of its own, which may read more than what it changes.
func (s *Session) alone(stmt ast.Statement) bool {
	return s.Settings.Standard == setting.Serializable && s.Block == NoBlock && !s.grouped && Joins(stmt)
}

// asks reports whether a statement needs a state of the database.
func asks(stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.Release, *ast.RollbackTo, *ast.Set, *ast.SetTransaction, *ast.Reset,
		*ast.Discard, *ast.Show, *ast.Deallocate, *ast.Close, *ast.Unlisten:
		return false
	}
	return true
}

// setMode checks what is about to be set of the transaction block: what its statements have relied on stays.
func (s *Session) setMode(pos ast.Pos, name, to string) error {
	switch {
	case s.Block == NoBlock && !s.asked:
	case name == "transaction_isolation" && to != s.isolation() && (s.asked || len(s.savepoints) > 0):
		return plan.Errorf(pos, "25001", "BEGIN ISOLATION LEVEL "+strings.ToUpper(to), "the isolation level is set before the first statement of a transaction block that reads or writes, and before savepoints")
	case name == "transaction_read_only" && to == "off" && s.asked && s.readOnly():
		return plan.Errorf(pos, "25001", "BEGIN READ WRITE", "READ WRITE is set before the first statement of a transaction block that reads or writes")
	}
	return nil
}

// effective names the setting that holds for one of a transaction block: without BEGIN or SET TRANSACTION, its default.
func (s *Session) effective(name string) string {
	if setting.OfBlock(name) && (s.Block == NoBlock || len(s.Settings.Own(name)) == 0) {
		return "default_" + name
	}
	return name
}
