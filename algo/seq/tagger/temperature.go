package tagger

// Temperature is what kinds divide scores by for probabilities, in units of the margin that they were trained for.
// Kinds embed it; its zero value is 1.
type Temperature struct{ factor float64 }

// Temper multiplies it by t, once.
func (s *Temperature) Temper(t float64) error {
	s.factor = t
	return nil
}

// Unit is what scores are divided by: the margin, at least 1, times the temperature.
func (s *Temperature) Unit(margin float64) float64 {
	u := max(1, margin)
	if s.factor > 0 {
		u *= s.factor
	}
	return u
}
