package io.weir.server.docs;

import io.weir.base.LogMessage;
import io.weir.base.StatSpec;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.cluster.jdbc.DatabaseMessages;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import io.weir.cluster.timer.TimerMessages;
import io.weir.journal.settings.JournalMessages;
import io.weir.journal.settings.JournalStats;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.WorkStats;
import io.weir.proxy.accesslog.AccessLogMessages;
import io.weir.proxy.accesslog.AccessLogStats;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.DiskMessages;
import io.weir.proxy.cache.store.CacheMessages;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.members.MemberStats;
import io.weir.proxy.pool.OriginStats;
import io.weir.proxy.program.run.ProxyMessages;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.qos.QosStats;
import io.weir.server.admin.AdminMessages;
import io.weir.server.admin.AdminStats;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import io.weir.server.history.HistoryStats;
import io.weir.server.processes.ProcessMessages;
import io.weir.server.processes.ProcessStats;
import io.weir.wire.WireMessages;
import io.weir.wire.WireStats;
import io.weir.wire.invoke.InvokeStats;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Every message and statistic of all rooms. A test finds missing ones. Stateless. */
public final class Declarations {
    private Declarations() {}

    /** All messages by number. */
    public static List<LogMessage> messages() {
        return Stream.<LogMessage[]>of(
                        KernelMessages.values(),
                        EngineMessages.values(),
                        ProxyMessages.values(),
                        CacheMessages.values(),
                        DiskMessages.values(),
                        AccessLogMessages.values(),
                        WireMessages.values(),
                        JournalMessages.values(),
                        BrokerMessages.values(),
                        DatabaseMessages.values(),
                        ClusterMessages.values(),
                        TimerMessages.values(),
                        AdminMessages.values(),
                        ProcessMessages.values(),
                        ServerMessages.values())
                .flatMap(Stream::of)
                .sorted(Comparator.comparingInt(LogMessage::id))
                .toList();
    }

    /** All statistics by name. */
    public static List<StatSpec> statistics() {
        return Stream.of(
                        KernelStats.ALL,
                        WorkStats.ALL,
                        EngineStats.ALL,
                        ProxyStats.ALL,
                        OriginStats.ALL,
                        CacheStats.ALL,
                        MemberStats.ALL,
                        DiskStats.ALL,
                        AccessLogStats.ALL,
                        Http2Stats.ALL,
                        QosStats.ALL,
                        WireStats.ALL,
                        InvokeStats.ALL,
                        JournalStats.ALL,
                        BrokerStats.ALL,
                        ClusterStats.ALL,
                        AdminStats.ALL,
                        HistoryStats.ALL,
                        ProcessStats.ALL,
                        ServerStats.ALL)
                .flatMap(List::stream)
                .sorted(Comparator.comparing(StatSpec::name))
                .toList();
    }
}
