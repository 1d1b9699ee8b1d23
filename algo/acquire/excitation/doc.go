// Package excitation is the kind that learns which verbs activate and which suppress what they apply to, and from that
// contradictions and causes (Hashimoto, Torisawa, De Saeger, Oh and Kazama 2012): cause, produce, increase X are
// excitatory, prevent, destroy, decrease X inhibitory.
//
// Events are pairs of clauses (n1 in t1, connective, n2 in t2) of a store of tuples. With a = +1 for connectives of the
// type and, −1 for but, turned over by each negation, and g = +1 where n1 facilitates n2, −1 where it suppresses it,
//
//	a·g·x(t1)·x(t2) = +1      x(t) = ±1: excitatory or inhibitory
//
// So pairs of nouns are classified by templates with a sign, and templates are linked by classified nouns: link = a·g.
// network.go grows the links from seeds, spin.go spreads the signs over them by the spin model
//
//	E(x) = −½ Σ_ij w_ij x_i x_j,  w_ij = link/√(d_i d_j),  m_i = tanh(β Σ_j w_ij m_j)
//
// whose means m are the excitation values s(t). acquire.go ranks what follows:
//
//	contradictions  Ct(p1,p2) = |s1|·|s2|·Lin(t1,t2)           opposite signs, the same noun: destroy – develop cancer
//	causalities     Cs(p1,p2) = |s1|·|s2|                      events after each other, joined by nothing that says cause
//	hypotheses      Hp(q1,q2) = Ct(p1,q1)·Ct(p2,q2)·Cs(p1,p2)·npfreq(n1,n2)    opposites of a causality, never joined in
//	                                                            the text
package excitation
