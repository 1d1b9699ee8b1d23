package kind

import (
	"fmt"

	"parlance/algo/option"
)

// Unknown is the error of Open for an argument that names a word, an entity or anything else that the
// model does not know. Where the statement itself has the name, it is the error of the statement; where
// the name comes from a row of another table, the relation has no rows for it.
type Unknown struct {
	What  string   // such as "word" or "entity"
	Name  string   // as it was given; of numbers their digits
	Known []string // what it may have been meant for
	Note  string   // what else there is to say, may be ""
}

// Error names what is unknown and what is closest to it, in time linear in Known.
func (e *Unknown) Error() string {
	s := fmt.Sprintf("unknown %s '%s'%s", e.What, e.Name, option.DidYouMean(e.Name, e.Known))
	if e.Note != "" {
		s += "; " + e.Note
	}
	return s
}
