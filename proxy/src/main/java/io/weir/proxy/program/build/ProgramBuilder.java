package io.weir.proxy.program.build;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Nearest;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.functions.LeftOut;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.Directive;
import io.weir.proxy.program.run.Guard;
import io.weir.proxy.program.run.ParameterCheck;
import io.weir.proxy.program.run.PerformanceBucket;
import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramObject;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes objects and directives from the sources, checks them, and builds the program. Every problem is recorded with
 * its place. Used once; not thread-safe.
 */
public final class ProgramBuilder {
    /** The pool that the Sun proxy always has; the default work manager if none is called so. */
    private static final String NATIVE_POOL = "NativePool";

    private static final Set<Stage> NEVER_WAIT = EnumSet.of(Stage.FILTER, Stage.OUTPUT, Stage.ADD_LOG);

    private final FunctionCatalogue functions;
    private final WorkPools pools;
    private final VirtualServers virtualServers;
    private final Map<String, ObjectText> objects = new LinkedHashMap<>();
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ConfigProblem> notes = new ArrayList<>();
    private final Map<String, ConfigNode.Place> referenced = new LinkedHashMap<>();
    private final Map<String, String> functionPools = new HashMap<>();
    private PerformanceBuckets buckets;

    private static final class ObjectText {
        private final @Nullable String ppath;
        private final @Nullable Guard selects;
        private final Map<Stage, List<Directive>> stages = new EnumMap<>(Stage.class);

        private ObjectText(@Nullable String ppath, @Nullable Guard selects) {
            this.ppath = ppath;
            this.selects = selects;
        }
    }

    /**
     * Common parameters of a directive: {@code bucket=}, {@code pool=}, {@code busy=}, and the request class in that
     * pool; null if not given.
     */
    public record Common(
            @Nullable String bucket,
            @Nullable String pool,
            @Nullable String busy,
            @Nullable String requestClass) {
        public Common(@Nullable String bucket, @Nullable String pool, @Nullable String busy) {
            this(bucket, pool, busy, null);
        }

        /** None of them. */
        public static final Common NONE = new Common(null, null, null);
    }

    /**
     * The parameters of a directive.
     *
     * @param values by name; some may be repeated
     * @param places where each was written; those that are missing are at the directive
     */
    public record Written(Map<String, List<String>> values, Map<String, ConfigNode.Place> places) {}

    public ProgramBuilder(FunctionCatalogue functions, WorkPools pools, VirtualServers virtualServers) {
        this.functions = functions;
        this.pools = pools;
        this.virtualServers = virtualServers;
        this.buckets = PerformanceBuckets.predefined(virtualServers);
        object(Program.DEFAULT_OBJECT, null);
    }

    /** Sets the performance buckets that directives may name, before the first directive. */
    public void buckets(PerformanceBuckets all) {
        buckets = all;
    }

    /** Sets the work manager of a function's directives that name none, before the first directive. */
    public void functionPool(String function, String pool, ConfigNode.Place at, String key) {
        if (functions.find(function) == null) {
            problem(at, key, "there is no function \"" + function + "\"" + Nearest.known(function, functions.names()));
        }
        known("work manager", pool, pools.names(), at, key);
        functionPools.put(FunctionCatalogue.key(function), pool);
    }

    /** Declares an object; a repeated name denotes the same object. */
    public void object(String name, @Nullable String ppath) {
        object(name, ppath, null);
    }

    /**
     * Declares an object; a repeated name denotes the same object.
     *
     * @param selects which requests the ppath means; null: it is a wildcard over their paths
     */
    public void object(String name, @Nullable String ppath, @Nullable Guard selects) {
        objects.computeIfAbsent(name, _ -> new ObjectText(ppath, selects));
    }

    /** Adds a directive that always applies, except for its own {@code from}. */
    public void add(String object, Stage stage, String function, Map<String, String> parameters, ConfigNode.Place at) {
        add(object, stage, function, single(parameters), RuleCondition.ALWAYS, Common.NONE, at, at.toString());
    }

