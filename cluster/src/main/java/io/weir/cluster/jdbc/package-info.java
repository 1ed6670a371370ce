/** The cluster in a database: leases as rows, and the log of decisions as a table that only grows. */
@NullMarked
package io.weir.cluster.jdbc;

import org.jspecify.annotations.NullMarked;
