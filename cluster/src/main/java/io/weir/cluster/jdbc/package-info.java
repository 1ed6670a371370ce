/** Database leasing: leases as rows, and the log as an append-only table. */
@NullMarked
package io.weir.cluster.jdbc;

import org.jspecify.annotations.NullMarked;
