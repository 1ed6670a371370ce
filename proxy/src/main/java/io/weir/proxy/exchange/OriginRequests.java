package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.http.RequestHead;
import io.weir.http.semantics.UriTarget;
import io.weir.kernel.listen.Listener;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.context.ProxyContext;
import io.weir.proxy.exchange.ExchangeState.AtOwner;
import io.weir.proxy.fields.ClientTlsFields;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberRequest;
import io.weir.proxy.members.fetch.OwnerQuestion;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.RequestKey;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.ClientTimeOuts;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.upstream.OriginConnector;
import io.weir.proxy.upstream.Origins;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds requests to the origin side from the program's decisions. One for each muxer, confined to it; immutable. */
final class OriginRequests {
    /** Configured origins may have any address. */
    private static final OriginConnector.AddressRule OPERATORS = _ -> true;

    private final Origins pools;
    private final Supplier<OriginKey> demo;

    /**
     * @param pools binds routes created by functions to pools
     * @param demo where the demo origin listens
     */
    OriginRequests(Origins pools, Supplier<OriginKey> demo) {
        this.pools = pools;
        this.demo = demo;
    }

    /**
     * The exchange's request to its origin; null if the target names none.
     *
     * @param owned the request's head is copied, because the fetch may outlive the client
     */
    @Nullable
    OriginRequest of(ExchangeState exchange, boolean owned) {
        ProgramRun run = exchange.run();
        Action action = run.action();
        OriginRoute route = run.route();
        if (action instanceof Action.Retrieve retrieve && retrieve != Action.Retrieve.REVERSE) {
            OriginKey origin = named(run);
            if (origin == null) {
                return null;
            }
            OriginRoute parents = run.parents();
            if (parents != null) {
                return make(exchange, owned, null, bound(parents), true);
            }
            exchange.record().route("DIRECT");
            return make(exchange, owned, origin, null, true);
        }
        if (action == Action.Builtin.DEMO) {
            return make(exchange, owned, demo.get(), null, true);
        }
        if (route == null || route.origins().isEmpty()) {
            return null;
        }
        return make(exchange, owned, null, bound(route), !route.rewriteHost());
    }

    private ServerPool bound(OriginRoute route) {
        ServerPool bound = route.pool();
        return bound == null ? pools.bind(route) : bound;
    }

    /** The origin that a request to the forward proxy names. */
    static @Nullable OriginKey named(ProgramRun run) {
        String host = run.hostName();
        int port = run.port();
        return host.isEmpty() || port < 1 || port > 65_535
                ? null
                : new OriginKey(run.fetchedSecurely(), host, port, true);
    }

    private static String target(LoopContext loop, ProgramRun run) {
        ByteBuf text = loop.text();
        run.writeTarget(text);
        return new String(text.array(), text.arrayOffset(), text.readableBytes(), StandardCharsets.ISO_8859_1);
    }

    private static OriginRequest make(
            ExchangeState exchange,
            boolean owned,
            @Nullable OriginKey only,
            @Nullable ServerPool pool,
            boolean keepHost) {
        ProgramRun run = exchange.run();
        ProxyContext proxy = exchange.loopContext().proxy();
        boolean trusted = exchange.trusted();
        String authority = run.authority();
        OriginConnector.AddressRule allowed =
                run.action() == Action.Retrieve.FORWARD || run.action() == Action.Retrieve.TUNNEL
                        ? DestinationGuard.of(exchange)
                        : OPERATORS;
        UpstreamHead.Client client = new UpstreamHead.Client(
                run.addressHidden() ? null : exchange.clientText(),
                run.https(),
                authority,
                trusted,
                proxy.forwardedMode(),
                ClientTlsFields.of(exchange.client().connection(), proxy.clientCertificate(), run::decided),
                run.credentials());
        RequestHead head = owned ? exchange.head().copy() : exchange.head();
        return new OriginRequest(
                exchange.loopContext(),
                head,
                only,
                pool,
                pool == null ? RequestKey.NONE : PoolKeys.of(exchange, pool),
                target(exchange.loopContext(), run),
                keepHost && !authority.isEmpty() ? authority : null,
                client,
                run.requestEdits(),
                AnswerEdits.of(exchange),
                trusted ? null : exchange.clientAddress(),
                allowed,
                times(exchange),
                owned || exchange.atOwner != AtOwner.UNASKED ? question(exchange, head) : null);
    }

    /** The request as the owner of its key is asked; null if the origin is to be asked. */
    private static @Nullable OwnerQuestion question(ExchangeState exchange, RequestHead head) {
        ProxyContext proxy = exchange.loopContext().proxy();
        CacheOwners owners = proxy.owners();
        boolean may = owners.active()
                && !exchange.ofMember()
                && exchange.run().action() instanceof Action.Retrieve
                // an owner cannot check the certificate that its functions may ask for
                && exchange.clientCertificates().isEmpty();
        if (!may) {
            return null;
        }
        Listener listener = exchange.client().connection().listener();
        KeyBuilder key = proxy.cache().newKey();
        exchange.run().key(key);
        byte[] known = key.copy();
        UriTarget changed = owners.anyChanged() ? RelayedAnswer.target(exchange) : null;
        long change = changed == null ? 0 : owners.changeOf(changed);
        OriginTimes usual = times(exchange);
        CacheConfig cache = proxy.cache().settings();
        long connect = cache.ownerConnectTimeOut().toNanos();
        // one that has not begun its answer then may hang, which the cluster notices later
        long begin = cache.ownerTimeOut().toNanos();
        return new OwnerQuestion(
                proxy,
                head,
                new MemberRequest(
                        exchange.clientAddress(),
                        exchange.https(),
                        exchange.trusted(),
                        listener.name(),
                        listener.config().virtualServer(),
                        CacheOwners.hash(known),
                        owners.position()),
                CacheOwners.place(known),
                change == 0 ? null : changed,
                change,
                new OriginTimes(
                        Math.min(usual.connect(), connect),
                        Math.min(usual.borrow(), begin),
                        Math.min(usual.response(), begin),
                        usual.body()),
                exchange.atOwner != AtOwner.UNASKED);
    }

    /** The time-outs of the exchange's route, or those of the proxy if it has none. */
    static OriginTimes times(ExchangeState exchange) {
        OriginTimes usual = exchange.loopContext().settings().times();
        ClientTimeOuts own = exchange.run().timeOuts();
        if (own == null) {
            return usual;
        }
        long connect = or(own.connect(), usual.connect());
        return new OriginTimes(
                connect,
                usual.borrow() - usual.connect() + connect,
                or(own.responseHeader(), usual.response()),
                or(own.bodyIdle(), usual.body()));
    }

    private static long or(long own, long usual) {
        return own == 0 ? usual : own;
    }
}
