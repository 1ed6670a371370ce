package io.weir.lab.functions;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Blocks its thread until a file exists. Shared. */
public final class Hang implements RequestFunction {
    @Override
    public String name() {
        return "hang";
    }

    @Override
    public String doc() {
        return "Blocks its thread until a file exists.";
    }

    @Override
    public Set<Stage> stages() {
        return Set.of(Stage.PATH_CHECK);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of(ParameterSpec.required("until", ParameterSpec.Type.TEXT, "the file"));
    }

    @Override
    public boolean blocks() {
        return true;
    }

    @Override
    public Step prepare(Parameters parameters) {
        Path file = Path.of(parameters.need("until"));
        return _ -> {
            while (!Files.exists(file)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            return Verdict.proceed();
        };
    }
}
