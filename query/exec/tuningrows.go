package exec

import (
	"math"
	"sort"

	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// tuningRows lists what TUNE tried for a version.
func tuningRows(r *Execution, m *plan.ModelUse) ([][]value.Value, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", m)
	}
	if v.Tuning == nil {
		return nil, nil
	}
	var out [][]value.Value
	for rank, s := range standings(v.Tuning.Trials) {
		for _, x := range s.trials {
			options, err := value.Cast(value.Str(string(x.Options)), value.JSON)
			if err != nil {
				return nil, err
			}
			out = append(out, []value.Value{value.Int(int64(rank + 1)), value.Int(int64(x.Candidate)), options, value.Int(int64(max(1, x.Fold))),
				value.Str(v.Tuning.Metric),
				value.Real(x.Score), value.Real(s.mean), figure(s.std), value.Real(x.Seconds)})
		}
	}
	return out, nil
}

// standing is the score of a candidate over its trials.
type standing struct {
	candidate int // from 1
	mean, std float64
	trials    []storage.Trial
}

// standings orders candidates by mean score, equal ones as they were listed. The deviation is
// that of a sample, √(Σ(x−mean)²/(n−1)), NaN for one trial.
func standings(trials []storage.Trial) []standing {
	var out []standing
	for _, x := range trials {
		if n := len(out); n == 0 || out[n-1].candidate != x.Candidate {
			out = append(out, standing{candidate: x.Candidate})
		}
		s := &out[len(out)-1]
		s.trials = append(s.trials, x)
	}
	for i := range out {
		s := &out[i]
		n := float64(len(s.trials))
		for _, x := range s.trials {
			s.mean += x.Score / n
		}
		sum := 0.0
		for _, x := range s.trials {
			sum += (x.Score - s.mean) * (x.Score - s.mean)
		}
		s.std = math.Sqrt(sum / (n - 1))
	}
	sort.SliceStable(out, func(i, k int) bool { return out[i].mean > out[k].mean })
	return out
}
