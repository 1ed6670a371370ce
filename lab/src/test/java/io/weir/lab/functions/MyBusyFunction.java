package io.weir.lab.functions;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The busy function of the tuning guide: an answer of its own, with its name. Shared. */
public class MyBusyFunction implements RequestFunction {
    @Override
    public String name() {
        return "my-busy-function";
    }

    @Override
    public String doc() {
        return "Answers with its name instead of a busy function.";
    }

    @Override
    public Set<Stage> stages() {
        return EnumSet.of(Stage.PATH_CHECK, Stage.OBJECT_TYPE, Stage.SERVICE);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of();
    }

    @Override
    public Step prepare(Parameters parameters) {
        byte[] answer = ("own " + name()).getBytes(StandardCharsets.UTF_8);
        return _ -> Verdict.respond(200, "text/plain", answer);
    }
}
