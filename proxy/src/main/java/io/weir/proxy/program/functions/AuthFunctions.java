package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;
import static io.weir.proxy.function.ParameterSpec.Type.WILDCARD;

import io.weir.http.FieldName;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunValues;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
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

    /** The variable that holds the field whose name and password were wrong, so that they are not checked again. */
    static final String REFUSED = "auth-refused";

    /** The variable that holds the field whose name and password were accepted last. */
    static final String CHECKED = "auth-checked";

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
                                ParameterSpec.optional("path", WILDCARD, "of which paths; absent: all"),
                                ParameterSpec.of("realm", TEXT, "weir", "the realm that users see when they log in"),
                                new ParameterSpec(
                                        USER,
                                        TEXT,
                                        null,
                                        false,
                                        true,
                                        List.of(),
                                        "a user who may pass, or a shell expression; absent: all"),
                                new ParameterSpec(
                                        GROUPS,
                                        TEXT,
                                        null,
                                        false,
                                        true,
                                        List.of(),
                                        "a group whose users may pass, or one"),
                                ParameterSpec.of(
                                        "required", FLAG, "1", "0: clients without a user name pass anonymously"),
                                ParameterSpec.of(
                                        "strip", FLAG, "1", "an accepted Authorization is not sent to origins")),
                        p -> new Require(
                                scheme,
                                "Basic realm=\"" + quoted(p.need("realm")) + "\", charset=\"UTF-8\"",
                                p.need("auth-type").equals("basic"),
                                Admitted.of(p.all(USER)),
                                Admitted.of(p.all(GROUPS)),
                                p.text("path") == null ? null : Patterns.parse(PathMatch.WILDCARD, p.need("path")),
                                p.on("required"),
                                p.on("strip")))
                .narrowedBy("path", PathMatch.WILDCARD);
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
            throw new IllegalStateException("there are too many variables already, or one is too long");
        }
    }

    /**
     * Names, and shell expressions over names as the reference has them: {@code (jane|john)}. Immutable.
     *
     * @param patterns names have none of the characters of expressions
     */
    private record Admitted(Set<String> names, List<PathPattern> patterns) {
        static Admitted of(List<String> written) {
            Set<String> names = new HashSet<>();
            List<PathPattern> patterns = new ArrayList<>();
            for (String text : written) {
                if (text.chars().anyMatch(c -> "*?()|[]~".indexOf(c) >= 0)) {
                    patterns.add(Patterns.parse(PathMatch.WILDCARD, text));
                } else {
                    names.add(text);
                }
            }
            return new Admitted(Set.copyOf(names), List.copyOf(patterns));
        }

        boolean isEmpty() {
            return names.isEmpty() && patterns.isEmpty();
        }

        boolean has(String name) {
            return names.contains(name) || patterns.stream().anyMatch(p -> Patterns.matches(p, name));
        }
    }

    /** A directive that admits users. Immutable, shared. */
    private record Require(
            Scheme scheme,
            String challenge,
            boolean basic,
            Admitted users,
            Admitted groups,
            @Nullable PathPattern path,
            boolean required,
            boolean strip)
            implements ServerFunction.Step {
        @Override
        public StepOutcome run(FunctionContext run) {
            if (path != null && !path.matches(run.input.pathBytes, run.input.pathFrom, run.input.pathTo)) {
                return StepOutcome.NOACTION;
            }
            String known = basic && isOfOtherField(run) ? null : run.variable(USER);
            if (known != null) {
                if (scheme == Scheme.ORIGIN && strip && scheme.field.canonical().equals(run.variable(CHECKED))) {
                    run.consumed(CONSUMED);
                }
                return admit(run, known, run.variable(GROUPS));
            }
            BasicCredentials given =
                    basic ? BasicCredentials.of(run.request().head().fields(), scheme.field) : null;
            if (given != null && scheme.field.canonical().equals(run.variable(REFUSED))) {
                return challenged(run);
            }
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

        /** Who logged in at the proxy has not logged in at an origin, and the other way round. */
        private boolean isOfOtherField(FunctionContext run) {
            String checked = run.variable(CHECKED);
            return checked != null && !checked.equals(scheme.field.canonical());
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
                    run.variable(CHECKED, scheme.field.canonical());
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
                    && Arrays.stream(of.split(",", -1)).anyMatch(groups::has);
            return unrestricted || users.has(user) || member
                    ? StepOutcome.PROCEED
                    : run.abort(ProxyFault.USER_FORBIDDEN);
        }
    }
}
