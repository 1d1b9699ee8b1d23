package exec

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kb/logic"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// ruleText checks a rule and returns its canonical text, under which it is kept.
func ruleText(s string) (string, error) {
	rule, err := logic.Parse(s)
	var bad *logic.Error
	if errors.As(err, &bad) {
		return "", plan.Errorf(ast.Pos{}, ast.CodeSyntax, bad.Hint, "rule, character %d: %s", bad.Pos, bad.Msg)
	}
	if err != nil {
		return "", err
	}
	return rule.String(), nil
}

// claim is what a rule says: that something holds, or not, under a condition.
type claim struct {
	text    string // of condition and what is claimed, with variables numbered
	negated bool
}

// claimOf reads a rule as condition => [not] what; a formula without => has no condition. Double
// negations are none.
func claimOf(rule string) (claim, error) {
	r, err := logic.Parse(rule)
	if err != nil {
		return claim{}, err
	}
	numbers := map[string]string{}
	r.Body.Walk(func(f *logic.Formula) {
		for i, t := range f.Terms {
			if !t.Var {
				continue
			}
			if numbers[t.Name] == "" {
				numbers[t.Name] = "x" + strconv.Itoa(len(numbers))
			}
			f.Terms[i].Name = numbers[t.Name]
		}
	})
	c := claim{}
	what := r.Body
	if what.Op == logic.Implies {
		c.text, what = what.Left.String()+" => ", what.Right
	}
	for what.Op == logic.Not {
		what, c.negated = what.Left, !c.negated
	}
	c.text += what.String()
	return c, nil
}

// noteConstants tells of constants of a new rule that look like variables which forall does not name.
func (r *Execution) noteConstants(rule string) error {
	parsed, err := logic.Parse(rule)
	if err != nil {
		return err
	}
	if like := parsed.Constants(); len(like) > 0 {
		r.Session.Notice(fmt.Sprintf("rule %s: %s is an entity, for forall names the variables", rule, strings.Join(like, ", ")))
	}
	return nil
}

// noteContradictions tells of new rules that claim the opposite of others under the same condition.
func (r *Execution) noteContradictions(ctx context.Context, o *storage.Object, fresh map[string]bool) error {
	if len(fresh) == 0 {
		return nil
	}
	for _, rule := range slices.Sorted(maps.Keys(fresh)) {
		if err := r.noteConstants(rule); err != nil {
			return err
		}
	}
	claims := map[claim]string{}
	need := make([]bool, len(o.Columns))
	need[0] = true
	sn := r.capture(r.Session, new(storage.Snapshot))
	defer sn.Close()
	return sn.ScanTable(ctx, o, need, func(_ []uint64, b *value.Batch) error {
		for i := range b.N {
			rule := b.Cols[0].At(i).S
			c, err := claimOf(rule)
			if err != nil {
				return err
			}
			other, found := claims[claim{c.text, !c.negated}]
			if found && (fresh[rule] || fresh[other]) {
				r.Session.Notice(fmt.Sprintf("rules contradict each other: %s; %s", other, rule))
			}
			claims[c] = rule
		}
		return nil
	})
}
