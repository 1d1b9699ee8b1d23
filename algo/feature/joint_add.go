package feature

// Add returns the joint attribute of a static one, which reads the label of the last token alone,
// after a label; it numbers new ones. Labels() stands for the start.
func (j *Joint) Add(attr uint32, last int) uint32 { return j.add(attr, last, none) }
