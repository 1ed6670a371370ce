package io.weir.cluster.ratis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Settings of Ratis: small buffers, early snapshots. Stateless. */
final class RatisSettings {
    /** Maximum length of a command: snapshots are sent in chunks, commands are not. */
    static final int LONGEST_COMMAND = 512 << 10;

    private static final SizeInBytes BUFFER = SizeInBytes.valueOf(1L << 20);
    private static final SizeInBytes MESSAGE = SizeInBytes.valueOf(4L << 20);
    private static final int REQUEST_THREADS = 4;

    private static final String ARENAS = "org.apache.ratis.thirdparty.io.netty.allocator.";

    /** Kept in a field, because loggers that are garbage-collected lose their level. */
    private static final List<Logger> TALKATIVE = List.of(
            Logger.getLogger("org.apache.ratis.thirdparty.io.grpc"),
            Logger.getLogger("org.apache.ratis.thirdparty.io.netty"));

    static {
        // They log to the console, including every refused peer; relevant failures are returned as failed calls.
        TALKATIVE.forEach(l -> l.setLevel(Level.SEVERE));
        // Ratis's copy of Netty reserves arenas for every processor; the log needs little memory.
        for (String arena : List.of("numDirectArenas", "numHeapArenas")) {
            if (System.getProperty(ARENAS + arena) == null) {
                System.setProperty(ARENAS + arena, "1");
            }
        }
    }

    private RatisSettings() {}

    static RaftProperties properties(RatisParts parts) {
        RaftProperties p = new RaftProperties();
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        RaftServerConfigKeys.setStorageDir(p, List.of(parts.directory().toFile()));
        // this version asks for no reads (LeaderRequests.barrier), members of older ones do during an upgrade
        RaftServerConfigKeys.Read.setOption(p, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(p, false);
        RaftServerConfigKeys.Read.setTimeout(p, millis(parts.times().submit().toMillis()));
        times(p, parts.times());
        log(p, parts.times());
        transport(p, parts);
        return p;
    }

    private static void times(RaftProperties p, RatisTimes times) {
        long election = times.election().toMillis();
        long longest = times.longest().toMillis();
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(election));
        // Ratis reads its time-outs only once. So they are the maximum ones, and Candidacy starts elections earlier
        // while the machine is not busy: leadership and votes time out only after the time that a busy machine may
        // need.
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(longest));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(election));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(2 * election));
        // A leader that hears no majority steps down, and becomes a candidate again only after this time: the default
        // of ten seconds is lost if no other member can lead. It is also the pause of this process after which it steps
        // down; after twice the longest time-out the others have elected another leader.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, millis(Math.max(4 * election, longest)));
        RaftServerConfigKeys.Rpc.setRequestTimeout(p, millis(Math.max(longest, 1000)));
        // After a long pause the process steps down and continues; it does not terminate.
        RaftServerConfigKeys.setCloseThreshold(p, TimeDuration.valueOf(365, TimeUnit.DAYS));
        RaftServerConfigKeys.setSleepDeviationThreshold(p, millis(election));
        // A peer that was down for long is retried each second, so that it catches up soon after its return.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(p, "1ms,10, 100ms,50, 500ms,100, 1s,1000000");
        RaftClientConfigKeys.Rpc.setRequestTimeout(p, millis(Math.max(longest, 1000)));
        RaftServerConfigKeys.RetryCache.setExpiryTime(
                p, TimeDuration.valueOf(Math.max(60, 4 * times.submit().toSeconds()), TimeUnit.SECONDS));
    }

    private static void log(RaftProperties p, RatisTimes times) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(p, SizeInBytes.valueOf(times.segment()));
        RaftServerConfigKeys.Log.setPreallocatedSize(p, SizeInBytes.valueOf(Math.min(times.segment(), 256L << 10)));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, SizeInBytes.valueOf(2 * times.segment()));
        RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf(BUFFER.getSize() + 64));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, BUFFER);
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(p, BUFFER);
        RaftServerConfigKeys.Log.setQueueByteLimit(p, SizeInBytes.valueOf(8L << 20));
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(p, !times.sync());
        // A permanently lost member must not fill the others' disks: a returning one gets the snapshot.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
        RaftServerConfigKeys.Log.setPurgeGap(p, 1);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(p, times.snapshotEvery());
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, 2);
        RaftServerConfigKeys.Write.setElementLimit(p, 4096);
        RaftServerConfigKeys.Write.setByteLimit(p, SizeInBytes.valueOf(16L << 20));
    }

    private static void transport(RaftProperties p, RatisParts parts) {
        GrpcConfigKeys.Server.setHost(p, parts.bind());
        GrpcConfigKeys.Server.setPort(p, parts.self().port());
        GrpcConfigKeys.setMessageSizeMax(p, MESSAGE);
        GrpcConfigKeys.Server.setAsyncRequestThreadPoolSize(p, REQUEST_THREADS);
        RaftServerConfigKeys.ThreadPool.setClientSize(p, REQUEST_THREADS);
        RaftServerConfigKeys.ThreadPool.setServerSize(p, 2 * REQUEST_THREADS);
        RaftServerConfigKeys.ThreadPool.setProxySize(p, REQUEST_THREADS);
    }

    private static TimeDuration millis(long n) {
        return TimeDuration.valueOf(n, TimeUnit.MILLISECONDS);
    }
}
