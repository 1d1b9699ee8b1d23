package plan

import "parlance/query/expr"

// Semijoin makes a join run one side first and restrict the documents that the other side
// annotates to those whose column has a value of its key.
type Semijoin struct {
	FromRight bool // the right side runs first
	Key       int  // which key of the join
	Layer     *Layer
	Column    int // of Layer, a column of the document
}

// semijoinRule looks at the joins from the top: the first that reaches a layer restricts it.
func semijoinRule(root Node) {
	each(root, func(n Node) {
		j, ok := n.(*Join)
		if !ok {
			return
		}
		right := j.restricts(j.Left, j.Right, j.RightKeys, j.LeftKeys)
		var left *Semijoin
		if j.Kind == "INNER" {
			if left = j.restricts(j.Right, j.Left, j.LeftKeys, j.RightKeys); left != nil {
				left.FromRight = true
			}
		}
		if right == nil || left != nil && annotates(j.Left) && !annotates(j.Right) {
			right = left
		}
		if right != nil {
			j.Semi = right
			right.Layer.Joined = right.Layer.cols[right.Column].Name
		}
	})
}

// restricts returns how the rows of first can restrict a layer of second, or nil.
func (n *Join) restricts(first, second Node, keys, others []expr.Expr) *Semijoin {
	if !selective(first) {
		return nil
	}
	for k, key := range keys {
		col, ok := key.(*expr.Col)
		if !ok || others[k].Type() != col.T {
			continue
		}
		if l, i := origin(second, col.Index); l != nil {
			return &Semijoin{Key: k, Layer: l, Column: i}
		}
	}
	return nil
}

// selective reports whether the rows of a node may leave documents out: all do but those of
// whole corpora.
func selective(n Node) bool {
	switch n := n.(type) {
	case *Layer:
		return n.Call != nil || len(n.DocFilter) > 0 || n.Def != nil && n.Name != "tokens" && n.Name != "sentences"
	case *Rename:
		return selective(n.Input)
	case *Project:
		return selective(n.Input)
	case *Join:
		return selective(n.Left) || n.Kind == "INNER" && selective(n.Right)
	}
	return true
}

func annotates(n Node) bool {
	found := false
	each(n, func(n Node) {
		if l, ok := n.(*Layer); ok && len(l.Models) > 0 {
			found = true
		}
	})
	return found
}

// origin finds the layer whose column is column i of n, if it annotates documents one by one
// and dropping documents of it only drops rows of n with their values.
func origin(n Node, i int) (*Layer, int) {
	switch n := n.(type) {
	case *Layer:
		if n.Corpus != nil && len(n.Models) > 0 && n.Joined == "" && n.DocumentColumn(i) && n.wholeUnits(n.cols[i].Name) {
			return n, i
		}
	case *Filter:
		return origin(n.Input, i)
	case *Distinct:
		return origin(n.Input, i)
	case *Rename:
		if _, ok := n.Input.(*Shared); !ok {
			return origin(n.Input, i)
		}
	case *Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return origin(n.Input, c.Index)
		}
	case *Aggregate:
		if n.areKeys([]int{i}) {
			if c, ok := n.Keys[i].(*expr.Col); ok {
				return origin(n.Input, c.Index)
			}
		}
	case *Join:
		if k := len(n.Left.Columns()); i < k {
			return origin(n.Left, i)
		} else if n.Kind == "INNER" {
			return origin(n.Right, i-k)
		}
	case *Apply:
		if i < len(n.Left.Columns()) {
			return origin(n.Left, i)
		}
	}
	return nil, 0
}
