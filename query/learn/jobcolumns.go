package learn

import (
	"parlance/query/plan"
	"parlance/storage/value"
)

// JobColumns are the result columns of a training that runs in the background.
var JobColumns = []plan.Column{{Name: "job", Type: value.Integer}}
