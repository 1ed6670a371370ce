package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.proxy.program.objconf.ObjConfReader.WrittenObject;
import io.weir.server.migrate.draft.Methods;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The way of requests of a kind through the objects, by the order of stages: which directives apply to them, where
 * NameTrans leads, and what serves them. Where that is unknown they are refused. Used once.
 */
final class FollowedRequest {
    private static final Set<String> LEADING = Set.of("map", "redirect", "pac-map", "pat-map");
    private static final Set<String> VIEWS =
            Set.of("service-dump", "stats-xml", "service-nsc-dump", "service-nsfc-dump");
    private static final Set<String> ELSEWHERE = Set.of("regexp-map", "pfx2dir");

    /** An object that applies; {@code surely}: to all of the requests. */
    private record Held(WrittenObject object, boolean surely) {}

    /** A directive that applies; {@code surely}: to all of the requests. */
    record Applied(Written directive, boolean surely) {}

    /** What is told about a directive. */
    record Remark(Place at, String what, String why) {}

    private final ObjConfProgram program;
    private final ObjConfConditions conditions;
    private final RequestKind kind;
    private final List<Held> held = new ArrayList<>();
    private final List<Applied> applied = new ArrayList<>();
    private final List<Remark> remarks = new ArrayList<>();
    private @Nullable Written leads;
    private boolean slash;
    private @Nullable Written service;
    private @Nullable Set<String> allowed;
    private boolean methodRefused;
    private boolean closed;
    /** Directives of objects whose ppath is over URLs; places tell those of one text apart. */
    private final Set<Written> ofUrls = new HashSet<>();

    private boolean mayOpen;

    FollowedRequest(ObjConfProgram program, ObjConfConditions conditions, RequestKind kind) {
        this.program = program;
        this.conditions = conditions;
        this.kind = kind;
    }

    /** Directives of all stages but NameTrans and Service, those of the most specific object first. */
    List<Applied> applied() {
        return applied;
    }

    List<Remark> remarks() {
        return remarks;
    }

    /** The directive of NameTrans that maps or answers; null: none. */
    @Nullable
    Written leads() {
        return leads;
    }

    /** Whether that only adds a slash. */
    boolean slash() {
        return slash;
    }

    /** The directive that serves; null: none. */
    @Nullable
    Written service() {
        return service;
    }

    /** The methods that it serves, if others may come; null: all that come. */
    @Nullable
    Set<String> allowed() {
        return allowed;
    }

    /** Whether its method is refused by allow or block. */
    boolean methodRefused() {
        return methodRefused;
    }

    /** Whether nobody knows what happens, so that it is refused. */
    boolean closed() {
        return closed;
    }

    /** Follows requests that begin in the default object. */
    void follow() {
        WrittenObject start = program.start();
        if (start != null) {
            held.add(new Held(start, true));
        }
        names();
        if (!kind.asks()) {
            apply();
            serve();
        }
    }

    /** Whether tunnels are opened, if nothing that applies refuses them. */
    boolean opens() {
        Written by = service;
        boolean fetches = leads == null || (leads.function().equals("map") && !slash);
        return by != null && by.function().equals("proxy-retrieve") && fetches && !methodRefused && !closed;
    }

    /** Whether some of the tunnels may be opened. */
    boolean mayOpen() {
        return mayOpen;
    }

    /** The last object for CONNECT that surely applies to tunnels; null: none. */
    @Nullable
    WrittenObject named() {
        return held.stream()
                .filter(h -> h.surely() && String.valueOf(h.object().ppath()).matches("\\^?connect:.*"))
                .map(Held::object)
                .reduce((a, b) -> b)
                .orElse(null);
    }

    /** The objects for CONNECT that may apply to tunnels. */
    List<WrittenObject> doubtful() {
        return held.stream()
                .filter(h -> !h.surely() && String.valueOf(h.object().ppath()).matches("\\^?connect:.*"))
                .map(Held::object)
                .toList();
    }

    private void names() {
        boolean pathsAdded = false;
        for (int i = 0; (i < held.size() || !pathsAdded) && !kind.asks(); i++) {
            if (i == held.size()) {
                pathsAdded = true;
                byPath();
                i--;
                if (held.size() == i + 1) {
                    return;
                }
                continue;
            }
            nameTrans(held.get(i));
        }
    }

