/** The cluster's part in the server: what operators see of it and do to it, and where users' classes come from. */
@NullMarked
package io.weir.server.cluster;

import org.jspecify.annotations.NullMarked;
