package io.weir.server.cluster;

import io.weir.base.Log;
import io.weir.cluster.config.FailBack;
import io.weir.cluster.config.SingletonConfig;
import io.weir.cluster.config.TimerConfig;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.Loop;
import io.weir.cluster.naming.Exposing;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerState;
import io.weir.cluster.timer.TimerService;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.config.WeirConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Registers the configured singletons and timers with the cluster, once after the start; a single server also removes
 * those that its configuration no longer has. In a cluster operators do that ({@code forget}), because another member's
 * configuration may be newer. Confined to the member's loop.
 */
final class ConfiguredSingletons {
    private static final long AGAIN = TimeUnit.SECONDS.toNanos(1);

    private final WeirConfig config;
    private final ClusterNode node;
    private final Loop loop;
    private final Log log;

    ConfiguredSingletons(WeirConfig config, ClusterNode node, Loop loop, Log log) {
        this.config = config;
        this.node = node;
        this.loop = loop;
        this.log = log;
    }

    /** Compares with the cluster's state, once the cluster answers; then proposes the differences. */
    void start() {
        var _ = node.proposer().barrier().whenComplete((_, fault) -> {
            if (fault == null) {
                differences(node.now());
                define();
            } else if (!(fault instanceof LogFault f && f.kind() == LogFault.Kind.CLOSED)) {
                loop.after(AGAIN, this::start);
            }
        });
    }

    private void define() {
        List<SingletonSpec> specs = new ArrayList<>();
        config.singletons().forEach((name, c) -> {
            if (!c.className().isEmpty()) {
                specs.add(spec(name, c));
            } else if (node.now().singleton(name) == null) {
                log.log(ServerMessages.NO_CLASS, name);
            }
        });
        if (!config.timers().isEmpty()) {
            specs.add(TimerService.spec());
        }
        var _ = node.define(specs).thenAccept(refused -> {
            refused.forEach(r -> log.log(ServerMessages.NOT_DEFINED, r));
            propose(others(node.now()), 0);
        });
    }

    /** The last member to start wins: logs where it replaces another's definitions. */
    private void differences(ClusterState now) {
        if (config.cluster().alone()) {
            return;
        }
        config.singletons().forEach((name, c) -> {
            SingletonState there = now.singleton(name);
            if (there != null && !c.className().isEmpty() && there.spec().deployment() == null) {
                logRedefined("singletons." + name, spec(name, c).differences(there.spec()));
            }
        });
        config.timers().forEach((id, c) -> {
            TimerState there = now.timer(id);
            if (there != null) {
                logRedefined("timers." + id, ConfiguredTimers.spec(id, c).differences(there.spec()));
            }
        });
    }

    private void logRedefined(String entry, List<String> keys) {
        if (!keys.isEmpty()) {
            log.log(ServerMessages.REDEFINES, node.self().member(), entry, String.join(", ", keys));
        }
    }

    /** The commands besides the singletons' definitions. */
    private List<Command> others(ClusterState now) {
        List<Command> commands = new ArrayList<>();
        for (Map.Entry<String, TimerConfig> e : config.timers().entrySet()) {
            String id = e.getKey();
            commands.add(new TimerCommand.DefineTimer(
                    ConfiguredTimers.spec(id, e.getValue()), loop.clock().millis()));
            if (!e.getValue().enabled() && now.timer(id) == null) {
                commands.add(new TimerCommand.PauseTimer(id));
            }
        }
        if (config.cluster().alone()) {
            forget(now, commands);
        }
        commands.add(configures());
        return commands;
    }

    /** Names that cannot be removed while this server is alive. */
    private Command configures() {
        SortedSet<String> singletons = new TreeSet<>();
        config.singletons().forEach((name, c) -> {
            if (!c.className().isEmpty()) {
                singletons.add(name);
            }
        });
        if (!config.timers().isEmpty()) {
            singletons.add(Leases.TIMERS_SERVICE);
        }
        return new MemberCommand.Configures(
                node.self().member(),
                node.self().incarnation(),
                singletons,
                new TreeSet<>(config.timers().keySet()));
    }

    private void forget(ClusterState now, List<Command> commands) {
        for (SingletonState s : now.singletons().values()) {
            SingletonConfig entry = config.singletons().get(s.name());
            boolean configured = (entry != null && !entry.className().isEmpty())
                    || (s.name().equals(Leases.TIMERS_SERVICE)
                            && !config.timers().isEmpty());
            if (s.spec().deployment() == null && !configured) {
                commands.add(new SingletonCommand.Undefine(s.name()));
            }
        }
        for (String id : now.timers().keySet()) {
            if (!config.timers().containsKey(id)) {
                commands.add(new TimerCommand.RemoveTimer(id));
            }
        }
    }

    private void propose(List<Command> commands, int next) {
        if (next == commands.size()) {
            return;
        }
        var _ = node.proposer().propose(commands.get(next)).whenComplete((answer, fault) -> {
            if (fault instanceof LogFault f && f.kind() != LogFault.Kind.CLOSED) {
                loop.after(AGAIN, () -> propose(commands, next));
                return;
            }
            if (answer instanceof Answer.Refused r) {
                log.log(ServerMessages.NOT_DEFINED, r.text());
            }
            if (fault == null) {
                propose(commands, next + 1);
            }
        });
    }

    /**
     * The definition of a deployed singleton whose entry has no class, or the deployed one: the entry's settings apply.
     * The attempts and the pause between them are the deployment's if the entry leaves the defaults.
     */
    static SingletonSpec configured(Map<String, SingletonConfig> entries, SingletonSpec deployed) {
        SingletonConfig c = entries.get(deployed.name());
        if (c == null
                || !(c.className().isEmpty() || c.className().equals(deployed.className()))
                || deployed.deployment() == null) {
            return deployed;
        }
        SingletonSpec own = spec(deployed.name(), c);
        boolean attempts = own.additionalAttempts() != SingletonSpec.ATTEMPTS;
        boolean pause = own.pauseMillis() != SingletonSpec.PAUSE_MILLIS;
        return deployed.preferring(own.preferred())
                .among(own.candidates())
                .attempting(
                        attempts ? own.additionalAttempts() : deployed.additionalAttempts(),
                        pause ? own.pauseMillis() : deployed.pauseMillis())
                .failingBack(own.failBack(), own.failBackMillis())
                .enabled(own.enabled())
                .with(own.properties());
    }

    static SingletonSpec spec(String name, SingletonConfig c) {
        return new SingletonSpec(
                name,
                c.className(),
                null,
                c.preferredServer().isEmpty() ? null : c.preferredServer(),
                c.candidateServers(),
                c.additionalMigrationAttempts(),
                c.sleepBetweenAttempts().toMillis(),
                mode(c.failBack()),
                c.failBackDelay().toMillis(),
                c.enabled(),
                properties(c));
    }

    private static SortedMap<String, String> properties(SingletonConfig c) {
        SortedMap<String, String> all = new TreeMap<>(c.properties());
        if (!c.exposedAs().isEmpty()) {
            all.put(Exposing.NAME, c.exposedAs());
        }
        if (!c.callRole().isEmpty()) {
            all.put(Exposing.ROLE, c.callRole());
        }
        return all;
    }

    private static FailBackMode mode(FailBack f) {
        return switch (f) {
            case OFF -> FailBackMode.OFF;
            case IMMEDIATE -> FailBackMode.IMMEDIATE;
            case AFTER -> FailBackMode.AFTER;
        };
    }
}
