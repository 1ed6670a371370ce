package io.weir.cluster.jdbc;

import io.weir.base.Fence;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.Owner;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of leases. Immutable.
 *
 * @param owner null when free
 * @param fence of the owner, or of the last one
 * @param expired whether it had expired by the database's clock when it was read
 * @param renewed microseconds of the database's clock at the last renewal
 */
record LeaseRow(String name, @Nullable Owner owner, Fence fence, boolean expired, long renewed, long transitions) {
    Lease lease() {
        return new Lease(name, owner, fence, renewed, transitions);
    }
}
