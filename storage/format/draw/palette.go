package draw

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Palette gives labels their colours, by the order of their names. A label is known by a number
// from its first use on, so that a page can be written before all labels are seen: number n has
// the classes b (background) and c (strong) followed by prefix and n.
type Palette struct {
	prefix string
	number map[string]int
}

// NewPalette returns an empty palette whose classes have the prefix.
func NewPalette(prefix string) *Palette { return &Palette{prefix, map[string]int{}} }

// Class returns what follows b and c in the classes of a label.
func (p *Palette) Class(label string) string {
	n, ok := p.number[label]
	if !ok {
		n = len(p.number)
		p.number[label] = n
	}
	return fmt.Sprintf("%s%d", p.prefix, n)
}

// Names returns the labels in order.
func (p *Palette) Names() []string {
	names := make([]string, 0, len(p.number))
	for n := range p.number {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// HTML returns style rules for pages. The strong colours are variables besides, --c and number.
func (p *Palette) HTML() string {
	return p.rules(func(class string, c colours) string {
		return fmt.Sprintf(".b%s{background:%s}.c%s{background:%s}:root{--c%s:%s}\n", class, c.soft, class, c.strong, class, c.strong)
	})
}

// SVG returns style rules for figures.
func (p *Palette) SVG() string {
	return p.rules(func(class string, c colours) string {
		return fmt.Sprintf(".fig .b%s{fill:%s}.fig .c%s{fill:%s}.fig .o%s{stroke:%s}\n", class, c.soft, class, c.strong, class, c.strong)
	})
}

func (p *Palette) rules(rule func(class string, c colours) string) string {
	var light, dark strings.Builder
	for i, name := range p.Names() {
		l, d := shades(i)
		light.WriteString(rule(p.Class(name), l))
		dark.WriteString(rule(p.Class(name), d))
	}
	if light.Len() == 0 {
		return ""
	}
	return light.String() + "@media (prefers-color-scheme:dark){\n" + dark.String() + "}\n"
}

// colours are a background for text and a strong colour for lines and tags.
type colours struct{ soft, strong string }

// hues of the first labels differ well; further ones go round by the golden angle.
var hues = []float64{210, 28, 140, 280, 52, 350, 180, 318, 90, 245, 12, 160}

func shades(i int) (light, dark colours) {
	h := math.Mod(float64(i)*137.508, 360)
	if i < len(hues) {
		h = hues[i]
	}
	light = colours{hsl(h, 0.75, 0.86), hsl(h, 0.62, 0.29)}
	dark = colours{hsl(h, 0.42, 0.24), hsl(h, 0.62, 0.76)}
	return light, dark
}

// hsl returns #rrggbb of hue in degrees, saturation and lightness from 0 to 1.
func hsl(h, s, l float64) string {
	c := (1 - math.Abs(2*l-1)) * s
	x := c * (1 - math.Abs(math.Mod(h/60, 2)-1))
	m := l - c/2
	rgb := [][3]float64{{c, x, 0}, {x, c, 0}, {0, c, x}, {0, x, c}, {x, 0, c}, {c, 0, x}}[int(h/60)%6]
	b := func(v float64) int { return int(math.Round((v + m) * 255)) }
	return fmt.Sprintf("#%02x%02x%02x", b(rgb[0]), b(rgb[1]), b(rgb[2]))
}
