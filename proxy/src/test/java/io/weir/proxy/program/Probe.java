package io.weir.proxy.program;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** A function for tests that stands in every stage: it records its {@code mark} and does what the test says. */
final class Probe implements ServerFunction {
    final List<String> marks = new ArrayList<>();
    final Map<String, Function<ProgramRun, StepOutcome>> deeds = new HashMap<>();
    private final Map<String, Runnable> work = new HashMap<>();
    private final String name;

    Probe(String name) {
        this.name = name;
    }

    /** What the directive with this mark does; others decline. */
    Probe does(String mark, Function<ProgramRun, StepOutcome> deed) {
        deeds.put(mark, deed);
        return this;
    }

    /** What the directive with this mark does on a thread of its pool. */
    void works(String mark, Runnable deed) {
        work.put(mark, deed);
    }

    Probe answers(String mark, StepOutcome outcome) {
        return does(mark, _ -> outcome);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Stage> stages() {
        return EnumSet.allOf(Stage.class);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of(ParameterSpec.of("mark", ParameterSpec.Type.TEXT, "busy", "what is recorded"));
    }

    @Override
    public String doc() {
        return "Records that it ran.";
    }

    @Override
    public Step prepare(Parameters parameters) {
        String mark = parameters.need("mark");
        return new Marked(mark);
    }

    private final class Marked implements Step {
        private final String mark;

        Marked(String mark) {
            this.mark = mark;
        }

        @Override
        public StepOutcome run(FunctionContext run) {
            marks.add(mark);
            return deeds.getOrDefault(mark, _ -> StepOutcome.NOACTION).apply((ProgramRun) run);
        }

        @Override
        public Supplier<Step> detach(FunctionContext run) {
            return () -> {
                marks.add(mark + " elsewhere");
                work.getOrDefault(mark, () -> {}).run();
                return this;
            };
        }
    }
}
