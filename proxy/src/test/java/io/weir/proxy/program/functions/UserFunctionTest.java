package io.weir.proxy.program.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import io.weir.proxy.program.Explain;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.run.WorkPools;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A function of a user in a compiled program, as {@code weir check --explain} runs it. */
class UserFunctionTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    private final List<Thread> threads = new ArrayList<>();
    private RequestFunction.Step step = _ -> Verdict.proceed();
    private boolean blocks;

    /** What the test says, in every stage that is open. */
    private final class Spoken implements RequestFunction {
        @Override
        public String name() {
            return "spoken";
        }

        @Override
        public String doc() {
            return "Does what the test says.";
        }

        @Override
        public Set<Stage> stages() {
            return EnumSet.of(Stage.PATH_CHECK, Stage.SERVICE, Stage.OUTPUT);
        }

        @Override
        public List<ParameterSpec> parameters() {
            return List.of(ParameterSpec.optional("rate", ParameterSpec.Type.INTEGER, "a number"));
        }

        @Override
        public boolean blocks() {
            return blocks;
        }

        @Override
        public Step prepare(Parameters parameters) {
            return step;
        }
    }

    private record Pools(Set<String> names) implements WorkPools {
        @Override
        public boolean execute(String pool, Runnable task) {
            return false;
        }
    }

    private static ConfigNode node(Object value) {
        return value instanceof Map<?, ?> m
                ? new ConfigNode.Mapping(
                        AT,
                        m.entrySet().stream()
                                .collect(java.util.stream.Collectors.toMap(
                                        e -> String.valueOf(e.getKey()), e -> node(e.getValue()))),
                        Map.of())
                : value instanceof List<?> l
                        ? new ConfigNode.Sequence(
                                AT, l.stream().map(UserFunctionTest::node).toList())
                        : new ConfigNode.Scalar(AT, value.toString());
    }

    private Programs.Compiled compile(Map<String, Object> function, String... pools) {
        Map<String, Object> route = Map.of("path", "/", "deny", "on", "functions", List.of(function));
        ProxyConfig config =
                new ConfigBinder().bind((ConfigNode.Mapping) node(Map.of("routes", List.of(route))), ProxyConfig.class);
        FunctionCatalogue functions = FunctionCatalogue.builtinAnd(List.of(new UserFunction(new Spoken())));
        return Programs.compile(config, Map.of(), new Pools(Set.of(pools)), functions, Chance.seeded(1), null);
    }

    private String explained(String stage) {
        return Explain.explain(
                compile(Map.of("name", "spoken", "stage", stage), "default").orThrow(), Explain.Question.get("/x?y"));
    }

    @Test
    void requestIsSeenAsSent() {
        step = request -> {
            threads.add(Thread.currentThread());
            assertThat(request.target()).isEqualTo("/x?y");
            assertThat(request.path()).isEqualTo("/x");
            assertThat(request.query()).isEqualTo("y");
            assertThat(request.method()).isEqualTo("GET");
            assertThat(request.field("HOST")).isEqualTo("localhost");
            assertThat(request.field("Cookie")).isNull();
            assertThat(request.stage()).isEqualTo(Stage.PATH_CHECK);
            assertThat(request.virtualServer()).isEqualTo("default");
            assertThat(request.reason()).isNull();
            assertThat(request.answerStatus()).isZero();
            return Verdict.respond(201, "text/plain", new byte[0]);
        };
        assertThat(explained("path-check")).contains("fn=spoken", "-> PROCEED");
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void hostAndPathAreThoseThatRulesSee() {
        step = request -> {
            assertThat(request.target()).isEqualTo("/x/../%61dmin?%61");
            assertThat(request.path()).isEqualTo("/admin");
            assertThat(request.query()).isEqualTo("%61");
            assertThat(request.host()).isEqualTo("v.test:81");
            return Verdict.respond(201, "text/plain", new byte[0]);
        };
        String explained = Explain.explain(
                compile(Map.of("name", "spoken", "stage", "path-check"), "default")
                        .orThrow(),
                Explain.Question.get("http://V.Test.:081/x/../%61dmin?%61"));
        assertThat(explained).contains("fn=spoken", "-> PROCEED");
    }

    @Test
    void whatIsDecidedLaterOnAnotherThreadGoesOnOnTheLoop() throws Exception {
        CompletableFuture<Verdict> promise = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        step = _ -> {
            asked.countDown();
            return Verdict.later(promise);
        };
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                assertThat(asked.await(3, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            promise.complete(Verdict.later(CompletableFuture.completedFuture(Verdict.busy())));
        });
        assertThat(explained("path-check")).contains("-> WAITING").contains("503", "pool-full");
        other.join();
    }

    @Test
    void failuresOfAllKindsAreInternalErrors() {
        step = _ -> {
            throw new java.io.IOException("no file");
        };
        assertThat(explained("path-check")).contains("500", "(function)");
        step = _ -> Verdict.later(CompletableFuture.failedFuture(new NoClassDefFoundError("acme.Lost")));
        assertThat(explained("path-check")).contains("500", "(function)");
    }

    @Test
    void restartsWithoutEndAreEnded() {
        step = _ -> Verdict.restart();
        assertThat(explained("path-check")).contains("500", "(restart-limit)");
    }

    @Test
    void functionThatBlocksNeedsAPool() {
        blocks = true;
        assertThat(problems(Map.of("name", "spoken", "stage", "path-check")))
                .contains("there is no work manager \"default\". There are none.");
        assertThat(compile(Map.of("name", "spoken", "stage", "path-check"), "default")
                        .problems())
                .isEmpty();
        assertThat(problems(Map.of("name", "spoken", "stage", "output"))).contains("run on the request's loop");
    }

    @Test
    void parametersAreChecked() {
        assertThat(problems(Map.of("name", "spoken", "stage", "service", "parameters", Map.of("rate", "many"))))
                .contains("expected a number of at most nine digits, found \"many\"");
    }

    private String problems(Map<String, Object> function) {
        return compile(function).problems().stream().map(ConfigProblem::what).reduce("", (a, b) -> a + b + "\n");
    }
}
