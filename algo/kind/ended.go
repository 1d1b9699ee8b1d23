package kind

import "context"

// Ended tells a loop over many short steps whether its context has ended. It looks at every 1024th step, so that a look
// costs nothing; steps are numbered from 0. After the loop the caller asks the context for the error.
func Ended(ctx context.Context, step int) bool { return step&1023 == 0 && ctx.Err() != nil }
