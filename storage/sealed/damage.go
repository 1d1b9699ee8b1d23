package sealed

import "fmt"

// Damage is what was read and is not what was written. Reads of a transaction panic with a *Damage, as bbolt panics on
// what it notices itself.
type Damage struct {
	Page   uint64 // 0 if it is no single page
	Bucket string // "" if it is of no bucket
	Key    []byte // the least key of what is damaged, or nil
	What   string
}

func (d *Damage) Error() string {
	switch {
	case d.Page > 0:
		return fmt.Sprintf("page %d: %s", d.Page, d.What)
	case d.Bucket != "":
		return fmt.Sprintf("bucket %q: %s", d.Bucket, d.What)
	default:
		return d.What
	}
}
