package registry

import (
	"encoding/json"
	"math"
	"strconv"
)

// TracePoint is one line of a training's trace.
type TracePoint struct {
	Step      int      `json:"step"`
	Of        int      `json:"of,omitempty"`
	Objective float64  `json:"objective"`
	HeldOut   *float64 `json:"held_out,omitempty"`
	Metric    string   `json:"metric,omitempty"`
	Gap       float64  `json:"gap,omitempty"`    // finite; 0 where unknown
	Active    int      `json:"active,omitempty"` // 0 where not counted
	Seconds   float64  `json:"seconds"`
	Note      string   `json:"note,omitempty"`
}

// MarshalJSON writes figures of a diverged training, which JSON has no numbers for, as text.
func (p TracePoint) MarshalJSON() ([]byte, error) {
	type plain TracePoint
	return json.Marshal(struct {
		plain
		Objective number  `json:"objective"`
		HeldOut   *number `json:"held_out,omitempty"`
	}{plain(p), number(p.Objective), (*number)(p.HeldOut)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *TracePoint) UnmarshalJSON(raw []byte) error {
	type plain TracePoint
	var in struct {
		plain
		Objective number  `json:"objective"`
		HeldOut   *number `json:"held_out"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	*p = TracePoint(in.plain)
	p.Objective, p.HeldOut = float64(in.Objective), (*float64)(in.HeldOut)
	return nil
}

// Metrics are scores of a model by name.
type Metrics map[string]float64

// MarshalJSON writes figures that JSON has no numbers for as text.
func (m Metrics) MarshalJSON() ([]byte, error) {
	out := make(map[string]number, len(m))
	for name, x := range m {
		out[name] = number(x)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Metrics) UnmarshalJSON(raw []byte) error {
	var in map[string]number
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	*m = make(Metrics, len(in))
	for name, x := range in {
		(*m)[name] = float64(x)
	}
	return nil
}

// number is a float64 that is written to JSON as text if it is infinite or no number.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return json.Marshal(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(raw []byte) error {
	if len(raw) == 0 || raw[0] != '"' {
		return json.Unmarshal(raw, (*float64)(n))
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	f, err := strconv.ParseFloat(s, 64)
	*n = number(f)
	return err
}
