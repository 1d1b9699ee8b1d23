package draw

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// Palette gives labels their colours. A label is known by a number from its first use on: number n has the classes b
// (background) and c (strong) followed by prefix and n.
type Palette struct {
	prefix  string
	number  map[string]int
	ordered bool // colours go by the order of first use
}

// NewPalette returns an empty palette whose classes have the prefix. A label has the same colour in every palette.
func NewPalette(prefix string) *Palette { return &Palette{prefix: prefix, number: map[string]int{}} }

// NewOrdered returns an empty palette whose colours go by the order of first use, so that those of few labels differ
// well.
func NewOrdered(prefix string) *Palette {
	return &Palette{prefix: prefix, number: map[string]int{}, ordered: true}
}

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
		return fmt.Sprintf(".b%s{background:%s}.c%s{background:%s}:root{--c%s:%s}\n", class, c.soft, class, c.strong, class,
			c.strong)
	})
}

// SVG returns style rules for figures.
func (p *Palette) SVG() string {
	return p.rules(func(class string, c colours) string {
		return fmt.Sprintf(".fig .b%s{fill:%s}.fig .c%s{fill:%s}.fig .o%s{stroke:%s}\n", class, c.soft, class, c.strong,
			class, c.strong)
	})
}

func (p *Palette) rules(rule func(class string, c colours) string) string {
	var light, dark strings.Builder
	for _, name := range p.Names() {
		l, d := p.of(name)
		light.WriteString(rule(p.Class(name), l))
		dark.WriteString(rule(p.Class(name), d))
	}
	if light.Len() == 0 {
		return ""
	}
	return light.String() + "@media (prefers-color-scheme:dark){\n" + dark.String() + "}\n"
}

// shades are the colours of labels by their classes, on a light ground.
func (p *Palette) shades() map[string]colours {
	out := map[string]colours{}
	for name := range p.number {
		out[p.Class(name)], _ = p.of(name)
	}
	return out
}

// colours are a background for text and a strong colour for lines and tags.
type colours struct{ soft, strong string }

// hues of the first labels differ well; further ones go round by the golden angle.
var hues = []float64{210, 28, 140, 280, 52, 350, 180, 318, 90, 245, 12, 160}

// usual labels of entities have hues that differ well.
var usual = map[string]int{"per": 0, "person": 0, "org": 1, "organization": 1, "loc": 2, "location": 2, "gpe": 2,
	"misc": 3,
	"date": 4, "time": 4, "event": 5, "object": 6, "product": 6, "work_of_art": 7, "money": 8, "quantity": 9, "norp": 10,
	"fac":   11,
	"place": 2, "abstract": 3, "animal": 8, "plant": 11, "substance": 9}

// of returns the colours of a label on a light and a dark ground.
func (p *Palette) of(name string) (light, dark colours) {
	if i, ok := usual[strings.ToLower(name)]; ok && !p.ordered {
		return shades(hues[i], 0)
	}
	if i := p.number[name]; p.ordered && i < len(hues) {
		return shades(hues[i], 0)
	} else if p.ordered {
		return shades(math.Mod(float64(i)*137.508, 360), 0)
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	n := h.Sum32()
	return shades(float64(n%360), (float64(n/360%3)-2)*0.04)
}

// shades are the colours of a hue, more being added to their lightness.
func shades(h, more float64) (light, dark colours) {
	light = colours{hsl(h, 0.75, 0.86+more), hsl(h, 0.62, 0.29+more)}
	dark = colours{hsl(h, 0.42, 0.24+more), hsl(h, 0.62, 0.76+more)}
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
