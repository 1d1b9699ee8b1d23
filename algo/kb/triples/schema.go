package triples

import (
	"parlance/algo/kind"
	"parlance/storage/value"
)

// tripleTable is the facts, to learn from and to be scored on.
var tripleTable = kind.TableUse{Name: "triples", Doc: "facts: subject, relation and object", Columns: []kind.Column{
	{Name: "subject", Type: value.Text, Doc: "entity that the fact is about"},
	{Name: "relation", Type: value.Text, Doc: "name of the relation"},
	{Name: "object", Type: value.Text, Doc: "entity that it stands in the relation to"},
	{Name: "weight", Type: value.Float, Optional: true,
		Doc: "how certain or frequent the fact is, not below 0; 1 where it is NULL; facts of weight 0 are left out"},
	{Name: "truth", Type: value.Boolean, Optional: true,
		Doc: "false for what is known not to hold; true where it is NULL"},
}}

// Learns is what kinds of this family learn from: the facts, and where the input has them the types
// of entities, the types that relations are declared for, and the types above types.
var Learns = []kind.TableUse{tripleTable,
	{Name: "entities", Optional: true, Doc: "types of entities", Columns: []kind.Column{
		{Name: "entity", Type: value.Text, Doc: "name of the entity"},
		{Name: "type", Type: value.Text, Optional: true, Doc: "a type of it"}}},
	{Name: "relations", Optional: true, Doc: "types that relations are declared for", Columns: []kind.Column{
		{Name: "relation", Type: value.Text, Doc: "name of the relation"},
		{Name: "domain", Type: value.Text, Optional: true, Doc: "type of its subjects"},
		{Name: "range", Type: value.Text, Optional: true, Doc: "type of its objects"}}},
	{Name: "types", Optional: true, Doc: "types above types", Columns: []kind.Column{
		{Name: "type", Type: value.Text, Doc: "name of the type"},
		{Name: "parent", Type: value.Text, Optional: true, Doc: "a type that holds all its entities"}}},
}

// Scores is what models of this family are scored on.
var Scores = []kind.TableUse{tripleTable}

// KnownRole is the role of further facts: known, though neither learned from nor asked for.
const KnownRole = kind.Known

var knownRole = kind.Role{Name: KnownRole,
	Doc: "further facts that are known, though neither learned from nor asked for", Tables: Scores, Optional: true,
	Train: true, Evaluate: true}
