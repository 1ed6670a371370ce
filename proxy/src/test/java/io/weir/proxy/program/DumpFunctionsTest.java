package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.DumpFunctions;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.ServerViews;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions that answer with the server's views, as the Sun proxy's documentation configures them. */
class DumpFunctionsTest {
    private static final String OBJECTS = """
            <Object name="default">
            NameTrans fn="assign-name" from="/.perf" name="perf"
            NameTrans fn="assign-name" from="(/stats-xml|/stats-xml/*)" name="stats-xml"
            NameTrans fn="assign-name" from="/nsc" name="nsc"
            NameTrans fn="assign-name" from="/nsfc" name="nsfc"
            ObjectType fn="cache-enable"
            Service fn="send-answer" body="else"
            </Object>
            <Object name="perf">
            Service fn="service-dump" type="perf"
            </Object>
            <Object name="stats-xml">
            Service fn="stats-xml"
            </Object>
            <Object name="nsc">
            Service fn="service-nsc-dump"
            </Object>
            <Object name="nsfc">
            Service fn="service-nsfc-dump"
            </Object>
            """;

    private final List<String> asked = new ArrayList<>();
    private final List<Consumer<ServerViews.Answer>> waiting = new ArrayList<>();
    private final Program program = program(OBJECTS);
    private boolean full;

    private static Program program(String text) {
        ProgramBuilder builder =
                new ProgramBuilder(FunctionCatalogue.builtin(), WorkPools.NONE, VirtualServers.DEFAULT);
        new ObjConfSource("obj.conf", text, Map.of(), Chance.seeded(1)).compile(builder);
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private boolean build(String path, @Nullable String query, Consumer<ServerViews.Answer> done) {
        asked.add(path + " " + query);
        waiting.add(done);
        return !full;
    }

    private final class Asked {
        private final SyntheticRequest request;
        private final ProgramRun run;
        private final RunState state;

        Asked(String line) {
            request = Bench.request(program, line, "192.0.2.7");
            run = new ProgramRun(
                    new ProgramHost(
                            WorkPools.NONE,
                            Logins.NOBODY,
                            DumpFunctionsTest.this::build,
                            new SteppedClock(0),
                            new Stats(),
                            Log.NONE),
                    null);
            state = run.start(request, program) == RunState.READY ? run.service() : RunState.FAILED;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/.perf, /.perf null",
        "/.perf?refresh=5, /.perf refresh=5",
        "/stats-xml, /stats-xml null",
        "/stats-xml/proxystats.xml?thread=0, /stats-xml thread=0",
        "/stats-xml/proxystats.dtd, /stats-xml/proxystats.dtd null",
        "/nsc?list=3, /nsc list=3",
        "/nsfc, /nsc null"
    })
    void eachHasTheAdministrationsViewBuiltWithItsQuery(String target, String view) {
        for (String method : List.of("GET ", "HEAD ")) {
            asked.clear();
            assertThat(new Asked(method + target).state).isEqualTo(RunState.WAITING);
            assertThat(asked).containsExactly(view);
        }
    }

    @Test
    void answersWithTheViewOnceItIsBuiltAndNeverToBeStored() {
        Asked a = new Asked("GET /.perf?refresh=5");
        byte[] text = "proxyd pid: 1\n".getBytes(StandardCharsets.UTF_8);
        waiting.getFirst().accept(new ServerViews.Answer(200, "text/plain", text, Map.of("Refresh", "5")));
        assertThat(a.run.action()).isNull();
        assertThat(a.request.await(0)).isEqualTo(RunState.READY);
        assertThat(a.run.action()).isInstanceOfSatisfying(Action.Respond.class, r -> {
            assertThat(r.status()).isEqualTo(200);
            assertThat(r.contentType()).isEqualTo("text/plain");
            assertThat(r.body()).isEqualTo(text);
        });
        assertThat(a.run.outputEdits())
                .isEqualTo(new HeaderEdits(List.of(), Map.of("Refresh", "5", "Cache-Control", "no-store")));
        assertThat(a.run.cache()).isNull();
    }

    /** Else the second of two requests would wait for what the first one is answered. */
    @Test
    void requestsForAViewDoNotWaitForEachOther() {
        for (String target : List.of("/.perf", "/stats-xml", "/nsc", "/nsfc")) {
            assertThat(cached(target)).as(target).isFalse();
        }
        assertThat(cached("/else")).isTrue();
    }

    private boolean cached(String target) {
        ProgramRun run = new ProgramRun(new Bench().host, null);
        run.start(Bench.request(program, "GET " + target, "192.0.2.7"), program);
        return run.cache() != null;
    }

    @Test
    void asManyAsMayWaitRefuseTheNext() {
        full = true;
        Asked a = new Asked("GET /.perf");
        assertThat(a.state).isEqualTo(RunState.WAITING);
        assertThat(a.request.await(0)).isEqualTo(RunState.FAILED);
        assertThat(a.run.fault()).isEqualTo(ProxyFault.POOL_FULL);
    }

    @Test
    void onlyReads() {
        Asked a = new Asked("DELETE /nsc?restart");
        assertThat(a.run.fault()).isEqualTo(ProxyFault.METHOD_NOT_ALLOWED);
        assertThat(a.run.allow()).isEqualTo("GET, HEAD");
        assertThat(asked).isEmpty();
    }

    @Test
    void anAnswerForARequestThatEndedHasNoEffect() {
        Asked a = new Asked("GET /.perf");
        a.run.abandon();
        waiting.getFirst().accept(new ServerViews.Answer(200, "text/plain", new byte[1], Map.of()));
        assertThat(a.request.await(0)).isNull();
        assertThat(a.run.action()).isNull();
    }

    @Test
    void programsThatNeedTheViewsAreKnown() {
        assertThat(DumpFunctions.in(program)).contains("service-dump");
        assertThat(DumpFunctions.in(program("<Object name=\"default\">\nService fn=\"send-answer\"\n</Object>\n")))
                .isEmpty();
    }
}
