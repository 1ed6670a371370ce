package io.weir.lab.functions;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.util.List;
import java.util.Set;

/**
 * The function of the tuning guide's line of load-modules: tells the client the thread that it ran on. Configurations
 * may write its name with underscores, as the guide does. Shared.
 */
public final class UriCleanInit implements RequestFunction {
    @Override
    public String name() {
        return "pcheck-uri-clean-fixed-init";
    }

    @Override
    public String doc() {
        return "Tells the client the thread that it ran on.";
    }

    @Override
    public Set<Stage> stages() {
        return Set.of(Stage.PATH_CHECK);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of();
    }

    @Override
    public Step prepare(Parameters parameters) {
        return _ -> Verdict.proceed()
                .withResponseField("X-Thread", Thread.currentThread().getName());
    }
}
