package change

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
	"parlance/query/exec"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// ruleText checks a rule and returns its canonical text, which is stored.
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

// claim is the meaning of a rule: a formula that holds, or does not hold, under a condition.
type claim struct {
	text    string // of the condition and the formula, with numbered variables
	negated bool
}

// claimOf reads a rule as condition => [not] formula. A rule without => has no condition. Double negations cancel.
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

// noteConstants gives a notice of constants of a new rule that look like variables missing from its forall.
func noteConstants(r *exec.Execution, rule string) error {
	parsed, err := logic.Parse(rule)
	if err != nil {
		return err
	}
	if like := parsed.Constants(); len(like) > 0 {
		r.Session.Notice(fmt.Sprintf("rule %s: %s is an entity, for forall names the variables", rule,
			strings.Join(like, ", ")))
	}
	return nil
}

// noteContradictions gives a notice of new rules that claim the opposite of another rule under the same condition.
func noteContradictions(r *exec.Execution, ctx context.Context, o *catalog.Object, fresh map[string]bool) error {
	if len(fresh) == 0 {
		return nil
	}
	for _, rule := range slices.Sorted(maps.Keys(fresh)) {
		if err := noteConstants(r, rule); err != nil {
			return err
		}
	}
	claims := map[claim]string{}
	need := make([]bool, len(o.Columns))
	need[0] = true
	sn := r.Capture(r.Session, new(storage.Snapshot))
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
