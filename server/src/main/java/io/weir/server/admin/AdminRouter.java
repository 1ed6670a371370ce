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
 * in {@code /*} stands for all below it; an exact path wins over such, a longer one over a shorter one.
 */
public final class AdminRouter {
    /** Where a handler runs. */
    public enum Where {
        /** As {@link #LOOP}, at once: it is cheap, and is answered under any load. */
        FIRST,
        /**
         * On the admin loop, one after the other: never waits for anything, neither a lock nor a disk nor another loop.
         */
        LOOP,
        /** On one of the few admin threads: may block. */
        THREAD
    }

    /** A registered handler. */
    sealed interface Route {}

    /** One that answers where it is called. */
    record Now(Where where, AdminHandler handler) implements Route {}

    /** One that is written once for all who ask at the same time. */
    record Shared(Function<AdminRequest, String> question, AdminHandler view, Finish finish) implements Route {}

    /** One that answers when it can. */
    record Later(LaterHandler handler) implements Route {}

    /** Makes of what all are answered what one of them is. Called on the admin loop. */
    @FunctionalInterface
    public interface Finish {
        /** The answer to one request. */
        AdminAnswer of(AdminRequest request, AdminAnswer shared);
    }

    /** What was found: a route, or the methods that the path knows (none: there is no such path). */
    record Match(@Nullable Route route, String allowed) {}

    private final Map<String, Map<String, Route>> exact = new LinkedHashMap<>();
    private final TreeMap<String, Map<String, Route>> below = new TreeMap<>();
    private final Set<String> vital = new HashSet<>();

    /** Registers a view that answers on the loop; HEAD comes with it. */
    public AdminRouter get(String path, AdminHandler view) {
        return on("GET", path, Where.LOOP, view);
    }

    /** Registers a view that is cheap and must be available under any load; HEAD comes with it. */
    public AdminRouter first(String path, AdminHandler view) {
        return on("GET", path, Where.FIRST, view);
    }

    /**
     * Registers a view that answers on the loop, before those of {@link #get}, and is written once for all who ask the
     * same at the same time: however many ask, the next one waits no longer; HEAD comes with it.
     *
     * @param question what of a request the view depends on; there must be few that differ
     * @param finish adds what only one of them asked for
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
     * @throws IllegalStateException when the method and path are taken
     */
    public AdminRouter on(String method, String path, Where where, AdminHandler handler) {
        return put(method, path, new Now(where, handler));
    }

    /**
     * Registers a handler whose answer comes from elsewhere: no thread waits for it, however many ask.
     *
     * @throws IllegalStateException when the method and path are taken
     */
    public AdminRouter later(String method, String path, LaterHandler handler) {
        return put(method, path, new Later(handler));
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
     * Registers a handler that changes something, on an admin thread. It gets no parameter that it does not know: what
     * was meant as a limit of the change would be none.
     *
     * @param parameters all that the query may have; those that end in a question mark are true, which is also no
     * value, or false
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
                        + (known.isEmpty() ? "none" : String.join(", ", known).replace("?", ""));
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
