package io.weir.cluster.jdbc;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LeaseBackendConformance;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ClusterLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Rows as a lease backend, on one kind of database; time passes by making the rows older. */
abstract class RowLeasesConformance extends LeaseBackendConformance {
    private final Dialect dialect;

    RowLeasesConformance(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    protected Bench bench() throws Exception {
        return new Rows(TestDatabase.of(dialect));
    }

    private static final class Rows implements Bench {
        private final TestDatabase database;
        private final List<ClusterLoop> loops = new ArrayList<>();

        Rows(TestDatabase database) {
            this.database = database;
        }

        @Override
        public LeaseBackend open(Owner owner) {
            ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
            loops.add(loop);
            return new RowLeases(database.plain(), owner, LeaseTimes.of(timeToLive()), loop);
        }

        @Override
        public <T> T await(CompletableFuture<T> future) throws Exception {
            try {
                return future.get(60, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        @Override
        public Duration timeToLive() {
            return Duration.ofSeconds(60);
        }

        @Override
        public void pass(Duration time) throws Exception {
            database.pass(time);
        }

        @Override
        public void close() throws Exception {
            loops.forEach(ClusterLoop::close);
            database.close();
        }
    }
}
