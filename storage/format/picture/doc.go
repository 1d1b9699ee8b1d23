// Package picture draws documents and rows: pages of HTML, SVG, and text for terminals and Markdown. Figures are drawn
// by storage/format/draw; here layers and rows become what it draws.
package picture