    private void byPath() {
        for (WrittenObject o : program.byPath()) {
            Holds is = o.ppath() != null && o.ppath().equals("http:*") && !kind.isTunnel() && isFetched()
                    ? Holds.YES
                    : ObjConfConditions.selected(String.valueOf(o.ppath()), kind);
            if (is == Holds.MAYBE) {
                remarks.add(new Remark(o.at(), "ppath=" + o.ppath(), "no route says what it matches"));
            }
            if (is != Holds.NO) {
                add(o, is == Holds.YES);
                String ppath = String.valueOf(o.ppath());
                if (!ppath.startsWith("/") && !ppath.startsWith("*") && !ppath.equals("http:*")) {
                    ofUrls.addAll(o.directives());
                }
            }
        }
    }

    /** Whether an object of URLs serves, which is for requests of the forward proxy, and for what is mapped. */
    boolean servedByUrl() {
        return (service != null && ofUrls.contains(service))
                || applied.stream()
                        .anyMatch(a -> a.directive().stage().equals("Route") && ofUrls.contains(a.directive()));
    }

    /** Whether an object of URLs maps or answers. */
    boolean ledByUrl() {
        return leads != null && ofUrls.contains(leads);
    }

    /** Whether NameTrans has mapped the path to a URL of http. */
    private boolean isFetched() {
        Written w = leads;
        return w != null
                && w.function().equals("map")
                && String.valueOf(w.value("to")).startsWith("http:/");
    }

    private void add(WrittenObject object, boolean surely) {
        if (held.stream().noneMatch(h -> h.object().equals(object))) {
            held.add(new Held(object, surely));
        }
    }

    private Holds when(Held in, Written w) {
        Holds holds = conditions.holds(w.when(), kind, mapped());
        return in.surely() ? holds : holds.and(Holds.MAYBE);
    }

    /** How the path that {@code $path} means differs from that of the request; null: it does not. */
    private ObjConfConditions.@Nullable Mapped mapped() {
        Written w = leads;
        if (w == null || !w.function().equals("map") || slash) {
            return null;
        }
        String from = String.valueOf(w.value("from"));
        ObjConfConditions.Ppath url = from.startsWith("/") ? null : ObjConfConditions.ppath(from);
        String to = String.valueOf(w.value("to"));
        int path = to.startsWith("/") ? 0 : to.indexOf('/', to.indexOf("://") + 3);
        return ObjConfConditions.Mapped.of(url == null ? from : url.path(), path < 0 ? "/" : to.substring(path));
    }

    /** Directives of NameTrans up to the first that does something. */
    private void nameTrans(Held in) {
        boolean mayBeOver = false;
        for (Written w : in.object().directives()) {
            if (kind.asks()) {
                return;
            }
            if (!w.stage().equals("NameTrans")) {
                continue;
            }
            Holds when = when(in, w);
            String f = w.function().replace('_', '-');
            if (when == Holds.NO || f.equals("reverse-map")) {
                continue;
            }
            boolean known = f.equals("assign-name") || LEADING.contains(f);
            Holds is = known ? when.and(from(f, w)) : Holds.NO;
            if (!known) {
                elsewhere(f, w, when);
            } else if (is == Holds.MAYBE || (is == Holds.YES && mayBeOver)) {
                unknown(w, f);
                mayBeOver = true;
            } else if (is == Holds.YES && named(f, w)) {
                return;
            }
        }
    }

    private Holds from(String f, Written w) {
        String from = w.value("from");
        if (from == null) {
            return Holds.MAYBE;
        }
        return switch (f) {
            case "assign-name" -> ObjConfConditions.wildcard(from, kind);
            case "pac-map", "pat-map" -> {
                PathTest exact = from.startsWith("/") ? PathPatterns.same(from) : null;
                Holds path = exact == null ? Holds.MAYBE : kind.isPath(exact);
                yield path == Holds.NO ? path : path.and(kind.isMethod(List.of("GET", "HEAD")));
            }
            default -> ObjConfConditions.prefix(from, kind);
        };
    }

