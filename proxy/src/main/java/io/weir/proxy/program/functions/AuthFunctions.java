package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.http.FieldName;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunValues;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The functions that authenticate and authorize users. They run in PathCheck, where the route is known: the Sun proxy's
 * AuthTrans checks every request's password, including those meant for an origin. Stateless.
 */
public final class AuthFunctions {
    /** The variable that holds the user, and the parameter of allowed users. */
    public static final String USER = RunValues.USER;

    /** The variable that holds the user's groups, and the parameter of allowed groups. */
    public static final String GROUPS = RunValues.GROUPS;

    private static final HeaderEdits CONSUMED = new HeaderEdits(List.of(FieldName.AUTHORIZATION.canonical()), Map.of());

    private AuthFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                require(
                        "require-auth",
                        Scheme.ORIGIN,
                        "Admits users of the realm: others get 401 with a challenge for name and password."),
                require(
                        "require-proxy-auth",
                        Scheme.PROXY,
                        "Admits users of the realm: others get 407 with a challenge for name and password."));
    }

    /** The fields of credentials and challenge, for origins and proxies (RFC 9110 section 11). */
    private enum Scheme {
        ORIGIN(FieldName.AUTHORIZATION, ProxyFault.AUTHENTICATION),
        PROXY(FieldName.PROXY_AUTHORIZATION, ProxyFault.PROXY_AUTHENTICATION);

        private final FieldName field;
        private final ProxyFault fault;

        Scheme(FieldName field, ProxyFault fault) {
            this.field = field;
            this.fault = fault;
        }
    }

    private static ServerFunction require(String name, Scheme scheme, String doc) {
        return SimpleFunction.of(
                name,
                Set.of(Stage.PATH_CHECK),
                doc,
                List.of(
                        ParameterSpec.word(
                                "auth-type",
                                "basic",
                                List.of("basic", "none"),
                                "none: no challenge; the user is the one that an earlier function found"),
                        ParameterSpec.of("realm", TEXT, "weir", "the realm that users see when they log in"),
                        new ParameterSpec(USER, TEXT, null, false, true, List.of(), "a user who may pass; absent: all"),
                        new ParameterSpec(GROUPS, TEXT, null, false, true, List.of(), "a group whose users may pass"),
                        ParameterSpec.of("required", FLAG, "1", "0: clients without a user name pass anonymously"),
                        ParameterSpec.of("strip", FLAG, "1", "an accepted Authorization is not sent to origins")),
                p -> new Require(
                        scheme,
                        "Basic realm=\"" + quoted(p.need("realm")) + "\", charset=\"UTF-8\"",
                        p.need("auth-type").equals("basic"),
                        Set.copyOf(p.all(USER)),
                        Set.copyOf(p.all(GROUPS)),
                        p.on("required"),
                        p.on("strip")));
    }

    private static String quoted(String realm) {
        if (!realm.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException("\"realm\" must be of printable ASCII characters");
        }
        return realm.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Sets the user; group names with a comma are left out, since they would read as two. */
    static void setUser(FunctionContext run, String user, List<String> groups) {
        boolean set = run.variable(USER, user)
                && run.variable(
                        GROUPS,
                        String.join(
                                ",",
                                groups.stream().filter(g -> g.indexOf(',') < 0).toList()));
        if (!set) {
            throw new IllegalStateException("there are too many variables already");
        }
    }

    /** A directive that admits users. Immutable, shared. */
    private record Require(
            Scheme scheme,
            String challenge,
            boolean basic,
            Set<String> users,
            Set<String> groups,
            boolean required,
            boolean strip)
            implements ServerFunction.Step {
        @Override
        public StepOutcome run(FunctionContext run) {
            String known = run.variable(USER);
            if (known != null) {
                return admit(run, known, run.variable(GROUPS));
            }
            BasicCredentials given =
                    basic ? BasicCredentials.of(run.request().head().fields(), scheme.field) : null;
            if (given == null) {
                return required ? anonymous(run) : StepOutcome.NOACTION;
            }
            CompletableFuture<Logins.Login> login = run.logins()
                    .check(given.user(), given.password(), run.request().clientAddress());
            if (login.isDone()) {
                return decided(run, login.join());
            }
            PendingStep pending = run.pend();
            var _ = login.thenAccept(l -> pending.complete(then -> decided(then, l)));
            return StepOutcome.WAITING;
        }

        private StepOutcome anonymous(FunctionContext run) {
            return basic ? challenged(run) : run.abort(ProxyFault.CLIENT_CERTIFICATE);
        }

        private StepOutcome challenged(FunctionContext run) {
            run.challenge(challenge);
            return run.abort(scheme.fault);
        }

        private StepOutcome decided(FunctionContext run, Logins.Login login) {
            run.count(login.result());
            return switch (login.result()) {
                case WRONG -> challenged(run);
                case LATER -> run.abort(ProxyFault.LOGINS);
                case FAILED -> run.abort(ProxyFault.FUNCTION);
                case ACCEPTED -> {
                    setUser(run, login.user(), login.groups());
                    if (scheme == Scheme.PROXY) {
                        run.variable("pauth-user", login.user());
                    } else if (strip) {
                        run.consumed(CONSUMED);
                    }
                    yield admit(run, login.user(), run.variable(GROUPS));
                }
            };
        }

        private StepOutcome admit(FunctionContext run, String user, @Nullable String of) {
            boolean unrestricted = users.isEmpty() && groups.isEmpty();
            boolean member = of != null
                    && !groups.isEmpty()
                    && Arrays.stream(of.split(",", -1)).anyMatch(groups::contains);
            return unrestricted || users.contains(user) || member
                    ? StepOutcome.PROCEED
                    : run.abort(ProxyFault.USER_FORBIDDEN);
        }
    }
}
