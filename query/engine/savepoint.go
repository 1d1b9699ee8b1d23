package engine

import (
	"errors"
	"slices"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/query/setting"
	"parlance/storage"
)

// savepoint is a savepoint of a transaction block.
type savepoint struct {
	name     string
	settings setting.BlockSettings // to restore at a rollback to the savepoint
	changes  storage.Savepoint
}

// maxSavepoints is the highest number of savepoints of a block: each holds a list of settings, and names are searched
// linearly.
const maxSavepoints = 10_000

func (r *execution) savepoint(s *ast.Savepoint) error {
	if r.ses.Block == NoBlock {
		return outsideBlock(s.Pos, "SAVEPOINT")
	}
	if len(r.ses.savepoints) >= maxSavepoints {
		return plan.Errorf(s.Pos, "54000", "RELEASE forgets a savepoint and those after it",
			"the transaction block has %d savepoints", maxSavepoints)
	}
	p := savepoint{name: s.Name, settings: r.ses.Settings.Save()}
	if t := r.ses.Transaction; t != nil {
		p.changes = t.Savepoint()
	}
	r.ses.savepoints = append(r.ses.savepoints, p)
	return nil
}

// release removes a savepoint and those after it.
func (r *execution) release(s *ast.Release) error {
	i, err := r.findSavepoint(s.Pos, "RELEASE", s.Name)
	if err == nil {
		r.ses.savepoints = r.ses.savepoints[:i]
		for _, c := range r.ses.cursors {
			c.depth = min(c.depth, i)
		}
		r.ses.unwind(i, false)
	}
	return err
}

// rollbackTo rolls back to a savepoint, which stays. A failed block becomes an open one.
func (r *execution) rollbackTo(s *ast.RollbackTo) error {
	i, err := r.findSavepoint(s.Pos, "ROLLBACK TO", s.Name)
	if err != nil {
		return err
	}
	p := r.ses.savepoints[i]
	r.ses.savepoints = r.ses.savepoints[:i+1]
	later := func(c *cursor) bool { return c.block == r.ses.blocks && c.depth > i }
	if err := errors.Join(r.ses.closeCursors(later), r.ses.Settings.RestoreSaved(p.settings)); err != nil {
		return err
	}
	r.ses.unwind(i, true)
	if t := r.ses.Transaction; t != nil {
		t.RollbackTo(p.changes)
	}
	r.ses.Block = OpenBlock
	r.ses.showBlock()
	return nil
}

// Depth is the number of savepoints of the block.
func (s *Session) Depth() int { return len(s.savepoints) }

// unwind calls OnUnwind.
func (s *Session) unwind(depth int, undone bool) {
	if s.OnUnwind != nil {
		s.OnUnwind(depth, undone)
	}
}

// findSavepoint returns the index of the last savepoint of a name.
func (r *execution) findSavepoint(pos ast.Pos, what, name string) (int, error) {
	if r.ses.Block == NoBlock {
		return 0, outsideBlock(pos, what)
	}
	var names []string
	for i, p := range slices.Backward(r.ses.savepoints) {
		if p.name == name {
			return i, nil
		}
		names = append(names, p.name)
	}
	return 0, plan.Errorf(pos, "3B001", "", "there is no savepoint %.100q%s", name, option.DidYouMean(name, names))
}

// blockEndHint is the hint how to end a failed block.
func (s *Session) blockEndHint() string {
	if n := len(s.savepoints); n > 0 {
		return "ROLLBACK TO " + ast.QuoteName(s.savepoints[n-1].name) +
			" goes back to the last savepoint, ROLLBACK ends the block"
	}
	return "ROLLBACK ends the block"
}
