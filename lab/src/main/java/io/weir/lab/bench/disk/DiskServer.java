package io.weir.lab.bench.disk;

import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.peer.DiskConfigs;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A server with a cache on a disk, which may be started again. Lives as long as its bed; confined to its thread. */
final class DiskServer {
    static final String WEIR = "weir";
    private static final int SETTLE_POLLS = 600;
    private static final int REST_POLLS = 240;
    private static final int STILL_POLLS = 10;
    private static final long STILL_BYTES = 256 << 10;

    private final Bed bed;
    private final WeirServer.Build build;
    private final @Nullable Peer peer;
    private final DiskConfigs.Plan plan;
    private @Nullable WeirServer weir;
    private @Nullable Child child;

    private DiskServer(Bed bed, WeirServer.Build build, @Nullable Peer peer, DiskConfigs.Plan plan) {
        this.bed = bed;
        this.build = build;
        this.peer = peer;
        this.plan = plan;
    }

    /**
     * How large a server's cache is.
     *
     * @param memory bytes
     * @param disk bytes
     * @param sweeping whether Squid has a file for each object
     * @param restarts whether it is started again with what it stored
     */
    record Room(long memory, long disk, long objects, boolean sweeping, boolean restarts) {}

    /** Starts a server with an empty cache; no peer: Weir. */
    static DiskServer start(Bed bed, WeirServer.Build build, @Nullable Peer peer, Room room)
            throws IOException, InterruptedException, BenchFailure {
        DiskConfigs.Plan plan = new DiskConfigs.Plan(
                bed.place(peer == null ? WEIR : peer.key()),
                Child.freePort(),
                bed.originPort(),
                room.memory(),
                room.disk(),
                room.objects(),
                room.sweeping(),
                room.restarts());
        DiskServer server = new DiskServer(bed, build, peer, plan);
        server.start(false);
        return server;
    }

    /** Starts it, with what is in its cache. */
    void again() throws IOException, InterruptedException, BenchFailure {
        start(true);
    }

    private void start(boolean again) throws IOException, InterruptedException, BenchFailure {
        if (peer == null) {
            weir = bed.weir(build, DiskConfigs.weir(plan), plan.folder());
        } else {
            child = bed.peer(peer, plan, again);
        }
    }

    /** Ends it orderly. */
    void stop() throws InterruptedException {
        if (weir != null) {
            weir.stop();
        }
        if (child != null) {
            child.close();
        }
    }

    String name() {
        return peer == null ? WEIR : peer.key();
    }

    @Nullable
    Peer peer() {
        return peer;
    }

    boolean isWeir() {
        return peer == null;
    }

    @Nullable
    WeirServer weir() {
        return weir;
    }

    int port() {
        return plan.port();
    }

    long pid() {
        if (weir != null) {
            return weir.pid();
        }
        if (child != null) {
            return child.pid();
        }
        throw new IllegalStateException(name() + " was not started");
    }

    /** A statistic of Weir; 0 of a peer. */
    double figure(String name) throws IOException, InterruptedException, BenchFailure {
        return weir == null ? 0 : weir.figures().value(name, Map.of());
    }

    /** Waits until it writes little: a peer does not tell whether what it stored is on the disk. */
    void rest() throws IOException, InterruptedException, BenchFailure {
        settle();
        long before = WrittenBytes.toDisk(pid());
        int still = 0;
        for (int i = 0; i < REST_POLLS && peer != null && still < STILL_POLLS; i++) {
            long now = WrittenBytes.toDisk(pid());
            // some write a little all the time
            still = now - before < STILL_BYTES ? still + 1 : 0;
            before = now;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    /** Waits until what was stored is on the disk, as far as the server tells. */
    void settle() throws IOException, InterruptedException, BenchFailure {
        for (int i = 0; i < SETTLE_POLLS && figure("weir_cache_disk_unwritten_bytes") > 0; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
