package io.weir.broker.session;

import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.weir.broker.config.DeliveryModeOverride;
import io.weir.broker.config.OverridesConfig;
import io.weir.broker.destination.Destination;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.SendCallback;
import io.weir.broker.quota.MessageMemory;
import io.weir.broker.quota.Quota;
import io.weir.broker.quota.QuotaWaiter;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.transaction.Work;
import io.weir.jms.frames.BlockPatch;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Provenance;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;
import io.weir.wire.WireFault;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A session's sends: they are checked, get room in the quota (or wait for it, with a timer of the loop), are passed to
 * the destination or the transaction, and answered. Confined to the session's loop.
 */
public final class SessionSends {
    private static final long DEFAULT_TIME_OUT = 10;
    /** Maximum producers counted. Clients reuse producer numbers; the count restarts for one that does not. */
    private static final int MOST_PRODUCERS = 10_000;
    /** Maximum characters of JMSXGroupID and of a unit's name, which the broker keeps in the heap beside the message. */
    private static final int LONGEST_NAME = 1024;

    private final BrokerSession session;
    private final BrokerEngine engine;
    private final IntObjectMap<Destination> producers = new IntObjectHashMap<>();
    private final Set<WaitingSend> waiting = new LinkedHashSet<>();
    private @Nullable DestinationName lastName;
    private @Nullable Destination lastDestination;
    private int lastProducer;
    private long oneWay;

    SessionSends(BrokerSession session) {
        this.session = session;
        this.engine = session.engine;
    }

    /**
     * The fields of a SEND that are needed after its frame is read.
     *
     * @param work its transaction, null if it is in none
     */
    record Order(int request, int producer, @Nullable Work work) {}

    /** One-way sends so far. */
    public long oneWay() {
        return oneWay;
    }

    void send(ByteBuf in) {
        SendFrame frame = session.connection.sendFrame.read(in, session.connection.names);
        int size = in.readableBytes();
        if (frame.request() == 0) {
            engine.meters().oneWaySends.inc();
            oneWay++;
        }
        try {
            Destination d = destination(frame);
            send(frame, d, in, size);
        } catch (RequestRefusal r) {
            refuse(frame.request(), frame.producer(), frame.transacted() ? session.work() : null, r);
        }
    }

    /** The transaction that a send belongs to; null if it belongs to none. */
    private @Nullable Work work(SendFrame frame) throws RequestRefusal {
        if (!frame.transacted()) {
            return null;
        }
        Work work = session.work();
        if (work == null) {
            throw new RequestRefusal(
                    RefusalCode.TRANSACTION_ROLLED_BACK,
                    "a message of a transaction, and the session is in none now: it was ended, or rolled back with a"
                            + " lost connection");
        }
        return work;
    }

    private Destination destination(SendFrame frame) throws RequestRefusal {
        Destination d = lastDestination;
        if (d == null || !frame.destination().equals(lastName) || frame.producer() != lastProducer || d.isDeleted()) {
            d = engine.destinations().get(frame.destination());
            lastName = frame.destination();
            lastDestination = d;
            lastProducer = frame.producer();
            if (producers.size() >= MOST_PRODUCERS) {
                forgetProducers();
            }
            Destination before = producers.put(frame.producer(), d);
            if (!d.equals(before)) {
                if (before != null) {
                    before.counts.producers.decrementAndGet();
                }
                d.counts.producers.incrementAndGet();
            }
        }
        authorise(d);
        return d;
    }

    private void authorise(Destination d) throws RequestRefusal {
        d.authorise(Destination.Access.SEND, session.connection.wire.user(), session.connection.wire.groups());
    }

    private void send(SendFrame frame, Destination d, ByteBuf in, int size) throws RequestRefusal {
        Work work = work(frame);
        Message m = message(d, in, size);
        try {
            d.admit(m.size());
        } catch (RequestRefusal r) {
            m.discard();
            throw r;
        }
        Quota quota = d.quota();
        int further = d.further();
        if (quota.reserve(m.size(), further)) {
            m.charged(quota, further);
            if (work != null) {
                work.send(d, m);
                session.replies.ok(frame.request());
            } else {
                hand(d, m, frame.request(), frame.producer());
            }
            return;
        }
        Order order = new Order(frame.request(), frame.producer(), work);
        int timeOut = frame.sendTimeoutMillis();
        await(d, m, quota, order, timeOut < 0 ? DEFAULT_TIME_OUT : timeOut);
    }

