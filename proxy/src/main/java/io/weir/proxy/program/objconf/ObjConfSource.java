package io.weir.proxy.program.objconf;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.weir.base.Chance;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.http.TargetForm;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.build.ProgramSource;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.match.RegexFault;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.match.RuleCondition.PathRule;
import io.weir.proxy.program.run.FaultSelector;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.Guard;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The language {@code obj.conf}: compiles each object to one of the program, and the conditions around its directives to
 * guards. Init lines are the configuration's, not the program's. Immutable.
 */
public final class ObjConfSource implements ProgramSource {
    /** Parameters of every directive, and those of Service that set its buffers. */
    private static final Set<String> COMMON = Set.of("bucket", "pool", "busy");

    private static final Set<String> BUFFERS =
            Set.of("UseOutputStreamSize", "flushTimer", "ChunkedRequestBufferSize", "ChunkedRequestTimeout");

    /** Variables by which the directives of a stage are chosen. */
    private static final Map<Stage, Set<String>> SELECTORS = Map.of(
            Stage.SERVICE, Set.of("method", "type", "query"),
            Stage.ERROR, Set.of("code", "reason"));

    private final String name;
    private final ObjText text;
    private final List<ConfigProblem> problems;
    private final Map<String, ConfigNode.Place> variables;
    private final RunInput.Surroundings surroundings;

    /** The files of {@code init-url-filter} by the names that {@code url-filter} uses. */
    private final Map<String, String> filters;

    private final List<String> types;

    /**
     * What the configuration says for directives.
     *
     * @param variables for {@code $name}
     * @param filters files by the names that {@code url-filter} uses, beside those of Init lines
     * @param types files of types for {@code type-by-extension} without one of its own; an earlier one counts first
     */
    public record Settings(Map<String, String> variables, Map<String, String> filters, List<String> types) {
        public Settings {
            variables = Map.copyOf(variables);
            filters = Map.copyOf(filters);
            types = List.copyOf(types);
        }
    }

    /** Without filters and types. */
    public ObjConfSource(String name, String text, Map<String, String> variables, Chance chance) {
        this(name, text, new Settings(variables, Map.of(), List.of()), chance);
    }

    /**
     * @param name of the file, for places
     * @param text what it holds
     * @param settings those of the configuration
     * @param chance for odds and choices
     */
    public ObjConfSource(String name, String text, Settings settings, Chance chance) {
        this.name = name;
        ObjParser parser = new ObjParser(name, text);
        this.text = parser.parse();
        this.problems = parser.problems();
        this.variables = parser.variables();
        this.filters = filters(name, this.text);
        this.filters.putAll(settings.filters());
        this.types = settings.types();
        this.surroundings =
                new RunInput.Surroundings(name, settings.variables(), new LookupFiles(), new SharedRandom(chance));
    }

    @Override
    public void compile(ProgramBuilder into) {
        problems.forEach(p -> into.problem(p.at(), p.key(), p.what()));
        UnknownVariables.report(text, variables, surroundings.variables().keySet(), into);
        boolean begun = text.objects().stream()
                .anyMatch(o -> o.name() != null && key(o.name()).equals(Program.DEFAULT_OBJECT));
        if (!begun && problems.isEmpty()) {
            // an empty or half-written file would otherwise be a program that answers nothing
            into.problem(
                    new ConfigNode.Place(name, 1, 1),
                    "",
                    "there is no <Object name=\"" + Program.DEFAULT_OBJECT + "\">, where every request begins");
        }
        Map<String, String> names = new HashMap<>();
        Map<String, ObjText.ObjectBlock> first = new HashMap<>();
        int n = 0;
        for (ObjText.ObjectBlock object : text.objects()) {
            String written = object.name() == null ? "ppath-" + ++n : object.name();
            // names of objects are the same in any case
            String name = names.computeIfAbsent(key(written), k -> k.equals(Program.DEFAULT_OBJECT) ? k : written);
            into.object(name, object.ppath(), selects(object, into));
            ObjText.ObjectBlock before = first.putIfAbsent(key(written), object);
            if (before != null && object.ppath() != null && !object.ppath().equals(before.ppath())) {
                // the first one counts: what this one protects would be open
                into.problem(
                        object.at(),
                        "",
                        "object \"" + written + "\" begins at line "
                                + before.at().line() + ", where its ppath must stand, or give this one another name");
            }
        }
        n = 0;
        for (ObjText.ObjectBlock object : text.objects()) {
            String written = object.name() == null ? "ppath-" + ++n : object.name();
            new ObjectCompiler(names.getOrDefault(key(written), written), names, into)
                    .items(object.items(), new Around(null, null));
            if (into.problemCount() >= ObjParser.MAX_PROBLEMS) {
                into.problem(object.at(), "", "there may be more problems, reading ends in this object");
                return;
            }
        }
    }

