// Package optimise has the rules that make a bound plan faster without changing what it yields: conditions are pushed
// down to where their columns come from, joins look few rows up in an index or filter what the other side annotates,
// limits end annotation, sorting and search early, tables that need the same model share what it computes.
//
// A rule knows the nodes of query/plan and nothing else: no names, no catalog, no statistics. It decides by the form of
// a plan; how many rows there are is seen, and decided on, when the plan runs. Push is called while a SELECT is bound,
// for the conditions of WHERE and ON; the other rules are applied to a whole plan by Optimise. Each can be switched
// off by its name, and tests compare the answers.
package optimise
