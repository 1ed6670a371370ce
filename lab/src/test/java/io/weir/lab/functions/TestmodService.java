package io.weir.lab.functions;

import io.weir.proxy.function.FunctionRequest;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The tuning guide's service of its example of pools: answers with the name of its thread and how many requests were in
 * it then; with a query it first waits until that file exists. Shared.
 */
public class TestmodService implements RequestFunction {
    private final AtomicInteger within = new AtomicInteger();

    @Override
    public String name() {
        return "testmod-service";
    }

    @Override
    public String doc() {
        return "Answers with the name of its thread and how many requests were in it.";
    }

    @Override
    public Set<Stage> stages() {
        return Set.of(Stage.SERVICE);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of();
    }

    @Override
    public Step prepare(Parameters parameters) {
        return this::answer;
    }

    private Verdict answer(FunctionRequest request) {
        try {
            int now = within.incrementAndGet();
            String file = request.query();
            while (file != null && !file.isEmpty() && !Files.exists(Path.of(file))) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            String text = Thread.currentThread().getName() + ", " + now + " within";
            return Verdict.respond(200, "text/plain", text.getBytes(StandardCharsets.UTF_8));
        } finally {
            within.decrementAndGet();
        }
    }
}
