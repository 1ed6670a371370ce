package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.program.objconf.ObjConfReader;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.proxy.program.objconf.ObjConfReader.WrittenObject;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.Section;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An {@code obj.conf} as routes: its program is followed for all kinds of requests that its conditions tell apart, and each
 * kind becomes a route, in an order in which the first that matches is the right one. Used once.
 */
public final class ObjConfMigration {
    /** Most routes that are made. */
    private static final int MAX_ROUTES = 10_000;

    private final Section root;
    private final Findings findings;
    private final ObjConfTunnels tunnels;
    private final Set<FollowedRequest.Remark> told = new HashSet<>();
    private boolean full;

    public ObjConfMigration(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
        tunnels = new ObjConfTunnels(findings);
    }

    /** A flag as NSAPI reads it. */
    static boolean on(@Nullable String value) {
        return value != null && Boolean.TRUE.equals(Parameters.flag(value));
    }

    /**
     * Translates objects; Init lines are left to {@link SunSettings}.
     *
     * @param variables of the configuration
     */
    public void translate(ObjConfReader.Read read, Map<String, String> variables) {
        ObjConfProgram program = ObjConfProgram.of(read);
        Set<String> servers = root.has("virtual-servers")
                ? root.section("virtual-servers").entries().keySet()
                : Set.of();
        ObjConfConditions conditions = new ObjConfConditions(servers, variables);
        ObjConfRoutes drafts = new ObjConfRoutes(root, findings, program);
        List<List<RouteDraft>> classes = new ArrayList<>();
        List<String> hosts = new ArrayList<>(program.hosts());
        hosts.add("");
        List<String> asked = new ArrayList<>(program.asksForServer() ? servers : Set.of());
        asked.add("");
        for (String server : asked) {
            for (String host : hosts) {
                RequestKind kind = RequestKind.of(server, host);
                List<RouteDraft> routes = new ArrayList<>();
                explore(program, conditions, kind, drafts, routes);
                classes.add(routes);
            }
        }
        boolean forwarding = classes.stream().flatMap(List::stream).anyMatch(r -> r.body.has("forward"));
        tunnels(program, conditions, drafts, forwarding);
        write(program, DecisionList.ordered(classes, forwarding), forwarding);
        ObjConfCache.disk(root, findings);
        drafts.rest();
        List<WrittenObject> ofUrls = program.byPath().stream()
                .filter(o -> String.valueOf(o.ppath()).matches("\\^?https?://.*"))
                .toList();
        if (!ofUrls.isEmpty()) {
            drafts.unserved(program);
        }
        ofUrls.forEach(o -> findings.note(
                o.at(),
                "ppath=" + o.ppath() + ": in the source it is for clients of the forward proxy; what it sets or"
                        + " refuses applies to paths of this server, too"));
    }

    /** Adds a route for each kind of requests among these, in an order in which the first that matches is right. */
    private void explore(
            ObjConfProgram program,
            ObjConfConditions conditions,
            RequestKind kind,
            ObjConfRoutes drafts,
            List<RouteDraft> into) {
        RequestKind.Before before = kind.before();
        List<PathTest> excluded = new ArrayList<>();
        List<List<RouteDraft>> parts = new ArrayList<>();
        Set<Integer> ofMethods = new HashSet<>();
        while (true) {
            FollowedRequest followed = new FollowedRequest(program, conditions, kind);
            followed.follow();
            RequestKind.Question question = kind.question();
            List<RouteDraft> part = new ArrayList<>();
            parts.add(part);
            if (question == null || full()) {
                part.add(leaf(followed, kind, drafts));
                break;
            }
            RequestKind.Before here = kind.before();
            switch (question) {
                case RequestKind.Question.OfPath(PathTest test) -> {
                    kind.only(test);
                    explore(program, conditions, kind, drafts, part);
                    kind.back(test, here);
                    kind.without(test);
                    excluded.add(test);
                }
                case RequestKind.Question.OfMethod(Set<String> methods) -> {
                    ofMethods.add(parts.size() - 1);
                    Set<String> first = kind.partsHead(methods) ? Set.of("HEAD") : methods;
                    kind.only(first);
                    explore(program, conditions, kind, drafts, part);
                    kind.restore(here);
                    kind.without(first);
                }
            }
        }
        excluded.reversed().forEach(kind::backWithout);
        kind.restore(before);
        join(parts, ofMethods, into);
    }

