/** JNDI inside the server, over the replicated naming tree, and the services exported by this member. */
@NullMarked
package io.weir.cluster.naming;

import org.jspecify.annotations.NullMarked;
