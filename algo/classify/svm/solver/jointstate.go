package solver

import "errors"

// errState tells that a state is not that of the training.
var errState = errors.New("the state is of other samples or classes")

// restore sets the state. Lists of other lengths and numbers beyond the samples and classes are refused.
func (s *joint) restore(set func(*JointState) error) error {
	at, n := &s.JointState, s.x.Len()
	if err := set(at); err != nil {
		return err
	}
	if len(at.Weights) != (s.x.Width+1)*s.classes || len(at.Mass) != n*s.classes || len(at.Active) > n ||
		len(at.Rivals) != n*s.classes || len(at.Count) != n {
		return errState
	}
	for _, i := range at.Active {
		if int(i) >= n {
			return errState
		}
	}
	for _, c := range at.Rivals {
		if int(c) >= s.classes {
			return errState
		}
	}
	for _, k := range at.Count {
		if int(k) > s.classes {
			return errState
		}
	}
	// A pass over all samples needs room for them.
	s.Active = append(make([]uint32, 0, n), at.Active...)
	return nil
}
