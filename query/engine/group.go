package engine

import (
	"context"

	"parlance/query/ast"
	"parlance/query/fault"
)

// Group makes the statements that follow outside of a block one transaction, as PostgreSQL does with those that a client
// sends in one piece: from the first INSERT, UPDATE, DELETE, CREATE, ALTER or DROP to EndGroup, or to an error, which undoes it. What else
// writes publishes what came before it, and is a transaction of its own. BEGIN makes the group part of its block.
func (s *Session) Group() { s.grouped = true }

// EndGroup publishes what the group has changed.
func (s *Session) EndGroup(ctx context.Context) error {
	if !s.grouped {
		return nil
	}
	s.grouped = false
	if s.Block != NoBlock {
		return nil
	}
	return s.settle(ctx, true)
}

// Joins reports whether a change is made part of the group.
func Joins(stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.Load, *ast.CopyFrom:
		return false
	}
	return undoable(stmt)
}

// separate publishes what the group has changed before a statement that cannot be part of it.
func (s *Session) separate(ctx context.Context, stmt ast.Statement) error {
	switch stmt.(type) {
	case *ast.Commit, *ast.Rollback, *ast.RollbackTo:
		return nil
	case *ast.Check:
	default:
		if reads(stmt) || Joins(stmt) {
			return nil
		}
	}
	return fault.At(stmt.Position(), s.settle(ctx, true))
}
