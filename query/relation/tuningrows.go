package relation

import (
	"math"
	"sort"

	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// tuningRows lists the candidates that TUNE tried for a version.
func tuningRows(r *exec.Execution, m *plan.ModelUse) ([][]value.Value, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", m)
	}
	if v.Tuning == nil {
		return nil, nil
	}
	var out [][]value.Value
	for rank, s := range Standings(v.Tuning.Trials) {
		for _, x := range s.trials {
			options, err := value.Cast(value.Str(string(x.Options)), value.JSON)
			if err != nil {
				return nil, err
			}
			out = append(out, []value.Value{value.Int(int64(rank + 1)), value.Int(int64(x.Candidate)), options,
				value.Int(int64(max(1, x.Fold))),
				value.Str(v.Tuning.Metric),
				value.Real(x.Score), value.Real(s.Mean), exec.RealOrNull(s.std), value.Real(x.Seconds)})
		}
	}
	return out, nil
}

// Standing is the score of a candidate over its trials.
type Standing struct {
	Candidate int // from 1
	Mean, std float64
	trials    []registry.Trial
}

// Standings sorts candidates by mean score, highest first; ties keep their order. The deviation is that of a sample,
// √(Σ(x−mean)²/(n−1)), NaN for one trial.
func Standings(trials []registry.Trial) []Standing {
	var out []Standing
	for _, x := range trials {
		if n := len(out); n == 0 || out[n-1].Candidate != x.Candidate {
			out = append(out, Standing{Candidate: x.Candidate})
		}
		s := &out[len(out)-1]
		s.trials = append(s.trials, x)
	}
	for i := range out {
		s := &out[i]
		n := float64(len(s.trials))
		for _, x := range s.trials {
			s.Mean += x.Score / n
		}
		sum := 0.0
		for _, x := range s.trials {
			sum += (x.Score - s.Mean) * (x.Score - s.Mean)
		}
		s.std = math.Sqrt(sum / (n - 1))
	}
	sort.SliceStable(out, func(i, k int) bool { return out[i].Mean > out[k].Mean })
	return out
}
