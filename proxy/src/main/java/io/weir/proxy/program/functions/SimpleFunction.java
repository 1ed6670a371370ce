package io.weir.proxy.program.functions;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.ServerFunction;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A function made of its declaration and lambdas. Immutable. */
final class SimpleFunction implements ServerFunction {
    private final String name;
    private final Set<Stage> stages;
    private final List<ParameterSpec> parameters;
    private final String doc;
    private final Function<Parameters, Step> prepare;
    private final BiFunction<Parameters, RuleCondition, RuleCondition> when;
    private final boolean names;
    private final Function<String, @Nullable ParameterSpec> further;
    private final Set<String> files;

    private SimpleFunction(
            String name,
            Set<Stage> stages,
            List<ParameterSpec> parameters,
            String doc,
            Function<Parameters, Step> prepare,
            BiFunction<Parameters, RuleCondition, RuleCondition> when,
            boolean names,
            Function<String, @Nullable ParameterSpec> further,
            Set<String> files) {
        this.name = name;
        this.stages = Set.copyOf(stages);
        this.parameters = List.copyOf(parameters);
        this.doc = doc;
        this.prepare = prepare;
        this.when = when;
        this.names = names;
        this.further = further;
        this.files = files;
    }

    static SimpleFunction of(
            String name,
            Set<Stage> stages,
            String doc,
            List<ParameterSpec> parameters,
            Function<Parameters, Step> prepare) {
        return new SimpleFunction(
                name, stages, parameters, doc, prepare, (_, when) -> when, false, _ -> null, Set.of());
    }

    /** The same function with its {@code from} as the path of its condition, unless a source has set one already. */
    SimpleFunction from(PathMatch match) {
        return new SimpleFunction(
                name,
                stages,
                parameters,
                doc,
                prepare,
                (p, when) -> {
                    String from = p.text("from");
                    return from == null || when.path() != null ? when : narrowed(when, match, from);
                },
                names,
                further,
                files);
    }

    private static RuleCondition narrowed(RuleCondition when, PathMatch match, String from) {
        String text = match == PathMatch.PREFIX ? LiteralPath.stripped(from) : from;
        return new RuleCondition(
                when.hosts(),
                when.virtualServer(),
                new RuleCondition.PathRule(match, text),
                when.methods(),
                when.forms());
    }

    /** The same function, with {@code name} as the name of an object. */
    SimpleFunction naming() {
        return new SimpleFunction(name, stages, parameters, doc, prepare, when, true, further, files);
    }

    /** The same function with the condition that its parameters make. */
    SimpleFunction when(BiFunction<Parameters, RuleCondition, RuleCondition> condition) {
        return new SimpleFunction(name, stages, parameters, doc, prepare, condition, names, further, files);
    }

    /**
     * The same function with an expression over the path as its condition too, so that a path that origins read in
     * another way does not pass it.
     */
    SimpleFunction narrowedBy(String path, PathMatch match) {
        return when((p, when) -> {
            String text = p.text(path);
            return text == null || when.path() != null ? when : narrowed(when, match, text);
        });
    }

    /** The same function with parameters whose names are not known beforehand. */
    SimpleFunction further(Function<String, @Nullable ParameterSpec> declared) {
        return new SimpleFunction(name, stages, parameters, doc, prepare, when, names, declared, files);
    }

    /** The same function, which reads the files that these parameters name. */
    SimpleFunction reading(String... named) {
        return new SimpleFunction(name, stages, parameters, doc, prepare, when, names, further, Set.of(named));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Stage> stages() {
        return stages;
    }

    @Override
    public List<ParameterSpec> parameters() {
        return parameters;
    }

    @Override
    public @Nullable ParameterSpec further(String parameter) {
        return further.apply(parameter);
    }

    @Override
    public boolean constant(String parameter) {
        return files.contains(parameter);
    }

    @Override
    public String doc() {
        return doc;
    }

    @Override
    public Step prepare(Parameters p) {
        return prepare.apply(p);
    }

    @Override
    public RuleCondition when(Parameters p, RuleCondition when) {
        return this.when.apply(p, when);
    }

    @Override
    public @Nullable String object(Parameters p) {
        return names ? p.text("name") : null;
    }
}
