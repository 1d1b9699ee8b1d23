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

// The states: no block; between BEGIN and its end; the same after an error, when only the end
// is accepted.
const (
	NoBlock Block = iota
	OpenBlock
	FailedBlock
)

// Fail notes an error: an open block fails. What cannot go on is undone at once, for others may wait for it.
func (s *Session) Fail() {
	if s.Block == OpenBlock {
		s.Block = FailedBlock
		s.showBlock()
	}
	if s.Block != NoBlock && len(s.savepoints) == 0 || s.grouped && s.Block == NoBlock {
		_ = s.settle(context.Background(), false)
	}
}

// admit refuses what cannot run in the transaction block of the session: what is atomic by itself and
// cannot be undone later.
func (s *Session) admit(stmt ast.Statement) error {
	switch stmt.(type) {
	case *ast.Commit, *ast.Rollback, *ast.RollbackTo:
		return nil
	}
	if s.readOnly() && !reads(stmt) {
		return plan.Errorf(stmt.Position(), "25006", "SET default_transaction_read_only = off, or transaction_read_only in a block", "the transaction is read-only")
	}
	switch {
	case s.Block == FailedBlock:
		return plan.Errorf(stmt.Position(), "25P02", s.wayOut(), "an earlier statement of this transaction block failed; statements are refused until its end")
	case s.Block == OpenBlock && !reads(stmt) && !undoable(stmt):
		return plan.Errorf(stmt.Position(), "25001", "COMMIT first, or set a client that opens blocks by itself to autocommit: in a block INSERT, UPDATE, DELETE, LOAD, COPY … FROM, CREATE, ALTER and DROP change corpora, lexicons, gazetteers, feature sets and knowledge bases, and their indexes", "%s cannot run inside a transaction block", verb(stmt))
	}
	if _, check := stmt.(*ast.Check); check && s.Transaction != nil { // it waits for those who write
		return plan.Errorf(stmt.Position(), "25001", "COMMIT first", "CHECK cannot run inside a transaction block that has changed something")
	}
	return nil
}

// verb is the words that tell a statement from others, such as TRAIN or CREATE INDEX.
func verb(stmt ast.Statement) string {
	words := strings.SplitN(stmt.String(), " ", 3)
	switch words[0] {
	case "CREATE", "DROP", "ALTER":
		return words[0] + " " + words[1]
	}
	return words[0]
}

// reads reports whether a statement leaves the database as it is.
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
	}
	return false
}

// undoable reports whether a block can hold the statement although it writes.
func undoable(stmt ast.Statement) bool {
	switch s := stmt.(type) {
	case *ast.Insert, *ast.Update, *ast.Delete, *ast.Load, *ast.CopyFrom, *ast.Create, *ast.CreateFeatures, *ast.CreateIndex, *ast.DropIndex,
		*ast.AlterRename, *ast.AlterAddColumn, *ast.AlterDropColumn, *ast.AlterRenameColumn:
		return true
	case *ast.Drop:
		return s.Object != ast.ObjectModel && s.Object != ast.ObjectUser
	}
	return false
}

// within makes a statement that writes part of the transaction of the session's block, or of its group.
func (e *Engine) within(ctx context.Context, ses *Session, stmt ast.Statement) context.Context {
	switch {
	case e.Store.ReadOnly():
		return ctx
	case ses.Block != NoBlock && !undoable(stmt), ses.Block == NoBlock && !(ses.grouped && Joins(stmt)):
		return ctx
	}
	if ses.Transaction == nil {
		if ses.Transaction = e.Store.Begin(); ses.Frozen != nil {
			ses.Transaction = ses.Frozen.Begin()
		}
		if ses.unlist == nil {
			ses.unlist = e.activity.keep(ses)
		}
	}
	return ses.Transaction.Context(ctx)
}

// begin opens a block, of which what its group has changed becomes a part.
func (r *execution) begin(s *ast.Begin) error {
	if r.ses.Block != NoBlock {
		r.ses.Notice("there is a transaction block already")
		return nil
	}
	r.ses.Settings.Open()
	r.ses.asked = r.ses.Transaction != nil || r.ses.Frozen != nil
	if err := r.setModes(s.Pos, s.Modes, true); err != nil {
		r.ses.asked = false
		return errors.Join(err, r.ses.Settings.Close(true))
	}
	r.ses.enterBlock()
	return nil
}

// enterBlock opens a block, whose number tells what was made in it, with the statement that began last.
func (s *Session) enterBlock() {
	s.Block, s.opened = OpenBlock, s.Began
	s.blocks++
	s.showBlock()
}

// end closes a block; a failed one is rolled back whatever was asked. Another with the same modes
// follows if chain is set.
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
	modes := s.Settings.Modes()
	if s.Block != NoBlock {
		if err := s.endCursors(word == "COMMIT"); err != nil {
			s.Notice(err.Error())
		}
		s.unwind(-1, true)
	}
	failed := s.settle(ctx, word == "COMMIT")
	s.leaveBlock()
	if err := s.Settings.Close(word == "COMMIT" && failed == nil); err != nil {
		s.Notice(err.Error())
	}
	if failed != nil {
		return nil, fault.At(pos, failed)
	}
	if !chain {
		return operator.Tag(word), nil
	}
	s.Settings.Open()
	for _, a := range modes {
		if err := r.setTo(pos, a.Name, a, true); err != nil {
			return nil, errors.Join(err, s.Settings.Close(false))
		}
	}
	s.enterBlock()
	return operator.Tag(word), nil
}

// settle publishes what the block has changed, or undoes it.
func (s *Session) settle(ctx context.Context, commit bool) error {
	t, f := s.Transaction, s.Frozen
	s.Transaction, s.Frozen = nil, nil
	if f != nil {
		defer f.Close()
	}
	if s.unlist != nil {
		defer s.unlist()
		s.unlist = nil
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

// leaveBlock forgets the block, but for the settings that it brings back.
func (s *Session) leaveBlock() {
	s.Block, s.savepoints, s.asked = NoBlock, nil, false
	s.showBlock()
}

// End ends the block and closes the cursors.
func (s *Session) End() {
	_ = s.settle(context.Background(), false)
	s.leaveBlock()
	_ = s.closeCursors(func(*cursor) bool { return true }) // whose errors nobody waits for
}

func outsideBlock(pos ast.Pos, what string) error {
	return plan.Errorf(pos, "25P01", "BEGIN opens one", "%s needs a transaction block", what)
}
