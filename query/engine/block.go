package engine

import (
	"context"
	"errors"
	"strings"

	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
)

// Block is the state of a session's transaction block.
type Block uint8

// The states: no block; a block that BEGIN has opened; a block after an error, which accepts only its end.
const (
	NoBlock Block = iota
	OpenBlock
	FailedBlock
)

// Fail records an error: an open block becomes a failed one. A transaction that cannot go on is rolled back at once,
// since others may wait for its locks.
func (s *Session) Fail() {
	if s.Block == OpenBlock {
		s.Block = FailedBlock
		s.showBlock()
	}
	if s.Block != NoBlock && len(s.savepoints) == 0 || s.implicit && s.Block == NoBlock {
		_ = s.endTransaction(context.Background(), false)
	}
}

// checkBlock refuses statements that cannot run in a transaction block: those that commit by themselves and cannot be
// rolled back.
func (s *Session) checkBlock(stmt ast.Statement) error {
	switch stmt.(type) {
	case *ast.Commit, *ast.Rollback, *ast.RollbackTo:
		return nil
	}
	if d, ok := stmt.(*ast.Discard); s.readOnly() && !reads(stmt) && !(ok && d.What == "" && s.Block == NoBlock) {
		return plan.Errorf(stmt.Position(), "25006",
			"SET default_transaction_read_only = off, or transaction_read_only in a block", "the transaction is read-only")
	}
	switch {
	case s.Block == FailedBlock:
		return plan.Errorf(stmt.Position(), "25P02", s.blockEndHint(),
			"an earlier statement of this transaction block failed; statements are refused until its end")
	case s.Block == OpenBlock && !reads(stmt) && !undoable(stmt):
		return plan.Errorf(stmt.Position(), "25001", "COMMIT first, or set a client that opens blocks by itself to "+
			"autocommit: in a block INSERT, UPDATE, DELETE, LOAD, COPY … FROM, CREATE, ALTER and DROP change corpora, "+
			"lexicons, gazetteers, feature sets and knowledge bases, and their indexes",
			"%s cannot run inside a transaction block", verb(stmt))
	}
	if _, check := stmt.(*ast.Check); check && s.Transaction != nil {
		// CHECK waits for writers, so it would wait for its own transaction
		return plan.Errorf(stmt.Position(), "25001", "COMMIT first",
			"CHECK cannot run inside a transaction block that has changed something")
	}
	return nil
}

// verb is the words that name a statement, such as TRAIN or CREATE INDEX.
func verb(stmt ast.Statement) string {
	words := strings.SplitN(stmt.String(), " ", 3)
	switch words[0] {
	case "CREATE", "DROP", "ALTER":
		return words[0] + " " + words[1]
	}
	return words[0]
}

// reads reports whether a statement changes nothing in the database.
func reads(stmt ast.Statement) bool {
	switch s := stmt.(type) {
	case *ast.Select, *ast.Explain, *ast.ExplainPrediction, *ast.Evaluate, *ast.DiffModels, *ast.Replay,
		*ast.Show, *ast.Describe, *ast.Check, *ast.Set, *ast.Reset, *ast.SetTransaction, *ast.Begin,
		*ast.Savepoint, *ast.Release, *ast.Deallocate, *ast.Declare, *ast.Fetch, *ast.Close, *ast.Unlisten:
		return true
	case *ast.Discard:
		return s.What != ""
	case *ast.CopyTo:
		return s.Path == nil
	case *ast.AnnotateFiles:
		return s.To == nil
	}
	return false
}

// undoable reports whether a statement that writes can be part of a transaction and be rolled back.
func undoable(stmt ast.Statement) bool {
	switch s := stmt.(type) {
	case *ast.Insert, *ast.Update, *ast.Delete, *ast.Load, *ast.CopyFrom, *ast.Create, *ast.CreateFeatures,
		*ast.CreateIndex, *ast.DropIndex,
		*ast.AlterRename, *ast.AlterAddColumn, *ast.AlterDropColumn, *ast.AlterRenameColumn:
		return true
	case *ast.Drop:
		return s.Object != ast.ObjectModel && s.Object != ast.ObjectUser
	case *ast.Discard:
		return s.What == ast.DiscardTemporary
	}
	return false
}

