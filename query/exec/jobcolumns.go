package exec

import (
	"parlance/query/plan"
	"parlance/storage/value"
)

// JobColumns are those of a training that goes on in the background.
var JobColumns = []plan.Column{{Name: "job", Type: value.Integer}}
