package setting

import (
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/plan"
)

// dumpSetting is a setting that pg_dump sets before it reads, and hardly any other client.
const dumpSetting = "synchronize_seqscans"

func Unknown(pos ast.Pos, name string, sets ...*option.Set) error {
	var names []string
	for _, set := range sets {
		for _, d := range set.Decls() {
			names = append(names, d.Name)
		}
	}
	hint := "SHOW SETTINGS lists them"
	if strings.EqualFold(name, dumpSetting) {
		hint = "pg_dump cannot write this database: BACKUP TO 'path' copies all of it, COPY name TO 'path' or " +
			"STDOUT an object"
	}
	return plan.Errorf(pos, plan.CodeUndefinedObject, hint, "there is no setting %s%s", name,
		option.DidYouMean(name, names))
}

// The isolation levels that differ from READ COMMITTED, under which a statement sees the state at its own start.
const (
	RepeatableRead = "repeatable read"
	Serializable   = "serializable"
)

// IsBlockMode reports whether a setting is a mode of the transaction block.
func IsBlockMode(name string) bool {
	return name == "transaction_isolation" || name == "transaction_read_only" || name == "transaction_deferrable"
}