    private static Map<String, List<String>> single(Map<String, String> parameters) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        parameters.forEach((name, value) -> lists.put(name, List.of(value)));
        return lists;
    }

    /**
     * Adds a directive.
     *
     * @param when when it applies; a {@code from} parameter adds its path
     * @param key the configuration key for problems, such as {@code proxy.routes[3]}
     */
    public void add(
            String object,
            Stage stage,
            String function,
            Map<String, List<String>> parameters,
            RuleCondition when,
            Common common,
            ConfigNode.Place at,
            String key) {
        ServerFunction f = function(stage, function, at, key);
        if (f != null) {
            add(object, stage, f, new Written(parameters, Map.of()), when, null, common, at, key);
        }
    }

    /** The function of this name, if it may be used in the stage; null: it was reported why not. */
    public @Nullable ServerFunction function(Stage stage, String function, ConfigNode.Place at, String key) {
        ServerFunction f = functions.find(function);
        if (f == null) {
            String reason = LeftOut.reason(function);
            String nearest = Nearest.of(function, functions.names());
            problem(
                    at,
                    key,
                    reason != null
                            ? "the function \"" + function + "\" of the Sun servers is left out: " + reason
                            : "unknown function \"" + function + "\""
                                    + (nearest == null ? "" : "; did you mean \"" + nearest + "\"?"));
            return null;
        }
        if (!f.stages().contains(stage)) {
            problem(
                    at,
                    key,
                    "function \"" + function + "\" cannot stand in " + stage.word() + ", only in "
                            + String.join(
                                    ", ",
                                    f.stages().stream()
                                            .map(Stage::word)
                                            .sorted()
                                            .toList()));
            return null;
        }
        return f;
    }

    /**
     * Adds a directive.
     *
     * @param f may be used in the stage
     * @param guard a further condition, evaluated for each request; null: none
     */
    public void add(
            String object,
            Stage stage,
            ServerFunction f,
            Written parameters,
            RuleCondition when,
            @Nullable Guard guard,
            Common common,
            ConfigNode.Place at,
            String key) {
        int before = problems.size();
        BusyFunction busy = BusyFunction.of(functions, common.busy(), what -> problem(at, key, what));
        Parameters checked = ParameterCheck.of(
                f,
                busy.without(f, parameters.values()),
                (name, what) -> problem(parameters.places().getOrDefault(name, at), key, what));
        ServerFunction.Step instead = busy.prepare(
                parameters.values(), (name, what) -> problem(parameters.places().getOrDefault(name, at), key, what));
        if (problems.size() == before) {
            prepare(f, stage, checked, when, guard, common, instead, at, key, directive -> place(object, directive));
        }
    }

    /**
     * The stage of a function that supports only one, any of its stages if it is unknown; null: it supports several.
     */
    public @Nullable Stage stageOf(String function) {
        ServerFunction f = functions.find(function);
        if (f == null) {
            return Stage.PATH_CHECK;
        }
        return f.stages().size() == 1 ? f.stages().iterator().next() : null;
    }

    private void place(String object, Directive directive) {
        object(object, null);
        ObjectText text = objects.get(object);
        if (text != null) {
            text.stages
                    .computeIfAbsent(directive.stage(), _ -> new ArrayList<>())
                    .add(directive);
        }
        String name = directive.function().object(directive.parameters());
        if (name != null) {
            referenced.putIfAbsent(name, directive.place());
        }
    }

    private void prepare(
            ServerFunction f,
            Stage stage,
            Parameters checked,
            RuleCondition when,
            @Nullable Guard guard,
            Common common,
            ServerFunction.@Nullable Step busy,
            ConfigNode.Place at,
            String key,
            Consumer<Directive> into) {
        try {
            String pool = poolOf(f, stage, common.pool());
            if (pool != null && NEVER_WAIT.contains(stage)) {
                problem(
                        at,
                        key,
                        "functions of " + stage.word() + " run on the request's loop: none that blocks, no pool");
                return;
            }
            String named = WorkPools.OF_REQUEST.equals(pool) ? WorkPools.DEFAULT : pool;
            if (!runsUnder(named, common.requestClass(), at, key)) {
                return;
            }
            into.accept(new Directive(
                    stage,
                    f,
                    checked,
                    f.when(checked, when),
                    guard,
                    f.prepare(checked),
                    bucket(common.bucket(), at, key),
                    pool,
                    common.requestClass(),
                    busy,
                    at));
        } catch (IllegalArgumentException e) {
            problem(at, key, f.name() + ": " + e.getMessage());
        }
    }

    /** Whether a work manager and a request class exist; reports a missing one. Null: not specified. */
    public boolean runsUnder(@Nullable String pool, @Nullable String requestClass, ConfigNode.Place at, String key) {
        boolean there = known("work manager", pool, pools.names(), at, key);
        return known("request class", requestClass, pools.requestClasses(), at, key) && there;
    }

    private boolean known(String what, @Nullable String name, Set<String> all, ConfigNode.Place at, String key) {
        if (name == null || all.contains(name)) {
            return true;
        }
        problem(at, key, "there is no " + what + " \"" + name + "\"" + Nearest.known(name, all));
        return false;
    }

    /** The work manager of a directive: its own, else its function's; names are the same in any case. */
    private @Nullable String poolOf(ServerFunction f, Stage stage, @Nullable String named) {
        String ofFunction = NEVER_WAIT.contains(stage) ? null : functionPools.get(FunctionCatalogue.key(f.name()));
        String pool = named == null ? ofFunction : named;
        if (pool == null) {
            return f.blocks() ? WorkPools.OF_REQUEST : null;
        }
        if (pools.names().contains(pool)) {
            return pool;
        }
        return pools.names().stream()
                .filter(pool::equalsIgnoreCase)
                .findFirst()
                .orElse(pool.equalsIgnoreCase(NATIVE_POOL) ? WorkPools.DEFAULT : pool);
    }

    private @Nullable PerformanceBucket bucket(@Nullable String name, ConfigNode.Place at, String key) {
        String undeclared = buckets.undeclared(name);
        if (undeclared != null) {
            notes.add(new ConfigProblem(at, key, undeclared));
        }
        return name == null || name.equals(PerformanceBuckets.DEFAULT) ? null : buckets.named(name);
    }

    /** The directives of a stage, of all objects. */
    public List<Directive> directives(Stage stage) {
        return objects.values().stream()
                .flatMap(object -> object.stages.getOrDefault(stage, List.of()).stream())
                .toList();
    }

    /** Reports a problem of a source. */
    public void problem(ConfigNode.Place at, String key, String what) {
        problems.add(new ConfigProblem(at, key, what));
    }

    /** Adds what the program's author should look at, although it runs. */
    public void note(ConfigNode.Place at, String key, String what) {
        notes.add(new ConfigProblem(at, key, what));
    }

    /** How many problems there are so far. */
    public int problemCount() {
        return problems.size();
    }

    /** Every problem so far. */
    public List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    /**
     * Builds the program; reports objects that directives refer to but that are not declared.
     *
     * @return null if there is any problem
     */
    public @Nullable Program build(DestinationRules destinations, int restarts) {
        referenced.forEach((name, at) -> {
            if (!objects.containsKey(name)) {
                String nearest = Nearest.of(name, objects.keySet());
                problem(
                        at,
                        "",
                        "no object is called \"" + name + "\""
                                + (nearest == null ? "" : "; did you mean \"" + nearest + "\"?"));
            }
        });
        if (!problems.isEmpty()) {
            return null;
        }
        Map<String, ProgramObject> made = new LinkedHashMap<>();
        objects.forEach((name, text) ->
                made.put(name, new ProgramObject(name, text.ppath, text.selects, text.stages, virtualServers)));
        return new Program(made, virtualServers, destinations, restarts, buckets, notes);
    }
}