// joinTransaction makes a statement that writes part of the transaction of the session's block, or of its implicit
// block.
func (e *Engine) joinTransaction(ctx context.Context, ses *Session, stmt ast.Statement) context.Context {
	switch {
	case e.Store.ReadOnly():
		return ctx
	case ses.Block != NoBlock && !undoable(stmt), ses.Block == NoBlock && !(ses.implicit && JoinsImplicit(stmt)):
		return ctx
	}
	if ses.Transaction == nil {
		if ses.Transaction = e.Store.Begin(); ses.Frozen != nil {
			ses.Transaction = ses.Frozen.Begin()
		}
		if ses.untrackBlock == nil {
			ses.untrackBlock = e.activity.trackBlock(ses)
		}
	}
	return ses.Transaction.Context(ctx)
}

// begin opens a block. Changes of an implicit block become part of it.
func (r *execution) begin(s *ast.Begin) error {
	if r.ses.Block != NoBlock {
		r.ses.Notice("there is a transaction block already")
		return nil
	}
	r.ses.Settings.OpenBlock()
	r.ses.usedState = r.ses.Transaction != nil || r.ses.Frozen != nil
	if err := r.setModes(s.Pos, s.Modes, true); err != nil {
		r.ses.usedState = false
		return errors.Join(err, r.ses.Settings.CloseBlock(true))
	}
	r.ses.enterBlock()
	return nil
}

// enterBlock opens a block and gives it a number; it begins with the statement that began last.
func (s *Session) enterBlock() {
	s.Block, s.opened = OpenBlock, s.Began
	s.blocks++
	s.showBlock()
}

// end closes a block. A failed block is rolled back even by COMMIT. With chain (AND CHAIN) another block with the same
// modes begins.
func (r *execution) end(ctx context.Context, pos ast.Pos, word string, chain bool) (*operator.Result, error) {
	s := r.ses
	switch {
	case s.Block == NoBlock && chain:
		return nil, outsideBlock(pos, word+" AND CHAIN")
	case s.Block == NoBlock:
		s.Notice("there is no transaction block; each statement is a transaction of its own")
	case s.Block == FailedBlock:
		word = "ROLLBACK"
	}
	modes := s.Settings.BlockModes()
	if s.Block != NoBlock {
		if err := s.endCursors(word == "COMMIT"); err != nil {
			s.Notice(err.Error())
		}
		s.unwind(-1, true)
	}
	failed := s.endTransaction(ctx, word == "COMMIT")
	s.leaveBlock()
	if err := s.Settings.CloseBlock(word == "COMMIT" && failed == nil); err != nil {
		s.Notice(err.Error())
	}
	if failed != nil {
		return nil, fault.At(pos, failed)
	}
	if !chain {
		return operator.Tag(word), nil
	}
	s.Settings.OpenBlock()
	for _, a := range modes {
		if err := r.setTo(pos, a.Name, a, true); err != nil {
			return nil, errors.Join(err, s.Settings.CloseBlock(false))
		}
	}
	s.enterBlock()
	return operator.Tag(word), nil
}

// endTransaction commits or rolls back the changes of the block.
func (s *Session) endTransaction(ctx context.Context, commit bool) error {
	t, f := s.Transaction, s.Frozen
	s.Transaction, s.Frozen = nil, nil
	if f != nil {
		defer f.Close()
	}
	if s.untrackBlock != nil {
		defer s.untrackBlock()
		s.untrackBlock = nil
	}
	if t == nil {
		return nil
	}
	if commit {
		return t.Commit(ctx)
	}
	t.Rollback(ctx)
	return nil
}

// InTransaction reports whether further statements belong to the same transaction as those before.
func (s *Session) InTransaction() bool {
	return s.Block != NoBlock || s.implicit || s.Transaction != nil || s.Frozen != nil
}

// leaveBlock resets the state of the block, except for the settings that its end restores.
func (s *Session) leaveBlock() {
	s.Block, s.savepoints, s.usedState = NoBlock, nil, false
	s.showBlock()
}

// End ends the block and closes the cursors.
func (s *Session) End() {
	_ = s.endTransaction(context.Background(), false)
	s.leaveBlock()
	_ = s.closeCursors(func(*cursor) bool { return true }) // whose errors nobody waits for
}

func outsideBlock(pos ast.Pos, what string) error {
	return plan.Errorf(pos, "25P01", "BEGIN opens one", "%s needs a transaction block", what)
}