    /**
     * Parts that could not be told apart from what follows need not be, if all of it refuses.
     *
     * @param ofMethods the parts for some methods: the last one is for others
     */
    private static void join(List<List<RouteDraft>> parts, Set<Integer> ofMethods, List<RouteDraft> into) {
        boolean refuses = true;
        Deque<List<RouteDraft>> kept = new ArrayDeque<>();
        for (int i = parts.size() - 1; i >= 0; i--) {
            List<RouteDraft> part = parts.get(i);
            boolean all = part.stream().allMatch(r -> r.refuses() && !r.lost);
            boolean vague = part.stream().anyMatch(r -> r.vague != null);
            if (kept.isEmpty() || ofMethods.contains(i) || !(refuses && all && vague)) {
                kept.push(part);
            }
            refuses &= all;
        }
        kept.forEach(into::addAll);
    }

    private int made;

    private boolean full() {
        if (made >= MAX_ROUTES && !full) {
            full = true;
            findings.left(
                    Place.of("obj.conf"),
                    "conditions",
                    "they make more than " + MAX_ROUTES + " routes; the rest is refused");
        }
        return full;
    }

    private RouteDraft leaf(FollowedRequest followed, RequestKind kind, ObjConfRoutes drafts) {
        made++;
        for (FollowedRequest.Remark r : followed.remarks()) {
            if (told.add(r)) {
                findings.left(r.at(), r.what(), r.why());
            }
        }
        return drafts.route(followed, kind, full);
    }

    private void tunnels(
            ObjConfProgram program, ObjConfConditions conditions, ObjConfRoutes drafts, boolean forwarding) {
        for (String port : program.ports()) {
            tunnel(program, conditions, drafts, port, forwarding);
        }
        tunnel(program, conditions, drafts, null, forwarding);
    }

    /** @param port null: those that are not named */
    private void tunnel(
            ObjConfProgram program,
            ObjConfConditions conditions,
            ObjConfRoutes drafts,
            @Nullable String port,
            boolean forwarding) {
        FollowedRequest followed = new FollowedRequest(program, conditions, RequestKind.tunnels(port));
        followed.follow();
        followed.doubtful()
                .forEach(o -> findings.left(
                        o.at(), "ppath=" + o.ppath(), "tunnels are limited by ports only; it opens none"));
        WrittenObject named = followed.named();
        Written service = followed.service();
        Place from = named != null ? named.at() : service != null ? service.at() : Place.of("obj.conf");
        RouteDraft set = followed.opens() ? drafts.tunnel(followed, from) : null;
        boolean opens = set != null && !set.refuses();
        boolean doubt = followed.mayOpen()
                && (followed.closed() || followed.applied().stream().anyMatch(a -> !a.surely()));
        if (set != null && opens && (named != null || forwarding)) {
            tunnels.open(port, named != null, from, set);
            return;
        }
        tunnels.refuse(port);
        if ((opens || doubt)
                && named == null
                && port == null
                && !program.ports().isEmpty()) {
            findings.note(
                    from,
                    "CONNECT: the source may tunnel to each port that no ppath names, and no route does; add those that are"
                            + " used to connect.ports of a route");
        } else if ((opens || doubt) && named == null && port != null && !forwarding) {
            findings.note(from, "CONNECT: the source may tunnel, too; as no route forwards, none does");
        } else if (doubt
                && (named != null || port != null)
                && !followed.remarks().isEmpty()) {
            FollowedRequest.Remark why = followed.remarks().getFirst();
            findings.left(
                    why.at(),
                    "CONNECT" + (port == null ? "" : " to port " + port),
                    "no route says which tunnels are refused (" + why.what() + "); there are none");
        }
    }

    private void write(ObjConfProgram program, List<RouteDraft> routes, boolean forwarding) {
        List<Section> list = root.section("proxy").list("routes");
        for (RouteDraft r : routes) {
            list.add(r.section());
            if (r.vague != null) {
                findings.left(
                        r.at,
                        r.vague,
                        "no route has all of the patterns that apply here; what this one matches is refused");
            }
        }
        tunnels.write(list);
        if (forwarding || tunnels.any()) {
            WrittenObject start = program.start();
            findings.left(
                    start == null ? Place.of("obj.conf") : start.at(),
                    "clients of the forward proxy",
                    "obj.conf admits every client, Weir only this machine until proxy.destinations.clients names networks");
        }
        if (list.isEmpty()) {
            Section nothing = new Section();
            nothing.section("respond").put("status", "404").put("body", "Nothing is configured for this address.\n");
            list.add(nothing);
        }
    }
}
