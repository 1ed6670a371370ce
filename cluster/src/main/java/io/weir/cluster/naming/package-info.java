/** JNDI inside the server, over the replicated tree of names, and which services this member answers for. */
@NullMarked
package io.weir.cluster.naming;

import org.jspecify.annotations.NullMarked;
