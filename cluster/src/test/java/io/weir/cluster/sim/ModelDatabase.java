package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.Owner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table of leases whose own clock alone says what is over. Confined to the simulation's thread. */
final class ModelDatabase {
    /** A row. */
    static final class Row {
        @Nullable
        Owner owner;

        long counter;
        long expires;
        long renewed;
        long transitions;

        Fence fence() {
            return counter == 0 ? Fence.NONE : new Fence(1, counter);
        }

        Lease lease(String name) {
            return new Lease(name, owner, fence(), renewed, transitions);
        }
    }

    private final World world;
    private final Map<String, Row> rows = new TreeMap<>();
    private boolean down;

    ModelDatabase(World world) {
        this.world = world;
    }

    void down(boolean is) {
        down = is;
    }

    boolean isDown() {
        return down;
    }

    /** As the log, which is a table of the same database. */
    boolean reachable(Host host) {
        String leader = world.consensus().leader();
        return !down && leader != null && world.network().both(host.name(), leader);
    }

    Row row(String lease) {
        return rows.computeIfAbsent(lease, name -> new Row());
    }

    boolean over(Row row) {
        return row.expires < world.time().now();
    }

    void take(Row row, Owner by) {
        row.owner = by;
        row.counter++;
        row.transitions++;
        renew(row);
    }

    void renew(Row row) {
        row.renewed = world.time().now();
        row.expires = row.renewed + Member.TIMES.timeToLive().toNanos();
    }

    /** What is free, or should be. */
    List<Lease> overAll() {
        return rows.entrySet().stream()
                .filter(e -> e.getValue().counter > 0)
                .filter(e -> e.getValue().owner == null || over(e.getValue()))
                .map(e -> e.getValue().lease(e.getKey()))
                .toList();
    }
}
