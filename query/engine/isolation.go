package engine

import (
	"strings"

	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/query/setting"
)

// isolation is the isolation level of the block, or of statements outside a block.
func (s *Session) isolation() string {
	if s.Block != NoBlock && len(s.Settings.ArgsOf("transaction_isolation")) > 0 {
		return s.Settings.Isolation
	}
	return s.Settings.DefaultIsolation
}

// freezeState captures the state that all statements of a block read under REPEATABLE READ and SERIALIZABLE. It does so
// at the first statement of the block that reads or writes.
func (e *Engine) freezeState(ses *Session, stmt ast.Statement) {
	within := ses.Block != NoBlock
	if within && ses.usedState || ses.Frozen != nil || !needsState(stmt) {
		return
	}
	if ses.usedState = within; !within && !(ses.implicit && (reads(stmt) || JoinsImplicit(stmt))) {
		return
	}
	if level := ses.isolation(); ses.Transaction == nil &&
		(level == setting.RepeatableRead || level == setting.Serializable) {
		ses.Frozen = e.Store.Freeze(level == setting.Serializable)
		if within {
			ses.untrackBlock = e.activity.trackBlock(ses)
		}
	}
}

// singleSerializable reports whether a statement that writes is a serializable transaction of its own.
func (s *Session) singleSerializable(stmt ast.Statement) bool {
	return s.Settings.DefaultIsolation == setting.Serializable && s.Block == NoBlock && !s.implicit && JoinsImplicit(stmt)
}

// needsState reports whether a statement reads or writes the database.
func needsState(stmt ast.Statement) bool {
	switch s := stmt.(type) {
	case *ast.Discard:
		return s.What == ast.DiscardTemporary
	case *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.Release, *ast.RollbackTo, *ast.Set,
		*ast.SetTransaction, *ast.Reset,
		*ast.Show, *ast.Deallocate, *ast.Close, *ast.Unlisten:
		return false
	}
	return true
}

// checkModeChange refuses to change a mode of the transaction block that its statements have used already.
func (s *Session) checkModeChange(pos ast.Pos, name, to string) error {
	switch {
	case s.Block == NoBlock && !s.usedState:
	case name == "transaction_isolation" && to != s.isolation() && (s.usedState || len(s.savepoints) > 0):
		return plan.Errorf(pos, "25001", "BEGIN ISOLATION LEVEL "+strings.ToUpper(to), "the isolation level is set before "+
			"the first statement of a transaction block that reads or writes, and before savepoints")
	case name == "transaction_read_only" && to == "off" && s.usedState && s.readOnly():
		return plan.Errorf(pos, "25001", "BEGIN READ WRITE",
			"READ WRITE is set before the first statement of a transaction block that reads or writes")
	}
	return nil
}

// effectiveName names the setting in effect for a mode of the transaction block: the mode itself if BEGIN or SET
// TRANSACTION has set it, else its default.
func (s *Session) effectiveName(name string) string {
	if setting.IsBlockMode(name) && (s.Block == NoBlock || len(s.Settings.ArgsOf(name)) == 0) {
		return "default_" + name
	}
	return name
}
