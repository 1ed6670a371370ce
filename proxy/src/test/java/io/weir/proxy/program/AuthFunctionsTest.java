package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.ServerViews;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthFunctionsTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    private final Probe probe = new Probe("probe");
    private final Stats stats = new Stats();
    private final List<String> asked = new ArrayList<>();
    private final CompletableFuture<Logins.Login> later = new CompletableFuture<>();
    private final ProgramHost host =
            new ProgramHost(WorkPools.NONE, this::check, ServerViews.EMPTY, new SteppedClock(0), stats, Log.NONE);
    private final ProgramBuilder builder =
            new ProgramBuilder(new FunctionCatalogue(functions()), WorkPools.NONE, VirtualServers.DEFAULT);

    private List<ServerFunction> functions() {
        List<ServerFunction> all = new ArrayList<>(FunctionCatalogue.builtin().all());
        all.add(probe);
        return all;
    }

    /** Everybody's password is "pass"; late's is found out later. */
    private CompletableFuture<Logins.Login> check(String user, char[] password, InetAddress client) {
        asked.add(user + "/" + new String(password));
        if (user.equals("late")) {
            return later;
        }
        return CompletableFuture.completedFuture(
                Arrays.equals(password, "pass".toCharArray()) ? accepted(user) : Logins.Login.not(Logins.Result.WRONG));
    }

    private static Logins.Login accepted(String user) {
        return new Logins.Login(Logins.Result.ACCEPTED, user, List.of("staff", "odd,group", "guests"));
    }

    private AuthFunctionsTest require(String... parameters) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            map.put(parameters[i], parameters[i + 1]);
        }
        builder.add("default", Stage.PATH_CHECK, "require-auth", map, AT);
        return this;
    }

    private Program program() {
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private final ProgramRun run = new ProgramRun(host, null);
    private @Nullable SyntheticRequest request;

    private RunState ask(String authorization) {
        Program program = program();
        SyntheticRequest asking = Bench.request(
                program, "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: " + authorization + "\r\n\r\n", "192.0.2.1");
        request = asking;
        return run.start(asking, program);
    }

    private static String basic(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whoLogsInIsNamedWithTheGroupsAndItsCredentialsEndHere() {
        require();
        assertThat(ask(basic("ann:pass"))).isEqualTo(RunState.READY);
        assertThat(run.variable("auth-user")).isEqualTo("ann");
        assertThat(run.variable("auth-group")).isEqualTo("staff,guests");
        assertThat(Objects.requireNonNull(run.requestEdits()).remove()).containsExactly("Authorization");
        assertThat(stats.value(ProxyStats.LOGINS, "accepted")).isOne();
    }

    @Test
    void whatIsSetInPlaceOfTheCredentialsReachesTheOrigin() {
        require();
        builder.add(
                "default", Stage.OBJECT_TYPE, "edit-headers", Map.of("set-request", "authorization: Bearer own"), AT);
        ask(basic("ann:pass"));
        HeaderEdits edits = Objects.requireNonNull(run.requestEdits());
        assertThat(edits.set()).containsEntry("authorization", "Bearer own");
        assertThat(edits.remove()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Basic", "Basic !", "Basic YQ", "Digest username=ann", "Basic YW5uOnBhc3M=, Basic YW5uOnBhc3M="})
    void whatIsNoLoginIsAskedForOne(String authorization) {
        require("realm", "a \"b\" \\");
        assertThat(ask(authorization)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.AUTHENTICATION);
        assertThat(run.challenge()).isEqualTo("Basic realm=\"a \\\"b\\\" \\\\\", charset=\"UTF-8\"");
        assertThat(run.variable("auth-user")).isNull();
        assertThat(run.requestEdits()).isNull();
    }

    @Test
    void thePasswordIsAllBehindTheFirstColon() {
        require();
        ask(basic("ann:p:q\u00fc"));
        ask(basic(":pass"));
        assertThat(asked).containsExactly("ann/p:q\u00fc", "/pass");
    }

    @ParameterizedTest
    @CsvSource({"auth-user,ann,true", "auth-user,bob,false", "auth-group,guests,true", "auth-group,odd,false"})
    void onlyThoseNamedPass(String parameter, String value, boolean passes) {
        require(parameter, value);
        assertThat(ask(basic("ann:pass"))).isEqualTo(passes ? RunState.READY : RunState.FAILED);
        assertThat(run.fault()).isEqualTo(passes ? null : ProxyFault.USER_FORBIDDEN);
    }

    @Test
    void aCheckThatTakesTimeIsWaitedFor() {
        require();
        assertThat(ask(basic("late:pass"))).isEqualTo(RunState.WAITING);
        later.complete(accepted("late"));
        assertThat(Objects.requireNonNull(request).turn()).isTrue();
        assertThat(run.variable("auth-user")).isEqualTo("late");
        assertThat(run.fault()).isNull();
    }

    @Test
    void aRestartAsksNobodyAgainAndForgetsNothing() {
        require();
        builder.add("default", Stage.PATH_CHECK, "probe", Map.of("mark", "again"), AT);
        probe.answers("again", StepOutcome.RESTART);
        assertThat(ask(basic("ann:pass"))).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.RESTART_LIMIT);
        assertThat(probe.marks).hasSize(3);
        assertThat(asked).hasSize(1);
        assertThat(run.requestEdits()).isNotNull();
        // the next request on this run is somebody else's
        assertThat(ask("Bearer x")).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.AUTHENTICATION);
        assertThat(run.requestEdits()).isNull();
    }

    private AuthFunctionsTest login() {
        builder.add("default", Stage.AUTH_TRANS, "basic-auth", Map.of("auth-type", "basic"), AT);
        return this;
    }

    /** AuthTrans finds out who the user is, PathCheck refuses: one check of the password for both. */
    @Test
    void basicAuthChecksOnceForAllThatFollows() {
        login().require();
        assertThat(ask(basic("ann:pass"))).isEqualTo(RunState.READY);
        assertThat(run.variable("auth-user")).isEqualTo("ann");
        assertThat(Objects.requireNonNull(run.requestEdits()).remove()).containsExactly("Authorization");
        assertThat(ask(basic("ann:wrong"))).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.AUTHENTICATION);
        assertThat(asked).containsExactly("ann/pass", "ann/wrong");
    }

    @Test
    void basicAuthAloneRefusesNobody() {
        login();
        assertThat(ask(basic("ann:wrong"))).isEqualTo(RunState.READY);
        assertThat(run.variable("auth-user")).isNull();
        assertThat(ask("Digest x")).isEqualTo(RunState.READY);
        // what nothing required is the origin's
        assertThat(ask(basic("ann:pass"))).isEqualTo(RunState.READY);
        assertThat(run.requestEdits()).isNull();
    }

    @Test
    void basicAuthWaits() {
        login().require();
        assertThat(ask(basic("late:pass"))).isEqualTo(RunState.WAITING);
        later.complete(accepted("late"));
        assertThat(Objects.requireNonNull(request).turn()).isTrue();
        assertThat(run.variable("auth-user")).isEqualTo("late");
        assertThat(run.fault()).isNull();
    }

    @Test
    void proxyAuthTakesProxyAuthorizationOnly() {
        builder.add("default", Stage.AUTH_TRANS, "proxy-auth", Map.of(), AT);
        builder.add("default", Stage.PATH_CHECK, "require-proxy-auth", Map.of(), AT);
        assertThat(ask(basic("ann:pass"))).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.PROXY_AUTHENTICATION);
        assertThat(ask("x\r\nProxy-Authorization: " + basic("ann:pass"))).isEqualTo(RunState.READY);
        assertThat(run.variable("pauth-user")).isEqualTo("ann");
        assertThat(asked).hasSize(1);
    }

    /** Who logged in at an origin has not logged in at the proxy, and the other way round. */
    @Test
    void aLoginCountsForItsOwnFieldOnly() {
        login();
        builder.add("default", Stage.AUTH_TRANS, "proxy-auth", Map.of(), AT);
        builder.add("default", Stage.PATH_CHECK, "require-proxy-auth", Map.of(), AT);
        assertThat(ask(basic("ann:pass"))).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.PROXY_AUTHENTICATION);
        assertThat(ask(basic("ann:pass") + "\r\nProxy-Authorization: " + basic("ann:wrong")))
                .isEqualTo(RunState.FAILED);
        assertThat(ask(basic("ann:pass") + "\r\nProxy-Authorization: " + basic("ann:pass")))
                .isEqualTo(RunState.READY);
        require();
        assertThat(ask("x\r\nProxy-Authorization: " + basic("ann:pass"))).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.AUTHENTICATION);
    }

    /** The reference's lists of users are shell expressions. */
    @ParameterizedTest
    @CsvSource({
        "auth-user,(ann|bob),true",
        "auth-user,(bob|carl),false",
        "auth-user,a*,true",
        "auth-group,g*s,true",
        "path,/x*,true"
    })
    void expressionsNameUsersGroupsAndPaths(String parameter, String value, boolean passes) {
        require(parameter, value);
        assertThat(ask(basic("ann:pass"))).isEqualTo(passes ? RunState.READY : RunState.FAILED);
        assertThat(asked).hasSize(parameter.equals("path") ? 0 : 1);
    }
}
