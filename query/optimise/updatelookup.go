package optimise

import (
	"parlance/query/plan"
)

// ChooseUpdateLookup lets the target of an UPDATE … FROM be looked up in an index instead of being scanned. It finds,
// in the optimised plan pairs, the join of the target with the other tables, and chooses an index on its keys; at are
// the places of the indexed keys among those of the join. j is nil where there is no such join or index.
func ChooseUpdateLookup(n *plan.UpdateSource, pairs plan.Node, target *plan.Table) (j *plan.Join, at []int) {
	for j == nil {
		switch x := pairs.(type) {
		case *plan.Filter:
			pairs = x.Input
		case *plan.Join:
			if x.Kind != "INNER" || x.Filter != nil {
				return nil, nil
			}
			if pairs = x.Left; isTarget(n, pairs) {
				j = x
			}
		default:
			return nil, nil
		}
	}
	t, at := ChooseLookup(target, j.LeftKeys, TypesOf(j.RightKeys))
	if t == nil {
		return nil, nil
	}
	return j, at
}

// isTarget reports whether x yields rows of the target, perhaps filtered.
func isTarget(n *plan.UpdateSource, x plan.Node) bool {
	f, ok := x.(*plan.Filter)
	return ok && isTarget(n, f.Input) || x == plan.Node(n.TargetRows)
}
