package io.weir.server.admin;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which handler answers which method and path. Filled before the listener opens, read-only afterwards. A path that ends
 * in {@code /*} stands for all below it; an exact path wins over such a pattern, a longer pattern over a shorter one.
 */
public final class AdminRouter {
    /** What to do where a URL in the query seems to be cut. */
    public static final String ENCODED =
            ". A URL in a query is encoded, & as %26: curl -G --data-urlencode does that, and ./weir cache";

    /** Where a handler runs. */
    public enum Where {
        /** As {@link #LOOP}, at once: the handler is cheap, and answers under any load. */
        FIRST,
        /** On the admin loop, one after the other: the handler must not wait for a lock, a disk or another loop. */
        LOOP,
        /** On one of the few admin threads: may block. */
        THREAD
    }

    /** A registered handler. */
    sealed interface Route {}

    /** A handler that answers synchronously. */
    record Now(Where where, AdminHandler handler) implements Route {}

    /** A view that is built once for all clients that request it at the same time. */
    record Shared(Function<AdminRequest, String> question, AdminHandler view, Finish finish) implements Route {}

    /** A handler that answers asynchronously. */
    record Later(LaterHandler handler) implements Route {}

    /** Turns the shared answer into the answer to one request. Called on the admin loop. */
    @FunctionalInterface
    public interface Finish {
        /** The answer to one request. */
        AdminAnswer of(AdminRequest request, AdminAnswer shared);
    }

    /** The result of a lookup: a route, or the methods that the path allows (none: there is no such path). */
    record Match(@Nullable Route route, String allowed) {}

    private final Map<String, Map<String, Route>> exact = new LinkedHashMap<>();
    private final TreeMap<String, Map<String, Route>> below = new TreeMap<>();
    private final Set<String> vital = new HashSet<>();
    private boolean oneProcess;

    /** Registers a view that answers on the loop; HEAD is included. */
    public AdminRouter get(String path, AdminHandler view) {
        return on("GET", path, Where.LOOP, view);
    }

    /** Registers a view that is cheap and must be available under any load; HEAD is included. */
    public AdminRouter first(String path, AdminHandler view) {
        return on("GET", path, Where.FIRST, view);
    }

    /**
     * Registers a view that answers on the loop, before those of {@link #get}, and is built once for all clients that
     * request the same at the same time: however many there are, the next one waits no longer; HEAD is included.
     *
     * @param question the part of a request that the view depends on; it must have few different values
     * @param finish adds what only one of the requests needs
     */
    public AdminRouter shared(String path, Function<AdminRequest, String> question, AdminHandler view, Finish finish) {
        return put("GET", path, new Shared(question, view, finish));
    }

    /**
     * These paths are answered before others, and their clients' connections are not evicted when there are too many.
     */
    public AdminRouter vital(String... paths) {
        vital.addAll(List.of(paths));
        return this;
    }

    boolean isVital(String path) {
        return vital.contains(path);
    }

    /**
     * Registers a handler.
     *
     * @throws IllegalStateException if the method and path are registered already
     */
    public AdminRouter on(String method, String path, Where where, AdminHandler handler) {
        return put(method, path, new Now(where, handler));
    }

    /**
     * Registers a handler whose answer comes from elsewhere: no thread waits for it, however many requests there are.
     *
     * @throws IllegalStateException if the method and path are registered already
     */
    public AdminRouter later(String method, String path, LaterHandler handler) {
        return put(method, path, new Later(handler));
    }

    /**
     * The server has one process: a view of another one ({@code ?process=}) is refused. In stats-xml, {@code process}
     * is an element.
     */
    public AdminRouter oneProcess() {
        oneProcess = true;
        return this;
    }

    /** Why there is no such view, whatever the path; null if there is none. */
    @Nullable
    AdminAnswer refusal(AdminRequest request) {
        String process = request.parameter("process");
        return !oneProcess
                        || process == null
                        || process.equals("1")
                        || !request.method().equals("GET")
                        || request.path().startsWith("/stats-xml")
                ? null
                : AdminAnswer.problem(
                        400,
                        "Bad request",
                        "process is 1, because the server has one process (server.processes), not " + process + ".");
    }

    private AdminRouter put(String method, String path, Route route) {
        Map<String, Route> routes = path.endsWith("/*")
                ? below.computeIfAbsent(path.substring(0, path.length() - 1), _ -> new LinkedHashMap<>())
                : exact.computeIfAbsent(path, _ -> new LinkedHashMap<>());
        if (routes.putIfAbsent(method, route) != null) {
            throw new IllegalStateException(method + " " + path + " is registered twice");
        }
        return this;
    }

    /**
     * Registers a handler that changes something, on an admin thread. Unknown parameters are refused, because a
     * misspelled limit of the change would have no effect.
     *
     * @param parameters all that the query may have; those that end in a question mark are true (also without a value)
     * or false
     */
    public AdminRouter change(String method, String path, AdminHandler handler, String... parameters) {
        Set<String> known = new LinkedHashSet<>(List.of(parameters));
        return on(method, path, Where.THREAD, r -> {
            String wrong = wrong(r, known);
            return wrong == null
                    ? handler.answer(r)
                    : AdminAnswer.problem(400, "Bad request", wrong + ". Nothing was changed.");
        });
    }

    private static @Nullable String wrong(AdminRequest r, Set<String> known) {
        for (Map.Entry<String, String> given : r.query().entrySet()) {
            String name = given.getKey();
            if (known.contains(name + "?")) {
                if (!given.getValue().matches("(true|false)?")) {
                    return name + " is true or false, not " + given.getValue();
                }
            } else if (!known.contains(name)) {
                return "the query has '" + name + "', which " + r.method() + " " + r.path()
                        + " does not know; it knows "
                        + (known.isEmpty() ? "none" : String.join(", ", known).replace("?", ""))
                        + (known.contains("url") && r.parameter("url") != null ? ENCODED : "");
            }
        }
        return null;
    }

    /** Whether a GET of this path is answered by a handler. */
    public boolean answers(String path) {
        return find("GET", path).route() != null;
    }

    Match find(String method, String path) {
        Map<String, Route> routes = routes(path);
        if (routes == null) {
            return new Match(null, "");
        }
        Route route = routes.get(method.equals("HEAD") ? "GET" : method);
        return route == null ? new Match(null, allowed(routes)) : new Match(route, "");
    }

    private @Nullable Map<String, Route> routes(String path) {
        Map<String, Route> routes = exact.get(path);
        for (int slash = path.lastIndexOf('/');
                routes == null && slash >= 0;
                slash = path.lastIndexOf('/', slash - 1)) {
            routes = below.get(path.substring(0, slash + 1));
        }
        return routes;
    }

    private static String allowed(Map<String, Route> routes) {
        TreeSet<String> methods = new TreeSet<>(routes.keySet());
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return String.join(", ", methods);
    }
}