    private static Map<String, String> filters(String name, ObjText text) {
        Map<String, String> files = new HashMap<>();
        for (ObjText.Line init : text.inits()) {
            if (init.function().replace('_', '-').equals("init-url-filter")) {
                init.parameters().forEach(p -> {
                    String file = p.value().constant();
                    if (file != null) {
                        files.put(p.name(), BesideFile.path(name, file));
                    }
                });
            }
        }
        return files;
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * The Proxy Server's ppath is a regular expression over the URL, the Web Server's a wildcard over the path, which
     * begins with a slash or an asterisk, or over what a request was mapped to, {@code http:*}.
     */
    private static @Nullable Guard selects(ObjText.ObjectBlock object, ProgramBuilder into) {
        String ppath = object.ppath();
        if (ppath == null) {
            return null;
        }
        if (ppath.startsWith("/") || ppath.startsWith("*")) {
            String never = LiteralPath.problem(PathMatch.WILDCARD, ppath);
            if (never != null) {
                into.problem(object.at(), "", "ppath: " + never);
            }
            return null;
        }
        if (ppath.startsWith("http:") && !ppath.startsWith("http://")) {
            return fetched(ppath, object, into);
        }
        try {
            Pattern pattern = Pattern.compile(ppath);
            return run -> selects(pattern, run);
        } catch (PatternSyntaxException e) {
            into.problem(object.at(), "", "ppath: " + RegexFault.reason(e, ppath));
            return null;
        }
    }

    private static @Nullable Guard fetched(String ppath, ObjText.ObjectBlock object, ProgramBuilder into) {
        try {
            PathPattern pattern = Patterns.parse(PathMatch.WILDCARD, ppath);
            return run -> {
                String url = run.fetchedUrl();
                return url != null && Patterns.matches(pattern, url);
            };
        } catch (IllegalArgumentException e) {
            into.problem(object.at(), "", "ppath: " + e.getMessage());
            return null;
        }
    }

    /**
     * Whether it matches the URL that a client of the forward proxy names, of which that of a tunnel is
     * {@code connect://host:port}, or the path alone of another request; or what a request with a path is mapped to.
     */
    private static boolean selects(Pattern pattern, FunctionContext run) {
        TargetForm form = run.request().head().targetForm();
        if (form == TargetForm.AUTHORITY) {
            String port = ":" + run.port();
            return pattern.matches("connect://" + run.publicHost() + port)
                    || run.otherHosts().stream().anyMatch(host -> pattern.matches("connect://" + host + port));
        }
        String target = run.target();
        boolean named = form == TargetForm.ABSOLUTE || run.isHostMapped();
        if (pattern.matches(named ? run.publicOrigin() + target : target)) {
            return true;
        }
        String mapped = run.urlMappedTo();
        return (mapped != null && pattern.matches(mapped))
                || (named && run.otherOrigins().stream().anyMatch(origin -> pattern.matches(origin + target)));
    }

    /** The conditions around a directive, and what they demand of the path; null: nothing. */
    private record Around(@Nullable Guard guard, @Nullable PathRule path) {
        Around and(@Nullable Guard more, @Nullable PathRule inner) {
            return new Around(both(guard, more), inner == null ? path : inner);
        }
    }

    private static @Nullable Guard both(@Nullable Guard a, @Nullable Guard b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return run -> a.holds(run) && b.holds(run);
    }

    /** The path of the conditions around a directive is a rule for its index, unless its own is narrower. */
    private static RuleCondition when(Around around, Written written) {
        List<String> from = written.constants.getOrDefault("from", List.of("*"));
        return from.equals(List.of("*")) ? NecessaryPath.when(around.path()) : RuleCondition.ALWAYS;
    }

    /** Compiles what stands in one object. */
    private final class ObjectCompiler {
        private final String object;
        private final Map<String, String> names;
        private final ProgramBuilder into;

        private ObjectCompiler(String object, Map<String, String> names, ProgramBuilder into) {
            this.object = object;
            this.names = names;
            this.into = into;
        }

        private void items(List<ObjText.Item> items, Around around) {
            for (ObjText.Item item : items) {
                if (into.problemCount() >= ObjParser.MAX_PROBLEMS) {
                    return;
                }
                switch (item) {
                    case ObjText.Line line -> directive(line, around);
                    case ObjText.ClientBlock client ->
                        items(
                                client.items(),
                                around.and(
                                        ClientPatterns.of(client.patterns(), surroundings, this::problem),
                                        ClientPatterns.path(client.patterns())));
                    case ObjText.Branches branches -> branches(branches, around);
                }
            }
        }

        private void problem(ConfigNode.Place at, String what) {
            into.problem(at, "", what);
        }

        private void branches(ObjText.Branches branches, Around around) {
            // a loop, not guards within guards: there may be thousands of branches
            List<Guard> earlier = new ArrayList<>();
            for (ObjText.Branch branch : branches.branches()) {
                int before = earlier.size();
                Around none = before == 0 ? around : around.and(run -> none(earlier, before, run), null);
                Expression condition = branch.condition();
                if (condition == null) {
                    items(branch.items(), none);
                } else {
                    String never = NecessaryPath.never(condition);
                    if (never != null) {
                        problem(branch.at(), never);
                    }
                    Guard holds = run -> Values.truth(condition.evaluate(input(run)));
                    items(branch.items(), none.and(holds, NecessaryPath.of(condition)));
                    earlier.add(holds);
                }
            }
        }

        /** Whether none of the first so many holds. */
        private static boolean none(List<Guard> guards, int count, FunctionContext run) {
            for (int i = 0; i < count; i++) {
                if (guards.get(i).holds(run)) {
                    return false;
                }
            }
            return true;
        }

        /** The file that a parameter means, or null: it is no name of a filter. */
        private @Nullable String filter(ServerFunction f, String parameter, String text) {
            boolean names = f.name().equals("url-filter") && (parameter.equals("allow") || parameter.equals("deny"));
            return names ? filters.get(text) : null;
        }

        private String beside(String path) {
            return BesideFile.path(surroundings.file(), path);
        }

        private RunInput.Surroundings surroundings() {
            return surroundings;
        }

        private RunInput input(FunctionContext run) {
            return new RunInput(run, surroundings);
        }

        private void directive(ObjText.Line line, Around around) {
            Stage stage = ObjParser.stage(line.stage());
            ServerFunction f = into.function(stage, line.function(), line.at(), "");
            if (f == null) {
                return;
            }
            Written written = new Written(stage, f, this);
            line.parameters().forEach(written::take);
            if (!types.isEmpty() && f.name().equals("type-by-extension")) {
                written.constants.putIfAbsent("file", types);
            }
            boolean anyMethod = stage == Stage.SERVICE && !written.method;
            Guard guard = both(both(around.guard(), written.guard()), anyMethod ? ObjConfSource::served : null);
            into.add(
                    object,
                    stage,
                    written.templates.isEmpty() ? f : new InterpolatedFunction(f, written.templates, surroundings),
                    new ProgramBuilder.Written(written.constants, written.places),
                    when(around, written),
                    guard,
                    new ProgramBuilder.Common(
                            written.common.get("bucket"), written.common.get("pool"), written.common.get("busy")),
                    line.at(),
                    "");
        }
    }

    /** The parameters of one directive, sorted by what they are for. Used once. */
    private static final class Written {
        private final Stage stage;
        private final ServerFunction function;
        private final ObjectCompiler of;
        private final Set<String> own = new HashSet<>();
        private final Map<String, String> common = new HashMap<>();
        private final Map<String, List<String>> constants = new LinkedHashMap<>();
        private final Map<String, ConfigNode.Place> places = new HashMap<>();
        private final Map<String, List<Template>> templates = new LinkedHashMap<>();
        private @Nullable Guard guard;
        private boolean method;
        private int code;
        private @Nullable String reason;

        private Written(Stage stage, ServerFunction function, ObjectCompiler of) {
            this.stage = stage;
            this.function = function;
            this.of = of;
            function.parameters().forEach(spec -> own.add(spec.name()));
        }

        private void take(ObjText.Parameter p) {
            String name = p.subscript() == null ? p.name() : p.name() + "{" + p.subscript() + "}";
            String text = p.value().constant();
            boolean file = function.constant(name);
            if (text == null && file) {
                text = p.value().constant(of.surroundings().variables());
            }
            places.putIfAbsent(name, p.at());
            // proxy-retrieve's own method= is for routes
            boolean owned = own.contains(name) && !(stage == Stage.SERVICE && name.equals("method"));
            boolean selects = !owned && SELECTORS.getOrDefault(stage, Set.of()).contains(name);
            boolean buffers = !own.contains(name) && stage == Stage.SERVICE && BUFFERS.contains(name);
            if (text == null && (selects || buffers || COMMON.contains(name) || isReference(name))) {
                of.problem(p.at(), "\"" + name + "\" must be a constant");
            } else if (text == null) {
                templates.computeIfAbsent(name, _ -> new ArrayList<>()).add(p.value());
            } else if (selects && stage == Stage.ERROR) {
                fault(p, text);
            } else if (selects) {
                method |= name.equals("method");
                guard = both(guard, ClientPatterns.matches(name, p, text, of.surroundings(), of::problem));
            } else if (buffers) {
                number(p, text);
            } else if (COMMON.contains(name)) {
                if (common.put(name, text) != null) {
                    of.problem(p.at(), "\"" + name + "\" is given twice");
                }
            } else {
                String filter = of.filter(function, name, text);
                constants
                        .computeIfAbsent(filter == null ? name : name + "-file", _ -> new ArrayList<>())
                        .add(filter == null ? file ? of.beside(text) : named(name, text) : filter);
            }
        }

        private void fault(ObjText.Parameter p, String text) {
            if (p.name().equals("reason")) {
                reason = text;
            } else if (text.matches("[1-5][0-9][0-9]")) {
                code = Integer.parseInt(text);
            } else {
                of.problem(p.at(), "\"code\" is a status, found \"" + text + "\"");
            }
        }

        /** A directive of Error is for the faults of its code or reason. */
        private @Nullable Guard guard() {
            if (code == 0 && reason == null) {
                return guard;
            }
            FaultSelector selector = new FaultSelector(code, reason);
            return run -> {
                ProxyFault fault = run.fault();
                return fault != null && selector.selects(fault, run.faultStatus());
            };
        }

        /**
         * The reference's buffers: here nothing waits in a buffer for more, neither of an answer nor of a chunked
         * request, so that none has to be flushed by time.
         */
        private void number(ObjText.Parameter p, String text) {
            if (!text.matches("[0-9]{1,9}")) {
                of.problem(p.at(), "\"" + p.name() + "\" is a number of at most nine digits, found \"" + text + "\"");
            }
        }

        /** What names an object, or selects requests, cannot depend on the request. */
        private boolean isReference(String name) {
            return name.equals("from")
                    || function.constant(name)
                    || (name.equals("name") && function.stages().contains(Stage.NAME_TRANS));
        }

        /** The name of an object as it is declared. */
        private String named(String name, String text) {
            return isReference(name) && name.equals("name") ? of.names.getOrDefault(key(text), text) : text;
        }
    }

    /** Without method= a Service directive is for all methods but these two. */
    private static boolean served(FunctionContext run) {
        String method = run.request().head().method();
        return !method.equals("OPTIONS") && !method.equals("TRACE");
    }
}
