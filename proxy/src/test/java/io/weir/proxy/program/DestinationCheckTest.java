package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What of others' fetches a request may have, before anybody knows what will answer it. */
class DestinationCheckTest {
    private static final String NAMED = "GET http://www.example.com/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
    private static final String HERE = "127.0.0.1";
    private static final String THERE = "192.0.2.1";
    private static final FetchedFrom LOOPBACK = FetchedFrom.of(Bench.address(HERE));
    private static final FetchedFrom PUBLIC = FetchedFrom.of(Bench.address("8.8.8.8"));

    private static ProgramRun looksUp(Bench bench, Program program, String head, String client) {
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(Bench.request(program, head, client), program);
        return run;
    }

    private static Bench forward(Object... destinations) {
        return new Bench().route("forward", "on").set("destinations", Bench.map(destinations));
    }

    @Test
    void aRouteToOriginsHasNothingToDoWithWhatIsForwarded() {
        Bench bench = new Bench().route("origins", List.of("http://a:1"));
        Program program = bench.program();
        ProgramRun run = looksUp(bench, program, "GET /", HERE);
        assertThat(run.destination().mayHave(program.destinations(), null)).isTrue();
        assertThat(run.destination().mayHave(program.destinations(), PUBLIC)).isFalse();
        assertThat(run.destination().audience(program.destinations())).isSameAs(Permission.Audience.ROUTED);
    }

    @Test
    void whatIsForwardedForCertainGetsWhatTheRulesLetItHave() {
        Bench bench = forward("clients", List.of("0.0.0.0/0"));
        Program program = bench.program();
        ProgramRun in = looksUp(bench, program, NAMED, HERE);
        assertThat(in.destination().mayHave(program.destinations(), null)).isFalse();
        assertThat(in.destination().mayHave(program.destinations(), LOOPBACK)).isTrue();
        assertThat(in.destination().mayHave(program.destinations(), PUBLIC)).isTrue();
        ProgramRun out = looksUp(bench, program, NAMED, THERE);
        assertThat(out.destination().mayHave(program.destinations(), LOOPBACK)).isFalse();
        assertThat(out.destination().mayHave(program.destinations(), PUBLIC)).isTrue();
        assertThat(out.destination().audience(program.destinations()))
                .isNotSameAs(in.destination().audience(program.destinations()));
    }

    @Test
    void whereTheRulesHaveChangedClientAndHostAreAskedAgain() {
        Bench bench = forward("clients", List.of("0.0.0.0/0"));
        Program program = bench.program();
        ProgramRun run = looksUp(bench, program, NAMED, THERE);
        Object audience = run.destination().audience(program.destinations());
        Program same = bench.program();
        assertThat(run.destination().mayHave(same.destinations(), PUBLIC)).isTrue();
        assertThat(run.destination().audience(same.destinations())).isNotSameAs(audience);
        assertThat(run.destination().mayHave(forward().program().destinations(), PUBLIC))
                .isFalse();
        Program denied = forward("clients", List.of("0.0.0.0/0"), "deny-hosts", List.of("www.example.com"))
                .program();
        assertThat(run.destination().mayHave(denied.destinations(), PUBLIC)).isFalse();
        Program ports = forward("clients", List.of("0.0.0.0/0"), "ports", List.of("8080"))
                .program();
        assertThat(run.destination().mayHave(ports.destinations(), PUBLIC)).isFalse();
        assertThat(run.destination().mayHave(program.destinations(), PUBLIC)).isTrue();
    }

    /** A program that was written by hand checks the client when it retrieves, which a hit does not come to. */
    @Test
    void whatWasNotCheckedYetIsChecked() {
        Bench bench = new Bench();
        Program program = byHand("host-map", "proxy-retrieve");
        ProgramRun in = looksUp(bench, program, "GET /", HERE);
        assertThat(in.destination().mayHave(program.destinations(), PUBLIC)).isTrue();
        assertThat(in.destination().mayHave(program.destinations(), null)).isFalse();
        ProgramRun out = looksUp(bench, program, "GET /", THERE);
        assertThat(out.destination().mayHave(program.destinations(), PUBLIC)).isFalse();
        assertThat(out.destination().mayHave(program.destinations(), null)).isFalse();
    }

    private static Program byHand(String name, String service) {
        ConfigNode.Place at = ConfigNode.Place.of("test");
        ProgramBuilder builder =
                new ProgramBuilder(FunctionCatalogue.builtin(), WorkPools.NONE, VirtualServers.DEFAULT);
        builder.add(Program.DEFAULT_OBJECT, Stage.NAME_TRANS, name, Map.of(), at);
        builder.add(Program.DEFAULT_OBJECT, Stage.SERVICE, service, Map.of(), at);
        Program made = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 1);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(made);
    }

    /** An absolute target does not say that the request will be forwarded. */
    @Test
    void whatMayBeAnsweredEitherWayMayHaveBoth() {
        Bench bench = new Bench().route("origins", List.of("http://a:1"));
        Program program = bench.program();
        ProgramRun run = looksUp(bench, program, NAMED, HERE);
        assertThat(run.destination().mayHave(program.destinations(), null)).isTrue();
        assertThat(run.destination().mayHave(program.destinations(), PUBLIC)).isTrue();
        assertThat(run.destination().audience(program.destinations())).isNotSameAs(Permission.Audience.ROUTED);
        Bench demo = new Bench().route("demo", "on");
        Program shown = demo.program();
        assertThat(looksUp(demo, shown, NAMED, THERE).destination().mayHave(shown.destinations(), null))
                .isTrue();
    }
}