    /** Where nobody knows whether a directive of NameTrans applies. */
    private void unknown(Written w, String f) {
        WrittenObject target = program.target(w);
        boolean harmless = f.equals("assign-name")
                && target != null
                && target.directives().stream()
                        .noneMatch(d -> ObjConfSettings.refusing(d)
                                || Set.of("NameTrans", "Route", "Service").contains(d.stage()));
        String from = w.value("from");
        String what = "NameTrans fn=" + f + (from == null ? "" : " from=" + from);
        remarks.add(new Remark(
                w.at(),
                what,
                harmless
                        ? "no route says when it applies"
                        : "no route says when it applies; what it may concern is refused"));
        closed |= !harmless;
    }

    /** Functions that have no counterpart: what they would lead elsewhere is refused. */
    private void elsewhere(String f, Written w, Holds when) {
        String from = w.value("from");
        Holds is = Holds.NO;
        if (ELSEWHERE.contains(f) && from != null && from.startsWith("/")) {
            is = f.equals("pfx2dir")
                    ? ObjConfConditions.prefix(from, kind)
                    : ObjConfConditions.path(
                            io.weir.proxy.program.objconf.WrittenCondition.By.REGEX, "^(" + from + ")", kind);
        } else if (ELSEWHERE.contains(f)) {
            is = Holds.MAYBE;
        }
        boolean rewrites =
                Set.of("regexp-map", "host-map", "home-page", "strip-params").contains(f);
        remarks.add(new Remark(
                w.at(),
                "NameTrans fn=" + f,
                rewrites
                        ? "no route rewrites so; proxy.objects runs the file as it is"
                        : "Weir serves no files, and has no function of this name"));
        closed |= when.and(is) != Holds.NO || (rewrites && !ELSEWHERE.contains(f) && !f.equals("host-map"));
    }

    /** Applies a directive of NameTrans; false: the next one follows. */
    private boolean named(String f, Written w) {
        WrittenObject target = program.target(w);
        if (target == null
                && (f.equals("assign-name")
                        || w.parameters().stream().anyMatch(p -> p.name().equals("name")))) {
            remarks.add(new Remark(w.at(), f, "from and name must be constant, and the object must exist"));
            closed = true;
            return true;
        }
        if (LEADING.contains(f)) {
            lead(f, w);
        }
        if (target != null && !slash) {
            if (ofUrls.contains(w) && held.stream().noneMatch(h -> h.object().equals(target))) {
                ofUrls.addAll(target.directives());
            }
            add(target, true);
        }
        return !ObjConfMigration.on(w.value("cont"));
    }

    private void lead(String f, Written w) {
        if (leads != null || ObjConfMigration.on(w.value("cont"))) {
            remarks.add(new Remark(
                    w.at(), "NameTrans fn=" + f, "a route maps paths once; it refuses its requests instead"));
            closed = true;
            return;
        }
        String from = LiteralPath.of(String.valueOf(w.value("from")));
        if (f.equals("map") && from.length() > 1 && from.endsWith("/")) {
            PathTest bare = PathPatterns.same(from.substring(0, from.length() - 1));
            Holds is = bare == null ? Holds.NO : kind.isPath(bare);
            slash = is == Holds.YES;
        }
        leads = w;
    }

    /** Directives of the stages between NameTrans and Service, and of those behind. */
    private void apply() {
        for (Held in : held.reversed()) {
            for (Written w : in.object().directives()) {
                if (w.stage().equals("NameTrans") || w.stage().equals("Service")) {
                    continue;
                }
                Holds when = when(in, w);
                if (when == Holds.YES) {
                    applied.add(new Applied(w, true));
                } else if (when == Holds.MAYBE) {
                    maybe(w);
                }
            }
        }
    }

    private void maybe(Written w) {
        String what = w.stage() + " fn=" + w.function() + " in a block";
        if (w.stage().equals("Route") && w.function().startsWith("set")) {
            remarks.add(new Remark(w.at(), what, "no route says when it applies; what it may concern is refused"));
            closed = true;
        } else if (ObjConfSettings.refusing(w) || w.function().equals("cache-disable")) {
            remarks.add(new Remark(w.at(), what, "no route says when it applies, so it applies always"));
            applied.add(new Applied(w, false));
        } else {
            remarks.add(new Remark(w.at(), what, "no route says when it applies"));
        }
    }

