package db_test

import (
	"context"
	"slices"
	"testing"

	"parlance/db"
)

// TestNoticesOfRules tells of rules that contradict each other and of constants that look like variables.
func TestNoticesOfRules(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	var told []string
	c.OnNotice(func(s string) { told = append(told, s) })
	script := `CREATE KB k;
INSERT INTO k.rules VALUES ('p(x,y) => q(x,y)');
INSERT INTO k.rules VALUES ('forall x: p(x,y) => r(x,y)');
INSERT INTO k.rules VALUES ('p(x,y) => not q(x,y)');
INSERT INTO k.rules VALUES ('p(x,ann) => r(x,ann)');`
	if err := c.Script(context.Background(), script, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"rule forall x: p(x,y) => r(x,y): y is an entity, for forall names the variables",
		"rules contradict each other: forall x, y: p(x,y) => q(x,y); forall x, y: p(x,y) => not q(x,y)",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q\nwant %q", told, want)
	}
}
