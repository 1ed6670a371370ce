package io.weir.proxy;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.ServerFunction;
import java.util.List;
import java.util.Set;

/** A function without parameters that does what a test wants. */
record TestFunction(String name, Stage stage, Step step) implements ServerFunction {
    @Override
    public Set<Stage> stages() {
        return Set.of(stage);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of();
    }

    @Override
    public String doc() {
        return "Does what a test wants.";
    }

    @Override
    public Step prepare(Parameters parameters) {
        return step;
    }
}
