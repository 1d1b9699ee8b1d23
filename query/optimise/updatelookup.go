package optimise

import (
	"parlance/query/plan"
)

// Seek finds the join of the pairs, which are planned, that ties rows of the target to those of the tables, and lets an
// index of the target look rows up by its keys; at is their places among those of the join. It is nil where no index does.
func Seek(n *plan.Matched, pairs plan.Node, target *plan.Table) (j *plan.Join, at []int) {
	for j == nil {
		switch x := pairs.(type) {
		case *plan.Filter:
			pairs = x.Input
		case *plan.Join:
			if x.Kind != "INNER" || x.Semi != nil {
				return nil, nil
			}
			if pairs = x.Left; filtered(n, pairs) {
				j = x
			}
		default:
			return nil, nil
		}
	}
	t, at := LookupTable(target, j.LeftKeys, TypesOf(j.RightKeys))
	if t == nil {
		return nil, nil
	}
	return j, at
}

// filtered reports whether a node is the rows of the target, under conditions.
func filtered(n *plan.Matched, x plan.Node) bool {
	f, ok := x.(*plan.Filter)
	return ok && filtered(n, f.Input) || x == plan.Node(n.Row)
}
