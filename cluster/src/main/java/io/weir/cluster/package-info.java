/** What a user's singleton service sees of the cluster: its contract with the server. */
@NullMarked
package io.weir.cluster;

import org.jspecify.annotations.NullMarked;
