package fn

import "parlance/storage/value"

const (
	text    = value.Text
	integer = value.Integer
	float   = value.Float
	boolean = value.Boolean
)
