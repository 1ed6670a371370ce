package io.weir.proxy.pool;

import org.jspecify.annotations.Nullable;

/**
 * One muxer's selection state of a pool: its balancers, its retry budget. Confined to that muxer; lives as long as its
 * pool.
 */
final class Chooser {
    private final ServerPool pool;
    private final int muxer;
    private final Balancer roundRobin;
    private final Balancer leastOutstanding;
    private final Balancer hash = new Rendezvous();
    private final RetryBudget budget = new RetryBudget();
    private int[] weights = new int[4];

    Chooser(ServerPool pool, int muxer) {
        this.pool = pool;
        this.muxer = muxer;
        this.roundRobin = new RoundRobin(muxer);
        this.leastOutstanding = new LeastOutstanding(muxer);
    }

    ServerPool pool() {
        return pool;
    }

    int muxer() {
        return muxer;
    }

    RetryBudget budget() {
        return budget;
    }

    /** A server that admits this request, or null; {@link Attempts#refusal()} is then the reason. */
    @Nullable
    PoolServer pick(Attempts a) {
        PoolServer[] servers = pool.members();
        PoolRules rules = pool.rules();
        if (servers.length == 1
                && rules.outstanding() == 0
                && servers[0].health().up()
                && !a.tried(servers[0])) {
            return a.take(servers[0], false, false);
        }
        PoolServer routed = a.sticky() == null ? null : byRoute(servers, a);
        return routed == null ? balanced(servers, rules, a) : routed;
    }

    private @Nullable PoolServer byRoute(PoolServer[] servers, Attempts a) {
        PoolServer found = find(servers, a.sticky());
        if (found == null) {
            pool.counts().stickyUnknown.increment();
            return null;
        }
        boolean taken = !a.tried(found) && found.health().share() > 0 && take(found, a) == Taken.YES;
        (taken ? pool.counts().stickyFollowed : pool.counts().stickyStrayed).increment();
        return taken ? found : null;
    }

    private static @Nullable PoolServer find(PoolServer[] servers, @Nullable String route) {
        for (PoolServer s : servers) {
            if (s.route().equals(route)) {
                return s;
            }
        }
        return null;
    }

    private enum Taken {
        YES,
        BUSY,
        NO
    }

    private @Nullable PoolServer balanced(PoolServer[] servers, PoolRules rules, Attempts a) {
        int[] w = room(servers.length);
        for (int i = 0; i < servers.length; i++) {
            w[i] = a.tried(servers[i])
                    ? 0
                    : servers[i].weight() * servers[i].health().share();
        }
        boolean busy = false;
        int i = choose(servers, w, rules, a);
        while (i >= 0) {
            Taken taken = take(servers[i], a);
            if (taken == Taken.YES) {
                return servers[i];
            }
            busy |= taken == Taken.BUSY;
            w[i] = 0;
            i = choose(servers, w, rules, a);
        }
        return busy || a.onlyUp() || rules.whenAllDown() == WhenAllDown.REFUSE
                ? a.refused(busy ? PoolRefusal.BUSY : PoolRefusal.DOWN)
                : chooseDown(servers, w, rules, a);
    }

    /** No server is up: chooses one that is down, as a last resort. */
    private @Nullable PoolServer chooseDown(PoolServer[] servers, int[] w, PoolRules rules, Attempts a) {
        for (int i = 0; i < servers.length; i++) {
            w[i] = a.tried(servers[i]) ? 0 : servers[i].weight();
        }
        boolean busy = false;
        int i = choose(servers, w, rules, a);
        while (i >= 0) {
            if (held(servers[i], rules)) {
                return a.take(servers[i], false, rules.outstanding() > 0);
            }
            busy = true;
            w[i] = 0;
            i = choose(servers, w, rules, a);
        }
        return a.refused(busy ? PoolRefusal.BUSY : PoolRefusal.DOWN);
    }

    private int choose(PoolServer[] servers, int[] w, PoolRules rules, Attempts a) {
        Balancer balancer = switch (rules.balance()) {
            case ROUND_ROBIN -> roundRobin;
            case LEAST_OUTSTANDING -> leastOutstanding;
            case HASH -> a.keyed() ? hash : roundRobin;
        };
        return balancer.choose(servers, w, a.key());
    }

    private Taken take(PoolServer s, Attempts a) {
        PoolRules rules = pool.rules();
        if (!held(s, rules)) {
            return Taken.BUSY;
        }
        Admission admission = s.health().admit();
        if (admission == Admission.REFUSED) {
            if (rules.outstanding() > 0) {
                s.release();
            }
            return Taken.NO;
        }
        a.take(s, admission == Admission.TRIAL, rules.outstanding() > 0);
        return Taken.YES;
    }

    private static boolean held(PoolServer s, PoolRules rules) {
        if (rules.outstanding() == 0 || s.hold(rules.outstanding())) {
            return true;
        }
        s.countBusy();
        return false;
    }

    private int[] room(int n) {
        if (weights.length < n) {
            weights = new int[n];
        }
        return weights;
    }
}
