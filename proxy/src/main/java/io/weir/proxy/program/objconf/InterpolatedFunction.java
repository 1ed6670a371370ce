package io.weir.proxy.program.objconf;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ParameterCheck;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A function with parameters that are evaluated for each request: it is prepared for the values that they have then. The
 * steps of the values that came lately are kept. Shared by all loops.
 */
final class InterpolatedFunction implements ServerFunction {
    /** Steps that are kept, at most; then all are dropped. */
    private static final int MAX_STEPS = 256;

    private final ServerFunction function;
    private final Map<String, List<Template>> templates;
    private final RunInput.Surroundings surroundings;

    /** Steps of longer values are not kept. */
    private static final int MAX_KEPT = 1024;

    /** @param templates the parameters to evaluate */
    InterpolatedFunction(
            ServerFunction function, Map<String, List<Template>> templates, RunInput.Surroundings surroundings) {
        this.function = function;
        this.templates = templates;
        this.surroundings = surroundings;
    }

    @Override
    public String name() {
        return function.name();
    }

    @Override
    public Set<Stage> stages() {
        return function.stages();
    }

    /** Those of the function; what is evaluated is not missed. */
    @Override
    public List<ParameterSpec> parameters() {
        return function.parameters().stream()
                .map(spec -> templates.containsKey(spec.name())
                        ? new ParameterSpec(
                                spec.name(),
                                spec.type(),
                                spec.fallback(),
                                false,
                                spec.repeatable(),
                                spec.words(),
                                spec.doc())
                        : spec)
                .toList();
    }

    /** What is evaluated is shown as it is written. */
    @Override
    public String written(Parameters constants) {
        List<String> words = new ArrayList<>();
        String fixed = constants.toString();
        if (!fixed.isEmpty()) {
            words.add(fixed);
        }
        templates.forEach((name, some) -> some.forEach(t -> words.add(name + "=\"" + t.written() + "\"")));
        return String.join(" ", words);
    }

    @Override
    public @Nullable ParameterSpec further(String name) {
        return function.further(name);
    }

    @Override
    public String doc() {
        return function.doc();
    }

    @Override
    public boolean blocks() {
        return function.blocks();
    }

    @Override
    public RuleCondition when(Parameters parameters, RuleCondition when) {
        return function.when(parameters, when);
    }

    @Override
    public @Nullable String object(Parameters parameters) {
        return function.object(parameters);
    }

    @Override
    public Step prepare(Parameters constants) {
        return new Dynamic(constants);
    }

    private final class Dynamic implements Step {
        private final Parameters constants;
        private final Map<List<List<String>>, Step> steps = new ConcurrentHashMap<>();

        private Dynamic(Parameters constants) {
            this.constants = constants;
        }

        @Override
        public StepOutcome run(FunctionContext run) {
            return step(run).run(run);
        }

        @Override
        public Supplier<Step> detach(FunctionContext run) {
            return step(run).detach(run);
        }

        private Step step(FunctionContext run) {
            RunInput input = new RunInput(run, surroundings);
            List<List<String>> values = new ArrayList<>(templates.size());
            int length = 0;
            for (List<Template> some : templates.values()) {
                List<String> texts = new ArrayList<>(some.size());
                for (Template template : some) {
                    String text = template.text(input);
                    if (text != null) {
                        texts.add(text);
                        length += text.length();
                    }
                }
                values.add(texts);
            }
            Step known = steps.get(values);
            if (known == null) {
                known = made(values);
                if (length > MAX_KEPT) {
                    return known;
                }
                if (steps.size() >= MAX_STEPS) {
                    steps.clear();
                }
                steps.put(values, known);
            }
            return known;
        }

        /** @throws IllegalArgumentException if a value is not what the function accepts: the request fails */
        private Step made(List<List<String>> values) {
            Map<String, List<String>> all = new LinkedHashMap<>();
            constants.names().forEach(name -> all.put(name, constants.all(name)));
            int i = 0;
            for (String name : templates.keySet()) {
                List<String> evaluated = values.get(i++);
                if (!evaluated.isEmpty()) {
                    List<String> both = new ArrayList<>(all.getOrDefault(name, List.of()));
                    both.addAll(evaluated);
                    all.put(name, both);
                }
            }
            return function.prepare(ParameterCheck.of(function, all, what -> {
                throw new IllegalArgumentException(what);
            }));
        }
    }
}