    private void serve() {
        List<Applied> candidates = new ArrayList<>();
        for (Held in : held.reversed()) {
            for (Written w : in.object().directives()) {
                Holds when = w.stage().equals("Service") ? when(in, w) : Holds.NO;
                if (when == Holds.NO || (!kind.isTunnel() && methods(w).equals(Set.of("CONNECT")))) {
                    continue;
                }
                mayOpen |= w.function().equals("proxy-retrieve");
                candidates.add(new Applied(w, when == Holds.YES && !chosen(w)));
            }
        }
        for (int i = 0; i < candidates.size() && service == null && !closed; i++) {
            candidate(candidates.get(i), i == candidates.size() - 1 ? null : candidates.get(i + 1));
        }
    }

    /** Whether more than the method chooses it. */
    private static boolean chosen(Written w) {
        boolean ofItsOwn = Set.of("service-dump", "send-answer").contains(w.function());
        String type = ofItsOwn ? null : w.value("type");
        return (type != null && !type.equals("*"))
                || w.parameters().stream()
                        .anyMatch(p -> (p.name().equals("query") || p.name().equals("method"))
                                && (p.value() == null
                                        || (p.name().equals("query")
                                                && !p.value().equals("*"))));
    }

    private void candidate(Applied one, @Nullable Applied next) {
        Written w = one.directive();
        Set<String> methods = methods(w);
        boolean every = methods.contains("*");
        if (!every && !methods.stream().allMatch(m -> m.matches("[A-Z]+"))) {
            remarks.add(new Remark(w.at(), "method=" + w.value("method"), "expected names of methods"));
            closed = true;
            return;
        }
        boolean same = next != null && same(w, next.directive());
        if (!one.surely() && !same) {
            remarks.add(new Remark(
                    w.at(),
                    "Service fn=" + w.function(),
                    "no route says when it applies; what it may concern is refused"));
            closed = true;
            return;
        }
        if (!one.surely()) {
            return;
        }
        if (VIEWS.contains(w.function())
                && w.parameters().stream().noneMatch(p -> p.name().equals("method"))) {
            // a view refuses other methods than GET and HEAD itself
            service = w;
            return;
        }
        if (w.parameters().stream().noneMatch(p -> p.name().equals("method"))) {
            // OPTIONS and TRACE are for others
            if (next != null || !kind.methods().isEmpty()) {
                if (kind.isMethod(List.of("OPTIONS", "TRACE")) != Holds.NO) {
                    return;
                }
            } else {
                allowed = new TreeSet<>(Methods.without(List.of("OPTIONS")));
            }
        } else if (!every) {
            boolean ask = next != null || !kind.methods().isEmpty() || kind.partsHead(methods);
            if (ask && kind.isMethod(methods) != Holds.YES) {
                return;
            }
            allowed = ask ? null : methods;
        }
        permitted(w);
        service = w;
    }

    /** Methods that the directive's own allow and block permit. */
    private void permitted(Written w) {
        String allow = w.value("allow");
        String block = w.value("block");
        if (!w.function().equals("proxy-retrieve") || (allow == null && block == null)) {
            return;
        }
        if (kind.isTunnel()) {
            methodRefused = allow != null
                    ? !Methods.list(allow).contains("CONNECT")
                    : Methods.list(String.valueOf(block)).contains("CONNECT");
            return;
        }
        Set<String> permitted = new LinkedHashSet<>(
                allow != null ? Methods.list(allow) : Methods.without(Methods.list(String.valueOf(block))));
        if (kind.partsHead(permitted) || !kind.methods().isEmpty()) {
            Holds is = kind.isMethod(permitted);
            methodRefused = is == Holds.NO;
        } else if (allowed == null) {
            allowed = permitted;
        } else {
            Set<String> both = new TreeSet<>(allowed);
            both.retainAll(permitted);
            allowed = both;
        }
    }

    private static boolean same(Written a, Written b) {
        return a.function().equals(b.function()) && texts(a).equals(texts(b));
    }

    private static List<String> texts(Written w) {
        return w.parameters().stream().map(p -> p.name() + "=" + p.value()).toList();
    }

    /** The methods that a directive of Service names; an asterisk is every one. */
    private static Set<String> methods(Written w) {
        String method = w.value("method");
        if (method == null || method.equals("*")) {
            return Set.of("*");
        }
        boolean group = method.startsWith("(") && method.indexOf(')') == method.length() - 1;
        String bare = group ? method.substring(1, method.length() - 1) : method;
        return bare.indexOf('|') >= 0 && !group ? Set.of("?") : new TreeSet<>(List.of(bare.split("\\|", -1)));
    }
}
