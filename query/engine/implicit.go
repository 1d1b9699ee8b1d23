package engine

import (
	"context"

	"parlance/query/ast"
	"parlance/query/fault"
)

// BeginImplicit begins an implicit transaction block, as PostgreSQL has it for several statements in one message: the
// statements from the first INSERT, UPDATE, DELETE, CREATE, ALTER or DROP until EndImplicit are one transaction. An
// error rolls it back. Other statements that write commit it first, and are transactions of their own. BEGIN turns it
// into an explicit block.
func (s *Session) BeginImplicit() { s.implicit = true }

// EndImplicit commits the implicit block.
func (s *Session) EndImplicit(ctx context.Context) error {
	if !s.implicit {
		return nil
	}
	s.implicit = false
	if s.Block != NoBlock {
		return nil
	}
	return s.endTransaction(ctx, true)
}

// JoinsImplicit reports whether a statement that writes becomes part of an implicit block.
func JoinsImplicit(stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.Load, *ast.CopyFrom:
		return false
	}
	return undoable(stmt)
}

// commitImplicitBefore commits the implicit block before a statement that cannot be part of it.
func (s *Session) commitImplicitBefore(ctx context.Context, stmt ast.Statement) error {
	switch stmt.(type) {
	case *ast.Commit, *ast.Rollback, *ast.RollbackTo:
		return nil
	case *ast.Check:
	default:
		if reads(stmt) || JoinsImplicit(stmt) {
			return nil
		}
	}
	return fault.At(stmt.Position(), s.endTransaction(ctx, true))
}