    private Message message(Destination d, ByteBuf in, int size) throws RequestRefusal {
        int start = in.readerIndex();
        ByteBuf block = in.readRetainedSlice(size);
        try {
            OverridesConfig o = d.config().overrides();
            if (o.deliveryMode() != DeliveryModeOverride.NO_DELIVERY
                    || o.priority() >= 0
                    || o.timeToLive() >= 0
                    || o.timeToDeliver() >= 0) {
                override(o, block);
            }
            MessageView view = session.connection.view.wrap(block).check();
            boolean claims = view.hasProvenance();
            if (claims) {
                // a client forwards a message that the broker moved, or forges one: only the broker sets these
                // properties
                ByteBuf own = Provenance.copy(block, view, Map.of());
                block.release();
                block = own;
                view.wrap(block);
            }
            Message m = new Message(block, view, session.origin());
            checkName(d, "JMSXGroupID", m.group());
            checkName(d, MessageView.UNIT_OF_ORDER, m.unit());
            Message kept = m.persistent() && !engine.store().isOpen() ? withoutStore(d, m) : m;
            return claims ? kept : kept.in(in, start);
        } catch (WireFault | RequestRefusal e) {
            block.release();
            throw e;
        }
    }

    private static void checkName(Destination d, String property, @Nullable String name) throws RequestRefusal {
        if (name != null && name.length() > LONGEST_NAME) {
            throw new RequestRefusal(
                    RefusalCode.MESSAGE_TOO_LARGE,
                    "a message for " + d.name + " has a " + property + " of " + name.length()
                            + " characters, the maximum is " + LONGEST_NAME);
        }
    }

    private Message withoutStore(Destination d, Message m) throws RequestRefusal {
        if (!engine.config().jmsServer().allowsPersistentDowngrade()) {
            throw new RequestRefusal(
                    RefusalCode.STORE,
                    "a persistent message for " + d.name
                            + ", and the broker has no store: send non-persistent ones, set"
                            + " jms-server.store-enabled, or allow the downgrade");
        }
        BlockPatch.persistent(m.block(), false);
        return new Message(m.block(), session.connection.view.wrap(m.block()), m.origin());
    }

    private void override(OverridesConfig o, ByteBuf block) {
        session.connection.view.wrap(block);
        if (o.deliveryMode() != DeliveryModeOverride.NO_DELIVERY) {
            BlockPatch.persistent(block, o.deliveryMode() == DeliveryModeOverride.PERSISTENT);
        }
        if (o.priority() >= 0) {
            BlockPatch.priority(block, o.priority());
        }
        long now = engine.clock().millis();
        long delay = 0;
        if (o.timeToDeliver() >= 0) {
            delay = o.timeToDeliver();
            BlockPatch.deliveryTime(block, delay == 0 ? 0 : now + delay);
        }
        if (o.timeToLive() >= 0) {
            BlockPatch.expiration(block, o.timeToLive() == 0 ? 0 : now + delay + o.timeToLive());
        }
    }

    /** Passes a message that has room to its destination, and answers. */
    private void hand(Destination d, Message m, int request, int producer) {
        boolean kept = m.persistent() && engine.store().isOpen();
        if (d.loop.equals(session.loop) && !kept) {
            if (d.isDeleted()) {
                m.discard();
                refuse(request, producer, null, d.wasDeleted());
            } else {
                d.accept(m, SendCallback.IGNORED);
                session.replies.ok(request);
            }
            return;
        }
        if (kept) {
            session.quiet.begin();
        }
        SendCallback sent =
                kept ? failure -> session.loop.run(() -> sent(request, producer, failure)) : SendCallback.IGNORED;
        if (!dispatch(d, m, sent)) {
            m.discard();
            RequestRefusal busy = new RequestRefusal(
                    RefusalCode.RESOURCE_ALLOCATION,
                    "the broker is too busy to accept a message for " + d.name + ": send again later");
            if (kept) {
                sent(request, producer, busy);
            } else {
                refuse(request, producer, null, busy);
            }
        } else if (!kept) {
            session.replies.ok(request);
        }
    }

    private boolean dispatch(Destination d, Message m, SendCallback sent) {
        if (d.loop.equals(session.loop)) {
            d.acceptUnlessDeleted(m, sent);
            return true;
        }
        return d.loop.offer(() -> d.acceptUnlessDeleted(m, sent));
    }

    private void sent(int request, int producer, @Nullable RequestRefusal failure) {
        answer(request, producer, failure);
        session.quiet.end();
    }

    private void answer(int request, int producer, @Nullable RequestRefusal failure) {
        if (session.isClosed()) {
            return;
        }
        if (failure == null) {
            session.replies.ok(request);
        } else {
            refuse(request, producer, null, failure);
        }
    }

