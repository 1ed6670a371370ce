package io.weir.proxy.members;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.pool.Hashing;
import io.weir.proxy.pool.OriginKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Which member of the cluster owns a key: the one that fetches it from the origin for all, and keeps it on its disk.
 * Others ask it, and keep what they are often asked for in memory. Rendezvous hashing over the live members: when one
 * comes or goes, only its keys move. Shared; one for each proxy; inactive without a cluster.
 */
public final class CacheOwners {
    /** The name of the listener for this server's other processes: none that a configuration can have. */
    public static final String PROCESSES = "(processes)";

    /** Most URLs remembered as changed by unsafe requests. */
    private static final int CHANGED = 10_000;

    /** Immutable. */
    private record Table(@Nullable Owner self, List<Owner> all) {
        boolean active() {
            return self != null && all.size() > 1;
        }
    }

    private final Counter answered;
    private final Counter failed;
    private final Counter refused;
    private final Counter absent;
    private final Counter continued;
    private final Counter cut;
    private final Counter served;
    private final Counter strangers;
    private volatile Table table = new Table(null, List.of());
    private volatile Consumer<OriginKey> left = _ -> {};
    private volatile MemberPeers peers = MemberPeers.NONE;
    private final Map<UriTarget, Long> changed = new LinkedHashMap<>();
    private long changes;
    private volatile boolean anyChanged;

    public CacheOwners(Stats stats) {
        answered = stats.counter(MemberStats.ASKED, "answered");
        failed = stats.counter(MemberStats.ASKED, "failed");
        refused = stats.counter(MemberStats.ASKED, "refused");
        absent = stats.counter(MemberStats.ASKED, "absent");
        continued = stats.counter(MemberStats.CONTINUED);
        cut = stats.counter(MemberStats.CUT);
        served = stats.counter(MemberStats.SERVED);
        strangers = stats.counter(MemberStats.STRANGERS);
        stats.gauge(MemberStats.OWNERS, () -> table.all().size());
    }

    /** The cluster is there; without its members so far. */
    public void join(MemberPeers with) {
        peers = with;
    }

    /** Called with each member that is no longer one of the cluster, or has another address. */
    public void whenLeft(Consumer<OriginKey> told) {
        left = told;
    }

    /** The live members that answer others, this one among them; of those that stay the state is kept. */
    public void members(String self, List<Owner> now) {
        Table before = table;
        List<Owner> all = new ArrayList<>();
        Owner own = null;
        for (Owner o : now) {
            Owner known = before.all().stream().filter(o::same).findFirst().orElse(o);
            all.add(known);
            if (o.name().equals(self)) {
                own = known;
            }
        }
        table = new Table(own, List.copyOf(all));
        // after the table: what begins from now on asks those that stayed
        for (Owner o : before.all()) {
            if (!all.contains(o) && !o.name().equals(self)) {
                left.accept(o.key());
            }
        }
    }

    /** Whether there is another member to ask. */
    public boolean active() {
        return table.active();
    }

    /** The hash of a key, the same at all members. */
    public static long hash(byte[] key) {
        return Hashing.of(key, 0, key.length);
    }

    /** The hash of a key's URI, which determines the owner: all variants and virtual servers of a URL have the same. */
    public static long place(byte[] key) {
        return Hashing.of(key, 0, KeyBuilder.uriLength(key));
    }

    /**
     * Whether this member keeps the key on its disk: it owns it, or there is no other, or the owner does not answer and
     * this one stands in for it.
     */
    public boolean mine(byte[] key) {
        Table t = table;
        return !t.active() || best(t, place(key), null, o -> !o.failing()) == null;
    }

    /** The member to ask; null: this one fetches from the origin itself. */
    public @Nullable Owner first(long place, long nowNanos) {
        return best(table, place, null, o -> !o.rests(nowNanos));
    }

    /** The member to ask after another one failed; null: this one fetches from the origin itself. */
    public @Nullable Owner after(Owner failing, long place, long nowNanos) {
        return best(table, place, failing, o -> !o.rests(nowNanos));
    }

    /** Another member asks for this key: those that own it before this one do not answer there. */
    public void asked(byte[] key) {
        Table t = table;
        Owner self = t.self();
        if (self == null) {
            return;
        }
        long place = place(key);
        for (Owner o : t.all()) {
            if (o.draw(place) > self.draw(place)) {
                o.suspected();
            }
        }
    }

    /**
     * The member with the highest draw.
     *
     * @param below only members with a lower draw than this one; null: all
     * @param eligible of the others
     * @return null if it is this member
     */
    private static @Nullable Owner best(Table t, long place, @Nullable Owner below, Predicate<Owner> eligible) {
        Owner self = t.self();
        if (self == null) {
            return null;
        }
        Owner best = null;
        for (Owner o : t.all()) {
            boolean may = (below == null || o.draw(place) < below.draw(place)) && (o.same(self) || eligible.test(o));
            if (may && (best == null || o.draw(place) > best.draw(place))) {
                best = o;
            }
        }
        return best == null || best.same(self) ? null : best;
    }

    /** The name of the member that owns a key, for monitoring; empty without others. */
    public String nameOfOwner(byte[] key) {
        Table t = table;
        Owner self = t.self();
        if (self == null || !t.active()) {
            return "";
        }
        Owner best = best(t, place(key), null, _ -> true);
        return best == null ? self.name() : best.name();
    }

    /** For a connection to another member; null: without TLS. */
    public @Nullable SSLEngine engine(String host, int port) {
        return peers.client(host, port);
    }

    /** How far this member's cache has followed the cluster's purges. */
    public String position() {
        return peers.position();
    }

    /** Whether this member's cache has followed the purges as far as the one that asks. */
    public boolean reached(String position) {
        return peers.reached(position);
    }

    // ---- unsafe requests

    /**
     * What is stored for a URL is out of date, because an unsafe request passed this member: its owner, which did not
     * see it, is asked to validate.
     */
    public void changed(UriTarget target) {
        if (!active()) {
            return;
        }
        synchronized (changed) {
            changed.remove(target);
            changed.put(target, ++changes);
            if (changed.size() > CHANGED) {
                changed.remove(changed.keySet().iterator().next());
            }
            anyChanged = true;
        }
    }

    /** Whether there is any such URL; cheap. */
    public boolean anyChanged() {
        return anyChanged;
    }

    /** The number of the change that the owner of this URL must validate; 0: it need not. */
    public long changeOf(UriTarget target) {
        synchronized (changed) {
            return changed.getOrDefault(target, 0L);
        }
    }

    /** The owner has validated it. */
    public void validated(UriTarget target, long change) {
        synchronized (changed) {
            changed.remove(target, change);
            anyChanged = !changed.isEmpty();
        }
    }

    // ---- counters

    /** The owner answered. */
    public void answered() {
        answered.inc();
    }

    /** The owner could not be reached, or did not answer in time. */
    public void failed() {
        failed.inc();
    }

    /** The owner answers that it cannot: this member asks the origin. */
    public void refused() {
        refused.inc();
    }

    /** The owner was asked for what it may have stored, and has not: this member asks the origin. */
    public void absent() {
        absent.inc();
    }

    /** An owner failed within its answer, and the rest is requested from the origin. */
    public void continued() {
        continued.inc();
    }

    /** An owner failed within its answer, and the origin did not give the rest. */
    public void cut() {
        cut.inc();
    }

    /** A connection to the listener for the other processes was not theirs. */
    public void stranger() {
        strangers.inc();
    }

    /** A request of another member is answered here. */
    public void served() {
        served.inc();
    }
}
