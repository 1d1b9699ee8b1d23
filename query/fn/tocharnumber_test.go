package fn

import (
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestCharNumber compares with what PostgreSQL 15 writes.
func TestCharNumber(t *testing.T) {
	formats := strings.Split(`9.99|999|0.9|FM9.99|FM990.99|9,999.00|S999|999S|MI999|999MI|PL99|SG99|999PR|L999|$999|FM999th|0999|FM0000|99 99|FM9,999,999.00|FM9,999,999.99|9 "x" 9|99V9|FM$9,990.00`, "|")
	for x, want := range map[float64]string{
		0.1:         `  .10|   0| 0.1|.1|0.1|      .10|  +0|  0+|   0|  0 |+  0|+ 0|   0 |    0|$   0|0th| 0000|0000|     0|.10|.1|  x  0|   1|$0.10`,
		0:           `  .00|   0| 0.0|0.|0.|      .00|  +0|  0+|   0|  0 |+  0|+ 0|   0 |    0|$   0|0th| 0000|0000|     0|.00|0.|  x  0|   0|$0.00`,
		-0.1:        ` -.10|   0|-0.1|-.1|-0.1|     -.10|  +0|  0+|   0|  0 |+  0|+ 0|   0 |    0|$   0|0th| 0000|0000|     0|-.10|-.1|  x  0|  -1|$-0.10`,
		12:          ` #.##|  12| #.#|#.##|12.|    12.00| +12| 12+|  12| 12 |+ 12|+12|  12 |   12|$  12|12th| 0012|0012|    12|12.00|12.| 1 x 2| 120|$12.00`,
		-485:        `-#.##|-485|-#.#|-#.##|-485.|  -485.00|-485|485-|-485|485-| -##|-##|<485>| -485|$-485|-485|-0485|-0485| -4 85|-485.00|-485.|-# x #|-###|$-485.00`,
		1234567.895: ` #.##| ###| #.#|#.##|###.##| #,###.##|+###|###+| ###|### |+ ##|+##| ### |  ###|$ ###|###| ####|####| ## ##|1,234,567.90|1,234,567.9| # x #| ###|$#,###.##`,
		0.999:       ` 1.00|   1| 1.0|1.|1.|     1.00|  +1|  1+|   1|  1 |+  1|+ 1|   1 |    1|$   1|1st| 0001|0001|     1|1.00|1.|  x  1|  10|$1.00`,
	} {
		for i, w := range strings.Split(want, "|") {
			got, err := call(t, "to_char", value.Real(x), value.Str(formats[i]))
			if err != nil || got.S != w {
				t.Errorf("to_char(%v, '%s') = '%s' %v, want '%s'", x, formats[i], got.S, err, w)
			}
		}
	}
	for format, want := range map[string]string{"RN": "        CDLXXXV", "FMRN": "CDLXXXV", "9.99EEEE": " 4.85e+02", "999th": " 485th"} {
		if got, err := call(t, "to_char", value.Int(485), value.Str(format)); err != nil || got.S != want {
			t.Errorf("to_char(485, '%s') = '%s' %v, want '%s'", format, got.S, err, want)
		}
	}
}
