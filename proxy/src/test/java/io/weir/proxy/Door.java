package io.weir.proxy;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.List;
import java.util.Set;

/** A function that lets nobody pass to the origin who says that he is from outside (X-From). */
final class Door implements ServerFunction {
    @Override
    public String name() {
        return "door";
    }

    @Override
    public Set<Stage> stages() {
        return Set.of(Stage.CONNECT);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of();
    }

    @Override
    public String doc() {
        return "Refuses those from outside.";
    }

    @Override
    public Step prepare(Parameters parameters) {
        return run -> run.request().head().fields().combined("X-From") == null
                ? StepOutcome.NOACTION
                : run.abort(ProxyFault.DENIED);
    }
}
