package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.InvokeConfig;
import io.weir.cluster.members.MemberLogins;
import io.weir.cluster.naming.ClusterNaming;
import io.weir.cluster.naming.Exposing;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.invoke.caller.Invoker;
import io.weir.wire.invoke.caller.ProxyOptions;
import io.weir.wire.invoke.dispatch.Access;
import io.weir.wire.invoke.dispatch.Dispatcher;
import io.weir.wire.login.LoginKey;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The names that services bind, JNDI in this process, and the incoming calls of services that this member owns. Opened
 * with the member, before its log; closed after the services have stopped. Shared.
 */
final class Calls implements AutoCloseable {
    private final ClusterNaming naming;
    private final Dispatcher dispatcher;
    private final Function<WireConnection, FrameHandler> frames;

    /**
     * Creates the calls of a member.
     *
     * @param toMembers how to connect to the others
     * @param key with which members authenticate each other; null for none
     * @param others names of this server that are not in the cluster's tree
     */
    Calls(
            ClusterNode node,
            InvokeConfig config,
            ClientOptions toMembers,
            @Nullable LoginKey key,
            ClusterNaming.Others others,
            Clock clock,
            Stats stats,
            Log log) {
        int bytes = (int) config.maxFrame().bytes();
        Invoker.Limits callers = Invoker.Limits.DEFAULT;
        this.naming = new ClusterNaming(new ClusterNaming.Parts(
                node,
                () -> MemberLogins.credentials(node.self().member(), key),
                toMembers.withProduct("weir member " + node.self().member()),
                ProxyOptions.DEFAULT.withDeadline(config.deadline()),
                new Invoker.Limits(callers.outstanding(), bytes, callers.idle()),
                others,
                clock));
        Dispatcher.Limits limits =
                new Dispatcher.Limits(config.maxConcurrent(), config.queueCapacity(), bytes, config.dedupWindow());
        this.dispatcher = new Dispatcher(limits, new Dispatcher.Parts(naming, Calls::refusal, clock, stats, log));
        this.frames = dispatcher.route().service();
    }

    /** Members may call everything: the call was authorised at the member that received it. */
    private static @Nullable String refusal(Principal caller, String service, @Nullable String role) {
        return caller.groups().contains(MemberLogins.GROUP)
                ? null
                : Access.welcome().refusal(caller, service, role);
    }

    /** Makes {@code new InitialContext()} in this process return the cluster's names from now on. */
    void install() {
        naming.install();
    }

    NamingDirectory directory() {
        return naming;
    }

    FrameHandler frames(WireConnection connection) {
        return frames.apply(connection);
    }

    /** Wraps the source so that services are bound as the configuration exposes them. */
    ServiceSource exposing(ServiceSource source) {
        return new Exposing(source, naming);
    }

    /** Refuses waiting calls; running ones continue. */
    @Override
    public void close() {
        dispatcher.close();
        naming.close();
    }
}
