// Package kblink links names to entities of a knowledge base, and keeps what the names of a cluster may mean while
// clusters grow (Zheng, Vilnis, Singh, Choi and McCallum 2013, algorithm 1).
//
// A name has candidates, the entities that have it as an alias, ranked by relevance. Clusters that join add their
// candidates up as multisets, so that what several names of a cluster may mean comes first:
//
//	count(e) = Σ_{names of the cluster} [e is a candidate],  relevance(e) = the greatest of its names
//
// Entity tells what a knowledge base says of an entity: its names, its types.
package kblink
