package exec

import (
	"context"
	"errors"
	"testing"

	"parlance/query/plan"
	"parlance/query/setting"
	"parlance/storage/guard"
)

// TestPanicsOfTableFunctions: what panics while a worker makes rows of a document is an error of the function.
func TestPanicsOfTableFunctions(t *testing.T) {
	c := &caller{r: &Execution{Session: &Session{Settings: &setting.Settings{Workers: 4}}}, n: &plan.Layer{Name: "kwic"}}
	err := c.parallel(context.Background(), 100, func(i int) error {
		if i == 77 {
			panic("boom")
		}
		return nil
	})
	var p *guard.Panic
	if !errors.As(err, &p) || p.What != "kwic" {
		t.Errorf("%v", err)
	}
}
