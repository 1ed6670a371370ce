package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.http.FieldName;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;

/**
 * The functions of AuthTrans: they find out who the user is, and refuse nobody; that is PathCheck's. Stateless.
 */
final class LoginFunctions {
    private static final Set<Stage> AUTH_TRANS = Set.of(Stage.AUTH_TRANS);

    private static final String USERS = "refused: users are those of this server (./weir passwd)";

    private LoginFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                login("basic-auth", FieldName.AUTHORIZATION, "userdb", "userfn", "groupdb", "groupfn", "dbm"),
                login("basic-ncsa", FieldName.AUTHORIZATION, "dbm", "userfile", "grpfile"),
                login("proxy-auth", FieldName.PROXY_AUTHORIZATION, "dbm", "userfile", "grpfile", "user-fn", "userdb"),
                getSslid());
    }

    private static ServerFunction login(String name, FieldName field, String... databases) {
        List<ParameterSpec> parameters = new ArrayList<>();
        parameters.add(ParameterSpec.word(
                "auth-type",
                "basic",
                List.of("basic"),
                "how clients log in: digest is not supported, ssl is get-client-cert"));
        for (String database : databases) {
            parameters.add(ParameterSpec.optional(database, TEXT, USERS));
        }
        return SimpleFunction.of(
                name,
                AUTH_TRANS,
                "Checks name and password in " + field.canonical()
                        + " with the server's users; a later function refuses those who are not known.",
                parameters,
                p -> prepared(p, field, databases));
    }

    private static ServerFunction.Step prepared(Parameters p, FieldName field, String... databases) {
        for (String database : databases) {
            if (p.given(database)) {
                throw new IllegalArgumentException(
                        "\"" + database + "\": users, their passwords and groups are those of"
                                + " this server, one realm for all its services: add them with ./weir passwd and leave \""
                                + database + "\" out");
            }
        }
        return run -> check(run, field);
    }

    private static StepOutcome check(FunctionContext run, FieldName field) {
        if (run.variable(AuthFunctions.USER) != null) {
            return StepOutcome.NOACTION;
        }
        BasicCredentials given = BasicCredentials.of(run.request().head().fields(), field);
        if (given == null) {
            return StepOutcome.NOACTION;
        }
        CompletableFuture<Logins.Login> login =
                run.logins().check(given.user(), given.password(), run.request().clientAddress());
        if (login.isDone()) {
            return decided(run, field, login.join());
        }
        PendingStep pending = run.pend();
        var _ = login.thenAccept(l -> pending.complete(then -> decided(then, field, l)));
        return StepOutcome.WAITING;
    }

    private static StepOutcome decided(FunctionContext run, FieldName field, Logins.Login login) {
        run.count(login.result());
        return switch (login.result()) {
            case WRONG -> {
                run.variable(AuthFunctions.REFUSED, field.canonical());
                yield StepOutcome.NOACTION;
            }
            case LATER -> run.abort(ProxyFault.LOGINS);
            case FAILED -> run.abort(ProxyFault.FUNCTION);
            case ACCEPTED -> {
                AuthFunctions.setUser(run, login.user(), login.groups());
                run.variable(AuthFunctions.CHECKED, field.canonical());
                if (field == FieldName.PROXY_AUTHORIZATION) {
                    run.variable("pauth-user", login.user());
                }
                yield StepOutcome.PROCEED;
            }
        };
    }

    private static ServerFunction getSslid() {
        return SimpleFunction.of(
                "get-sslid",
                AUTH_TRANS,
                "Sets the variable ssl-id to the client's TLS session, in hexadecimal digits.",
                List.of(),
                _ -> run -> {
                    SSLSession session = run.request().tls();
                    if (session != null && session.getId().length > 0) {
                        run.variable("ssl-id", HexFormat.of().formatHex(session.getId()));
                    }
                    return StepOutcome.NOACTION;
                });
    }
}