    private void refuse(int request, int producer, @Nullable Work work, RequestRefusal r) {
        if (work != null) {
            work.failed(r);
        }
        if (request == 0) {
            session.replies.oneWayFailed(producer, r);
        } else {
            session.replies.refused(request, r);
        }
    }

    // waiting for room

    private void await(Destination d, Message m, Quota quota, Order order, long millis) throws RequestRefusal {
        MessageMemory memory = engine.quotas().memory();
        boolean never = m.size() > quota.bounds().bytes()
                || quota.bounds().messages() == 0
                || memory.never(m.size(), d.further());
        if (millis == 0
                || never
                || waiting.size() >= engine.config().limits().waitingSendsPerSession()
                || !memory.startWaiting(m.size())) {
            m.discard();
            quota.countRefused();
            throw full(d, quota, m.size(), 0);
        }
        m.settleDown();
        d.counts.quotaWaits.incrementAndGet();
        WaitingSend w = new WaitingSend(d, m, quota, order, millis);
        waiting.add(w);
        session.quiet.begin();
        w.timer = session.loop.after(millis * 1_000_000, () -> w.end(QuotaWaiter.Outcome.TIMED_OUT));
        quota.await(w);
        if (d.isRetired() || !d.quota().equals(quota)) {
            // it was removed, or got another quota, between the check and this
            quota.failWaiters(d.name);
        }
    }

    private static RequestRefusal full(Destination d, Quota quota, int size, long waited) {
        return new RequestRefusal(
                RefusalCode.RESOURCE_ALLOCATION,
                "no room for " + d.name
                        + (waited > 0 ? ", after " + waited + " ms, " : " ")
                        + quota.full(size, d.further())
                        + ", or wait longer (send-timeout)");
    }

    /** A send that waits for room in its destination's quota. */
    private final class WaitingSend extends QuotaWaiter {
        private final Destination destination;
        private final Message message;
        private final Quota quota;
        private final Order order;
        private final long millis;
        private BrokerLoop.@Nullable Timer timer;

        WaitingSend(Destination destination, Message message, Quota quota, Order order, long millis) {
            super(session.loop, message.size());
            this.destination = destination;
            this.message = message;
            this.quota = quota;
            this.order = order;
            this.millis = millis;
        }

        @Override
        public int further() {
            return destination.further();
        }

        @Override
        public boolean isFor(DestinationName name) {
            return destination.name.equals(name);
        }

        /** The destination may have been paused or removed meanwhile: then more room would not help. */
        private RequestRefusal refusal() {
            Work work = order.work();
            try {
                if (work != null) {
                    work.checkOpen();
                }
                destination.admit(message.size());
                if (!destination.quota().equals(quota)) {
                    return new RequestRefusal(
                            RefusalCode.RESOURCE_ALLOCATION,
                            "the quota of " + destination.name
                                    + " was changed while the message waited for room: send it again");
                }
                return full(destination, quota, message.size(), millis);
            } catch (RequestRefusal r) {
                return r;
            }
        }

        @Override
        public void ended(Outcome how) {
            if (timer != null) {
                timer.cancel();
            }
            waiting.remove(this);
            engine.quotas().memory().stopWaiting(message.size());
            if (how == Outcome.GRANTED) {
                message.charged(quota, taken());
                granted();
            } else {
                RequestRefusal why = refusal();
                message.discard();
                quota.countRefused();
                quota.cancelled(this);
                if (!session.isClosed()) {
                    refuse(order.request(), order.producer(), order.work(), why);
                }
            }
            session.quiet.end();
        }

        private void granted() {
            if (session.isClosed()) {
                message.discard();
                return;
            }
            try {
                // permissions may have changed since it arrived
                destination.admit(message.size());
                authorise(destination);
            } catch (RequestRefusal r) {
                message.discard();
                refuse(order.request(), order.producer(), order.work(), r);
                return;
            }
            Work work = order.work();
            if (work != null) {
                grantedIn(work);
            } else {
                hand(destination, message, order.request(), order.producer());
            }
        }

        private void grantedIn(Work work) {
            try {
                work.send(destination, message);
                session.replies.ok(order.request());
            } catch (RequestRefusal r) {
                refuse(order.request(), order.producer(), null, r);
            }
        }
    }

    /** Aborts waiting sends when the session ends. */
    void close() {
        for (WaitingSend w : List.copyOf(waiting)) {
            w.end(QuotaWaiter.Outcome.FAILED);
        }
        forgetProducers();
    }

    private void forgetProducers() {
        for (Destination d : producers.values()) {
            d.counts.producers.decrementAndGet();
        }
        producers.clear();
    }
}
