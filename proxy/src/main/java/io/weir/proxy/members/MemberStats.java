package io.weir.proxy.members;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of requests between members' caches. */
public final class MemberStats {
    public static final StatSpec ASKED = StatSpec.counter(
            "weir_cache_owner_requests_total",
            "requests",
            "Requests to the member or process that owns a key, instead of the origin, by result: answered; failed: it could not be"
                    + " reached or did not answer in time; refused: it could not answer, as one that has not applied"
                    + " all purges; absent: it has not what a HEAD or a Range asks for. After the last three the next"
                    + " member or the origin is asked.",
            "result");
    public static final StatSpec CONTINUED = StatSpec.counter(
            "weir_cache_owner_continued_total",
            "answers",
            "Answers of which the owner sent a part before it failed, and whose rest was requested from the origin.");
    public static final StatSpec CUT = StatSpec.counter(
            "weir_cache_owner_cut_total",
            "answers",
            "Answers of which the owner sent a part before it failed, and that ended there: the rest could not be requested,"
                    + " or the origin did not give it. Those of clients that had left meanwhile are among them.");
    public static final StatSpec SERVED = StatSpec.counter(
            "weir_cache_member_requests_total",
            "requests",
            "Requests of other members, or processes, that this one's cache received, because it owns the key.");
    public static final StatSpec OWNERS = StatSpec.gauge(
            "weir_cache_owners",
            "members",
            "Live members of the cluster, or processes of this server, whose caches answer each other, this one"
                    + " included.");
    public static final StatSpec STRANGERS = StatSpec.counter(
            "weir_cache_strangers_total",
            "connections",
            "Connections to the listener for the caches of this server's other processes that were not theirs: another"
                    + " program on this machine tried. One that ends without having spoken wrongly is not counted: it"
                    + " may be a process that had to wait too long.");

    public static final List<StatSpec> ALL = List.of(ASKED, CONTINUED, CUT, SERVED, OWNERS, STRANGERS);

    private MemberStats() {}
}
