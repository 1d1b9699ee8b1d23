package exec

import (
	"parlance/query/plan"
	"parlance/storage/value"
)

// jobColumns are those of a training that goes on in the background.
var jobColumns = []plan.Column{{Name: "job", Type: value.Integer}}
