package io.weir.proxy.program.run;

import io.weir.base.ConfigProblem;
import io.weir.base.Stats;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A compiled program: objects with directives that every request runs through. Immutable, shared by all loops; a live
 * change of the configuration creates a new one, and a request ends with the one that it started with.
 */
public final class Program {
    /** The object in which every request starts. */
    public static final String DEFAULT_OBJECT = "default";

    private final Map<String, ProgramObject> objects;
    private final List<PpathObject> byPath;
    private final ProgramObject start;
    private final VirtualServers virtualServers;
    private final DestinationRules destinations;
    private final int restarts;
    private final boolean output;
    private final PerformanceBuckets buckets;
    private final List<ConfigProblem> notes;

    private record PpathObject(Guard selects, ProgramObject object) {}

    /**
     * A program.
     *
     * @param notes what its author should look at, although it runs
     */
    public Program(
            Map<String, ProgramObject> objects,
            VirtualServers virtualServers,
            DestinationRules destinations,
            int restarts,
            PerformanceBuckets buckets,
            List<ConfigProblem> notes) {
        this.buckets = buckets;
        this.notes = List.copyOf(notes);
        this.objects = new LinkedHashMap<>(objects);
        ProgramObject first = objects.get(DEFAULT_OBJECT);
        if (first == null) {
            throw new IllegalArgumentException("a program needs an object called " + DEFAULT_OBJECT);
        }
        this.start = first;
        this.byPath = byPath(objects);
        this.virtualServers = virtualServers;
        this.destinations = destinations;
        this.restarts = restarts;
        this.output = objects.values().stream()
                .anyMatch(o -> !o.directives(Stage.FILTER).isEmpty()
                        || !o.directives(Stage.OUTPUT).isEmpty());
    }

    private static List<PpathObject> byPath(Map<String, ProgramObject> objects) {
        List<ProgramObject> found = new ArrayList<>();
        for (ProgramObject o : objects.values()) {
            if (o.ppath() != null) {
                found.add(o);
            }
        }
        found.sort(Comparator.comparingInt(o -> String.valueOf(o.ppath()).length()));
        return found.stream().map(o -> new PpathObject(selects(o), o)).toList();
    }

    private static Guard selects(ProgramObject object) {
        Guard own = object.selects();
        if (own != null) {
            return own;
        }
        PathPattern pattern = Patterns.parse(PathMatch.WILDCARD, String.valueOf(object.ppath()));
        return run -> pattern.matches(run.input.pathBytes, run.input.pathFrom, run.input.pathTo);
    }

    /** Shows the counters of the buckets before any call. */
    public void begin(Stats stats) {
        buckets.begin(stats);
        for (ProgramObject object : objects.values()) {
            for (Stage stage : Stage.values()) {
                for (Directive directive : object.directives(stage)) {
                    PerformanceBucket bucket = directive.bucket();
                    if (bucket != null) {
                        bucket.begin(stats);
                    }
                }
            }
        }
    }

    /** Its performance buckets. */
    public PerformanceBuckets buckets() {
        return buckets;
    }

    /** What its author should look at, each with its place. */
    public List<ConfigProblem> notes() {
        return notes;
    }

    /** All objects in the order in which they were written. */
    public List<ProgramObject> objects() {
        return List.copyOf(objects.values());
    }

    /** Whether a directive names this function. */
    public boolean uses(String function) {
        return objects.values().stream()
                .flatMap(o -> Arrays.stream(Stage.values()).flatMap(stage -> o.directives(stage).stream()))
                .anyMatch(d -> d.function().name().equals(function));
    }

    public @Nullable ProgramObject object(String name) {
        return objects.get(name);
    }

    /** The origins that requests are fetched from, by {@code set-origin-server}, and the proxies, by {@code set-proxy-server}. */
    public List<OriginRoute> originRoutes() {
        List<OriginRoute> routes = new ArrayList<>();
        for (ProgramObject object : objects.values()) {
            for (Directive d : object.directives(Stage.ROUTE)) {
                switch (d.step()) {
                    case OriginStep step -> routes.add(step.route());
                    case ParentStep step -> routes.add(step.proxies());
                    default -> {}
                }
            }
        }
        return routes;
    }

    public VirtualServers virtualServers() {
        return virtualServers;
    }

    /** Whether any directive is in Filter or Output. */
    public boolean hasOutput() {
        return output;
    }

    /** The rules for the forward proxy and tunnels. */
    public DestinationRules destinations() {
        return destinations;
    }

    /** Whether the directive adds an object that may refuse requests; one whose name depends on the request may. */
    boolean namesChecks(Directive directive) {
        String name = directive.function().object(directive.parameters());
        ProgramObject object = name == null ? null : objects.get(name);
        return object == null ? directive.function().name().equals(ServerFunction.ASSIGN_NAME) : object.checks();
    }

    ProgramObject start() {
        return start;
    }

    int restarts() {
        return restarts;
    }

    /** How many objects have a partial path. */
    int pathObjects() {
        return byPath.size();
    }

    /** The {@code i}th object with a partial path, shortest pattern first, if its pattern matches; else null. */
    @Nullable
    ProgramObject byPath(int i, FunctionContext run) {
        PpathObject p = byPath.get(i);
        try {
            return p.selects().holds(run) ? p.object() : null;
        } catch (RuntimeException e) {
            run.objectFailed(p.object(), e);
            return null;
        }
    }
}
