package io.weir.server.monitor.jmx;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.server.admin.AdminMessages;
import io.weir.server.figures.kernel.PoolDeclarations;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.ReadOnlyBean;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The statistics as MBeans: one {@code io.weir:type=Statistics,name=<subsystem>} for each subsystem of the registry,
 * and one {@code io.weir:type=ThreadPoolRuntime,name=<pool>} for each work manager with WebLogic's attribute names;
 * those of messaging, the cluster and origin servers by {@link MessagingBeans}, {@link ClusterBeans} and {@link
 * OriginBeans}, which are added and removed dynamically. Shared: refreshed by the admin loop, closed by the thread that
 * stops the server. Beans that cannot be registered are logged and omitted: views never stop the server.
 */
public final class JmxViews implements AutoCloseable {
    private final Supplier<@Nullable MBeanServer> server;
    private final MonitorSource source;
    private final Stats stats;
    private final Supplier<Readings> readings;
    private final Log log;
    private final Set<String> known = new LinkedHashSet<>();
    private final Map<String, ObjectName> registered = new LinkedHashMap<>();
    private final MessagingBeans messaging = new MessagingBeans();
    private final OriginBeans origins = new OriginBeans();
    private final ClusterBeans cluster = new ClusterBeans();
    private Set<String> passing = Set.of();
    private boolean closed;

    /**
     * Views that register nothing while the server is null: nobody has asked for JMX yet.
     */
    public JmxViews(
            Supplier<@Nullable MBeanServer> server,
            MonitorSource source,
            Stats stats,
            Supplier<Readings> readings,
            Log log) {
        this.server = server;
        this.source = source;
        this.stats = stats;
        this.readings = readings;
        this.log = log;
    }

    /** Registers what is new since the last call. */
    public synchronized void refresh() {
        MBeanServer beans = server.get();
        if (closed || beans == null) {
            return;
        }
        for (String subsystem : StatisticsBean.subsystems(stats)) {
            register(beans, "Statistics", subsystem, () -> new StatisticsBean(stats, subsystem));
        }
        comeAndGo(beans);
    }

    /** Registers beans of new objects and unregisters those of removed ones. */
    private void comeAndGo(MBeanServer beans) {
        Set<String> now = new LinkedHashSet<>();
        for (Facts.Pool pool : source.pools()) {
            now.add(register(
                    beans,
                    "ThreadPoolRuntime",
                    pool.name(),
                    () -> FigureViews.bean(
                            PoolDeclarations.POOL,
                            "Execute threads of the work manager " + pool.name(),
                            () -> pool(pool.name()))));
        }
        messaging
                .refresh(source.messaging())
                .forEach((name, bean) -> now.add(register(beans, name.type(), name.name(), bean)));
        origins.refresh(source.origins())
                .forEach((name, bean) -> now.add(register(beans, name.type(), name.name(), bean)));
        cluster.refresh(source.cluster())
                .forEach((name, bean) -> now.add(register(beans, name.type(), name.name(), bean)));
        for (String text : passing) {
            if (!now.contains(text)) {
                known.remove(text);
                unregister(beans, registered.remove(text));
            }
        }
        passing = now;
    }

    private PoolDeclarations.@Nullable Row pool(String name) {
        List<Facts.Pool> pools = source.pools();
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).name().equals(name)) {
                return new PoolDeclarations.Row(i, pools.get(i), readings.get().throughput(name));
            }
        }
        return null;
    }

    private String register(MBeanServer beans, String type, String name, Supplier<? extends ReadOnlyBean> bean) {
        String text = "io.weir:type=" + type + ",name=" + (name.matches("[\\w.-]+") ? name : ObjectName.quote(name));
        if (!known.add(text)) {
            return text;
        }
        try {
            ObjectName objectName = new ObjectName(text);
            beans.registerMBean(bean.get(), objectName);
            registered.put(text, objectName);
        } catch (JMException e) {
            log.log(AdminMessages.BEAN_REFUSED, text, e);
        }
        return text;
    }

    private void unregister(MBeanServer beans, @Nullable ObjectName name) {
        if (name != null) {
            try {
                beans.unregisterMBean(name);
            } catch (JMException e) {
                log.log(AdminMessages.BEAN_REFUSED, name, e);
            }
        }
    }

    /** Unregisters all. */
    @Override
    public synchronized void close() {
        closed = true;
        MBeanServer beans = server.get();
        if (beans != null) {
            registered.values().forEach(name -> unregister(beans, name));
            registered.clear();
        }
    }
}
