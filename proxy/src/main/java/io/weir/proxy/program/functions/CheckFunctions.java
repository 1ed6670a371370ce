package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.REGEX;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.semantics.NormalPath;
import io.weir.kernel.listen.RequestRate;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.config.CertificateUser;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.destination.PortRules;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.qos.RateLimit;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The functions of PathCheck: whether a request is permitted. Stateless. */
final class CheckFunctions {
    private static final Set<Stage> PATH_CHECK = Set.of(Stage.PATH_CHECK);

    private CheckFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                urlCheck(),
                allowMethods(),
                checkRequestLimits(),
                denyService(),
                userAgentCheck(),
                blockMultipartPosts(),
                checkDestination(),
                getClientCert());
    }

    private static ServerFunction urlCheck() {
        return SimpleFunction.of(
                "url-check",
                PATH_CHECK,
                "Refuses malformed URLs: percent signs without two hexadecimal digits.",
                List.of(),
                _ -> run -> {
                    Method method = run.input.method;
                    boolean passes = method == Method.OPTIONS || method == Method.TRACE;
                    return passes || escapesGood(run) ? StepOutcome.PROCEED : run.abort(ProxyFault.URL_MALFORMED);
                });
    }

    private static boolean escapesGood(FunctionContext run) {
        byte[] b = run.request().head().bytes();
        int from = run.request().head().pathStart();
        int to = run.request().head().targetEnd();
        for (int i = from; i < to; i++) {
            if (b[i] == '%') {
                if (i + 2 >= to || NormalPath.hex(b[i + 1]) < 0 || NormalPath.hex(b[i + 2]) < 0) {
                    return false;
                }
                i += 2;
            }
        }
        return true;
    }

    private static ServerFunction allowMethods() {
        return SimpleFunction.of(
                "allow-methods",
                PATH_CHECK,
                "Refuses other methods with 405 and lists the permitted ones in Allow.",
                List.of(ParameterSpec.repeated("method", TEXT, "a permitted method; GET includes HEAD")),
                p -> {
                    Set<String> allowed = new LinkedHashSet<>();
                    for (String method : p.all("method")) {
                        allowed.add(method);
                        if (method.equals("GET")) {
                            allowed.add("HEAD");
                        }
                    }
                    String field = String.join(", ", allowed);
                    return run ->
                            allowed.contains(run.input.methodName) ? StepOutcome.PROCEED : run.methodRefused(field);
                });
    }

    private static ServerFunction checkRequestLimits() {
        return SimpleFunction.of(
                "check-request-limits",
                PATH_CHECK,
                "Refuses requests beyond a rate with 429, all clients together.",
                List.of(
                        ParameterSpec.required("max-rps", TEXT, "requests a second"),
                        ParameterSpec.of("burst", TEXT, "0", "requests at once after a pause; 0: those of a second")),
                p -> {
                    RequestRate rate = new RequestRate(p.number("max-rps"), p.integer("burst"));
                    if (!rate.bounded() || rate.requestBurst() < 0) {
                        throw new IllegalArgumentException("\"max-rps\" must be positive, \"burst\" not negative");
                    }
                    AtomicReference<@Nullable RateLimit> limit = new AtomicReference<>();
                    return run -> limited(run, limit, rate);
                });
    }

    private static StepOutcome limited(FunctionContext run, AtomicReference<@Nullable RateLimit> of, RequestRate rate) {
        if (run.request().ofMember()) {
            return StepOutcome.NOACTION;
        }
        long now = run.now();
        RateLimit limit = of.get();
        if (limit == null) {
            // at compile time of a program the time is not known
            of.compareAndSet(null, new RateLimit(now));
            limit = of.get();
        }
        long wait = limit == null ? 0 : limit.take(now, rate);
        return wait == 0 ? StepOutcome.NOACTION : run.tooOften(wait);
    }

    private static ServerFunction denyService() {
        return SimpleFunction.of(
                        "deny-service",
                        Set.of(Stage.PATH_CHECK, Stage.SERVICE),
                        "Refuses requests with 403.",
                        List.of(ParameterSpec.optional("path", REGEX, "which paths; absent: all")),
                        p -> {
                            PathPattern path = pattern(p, "path");
                            return run -> path == null
                                            || path.matches(run.input.pathBytes, run.input.pathFrom, run.input.pathTo)
                                    ? run.abort(ProxyFault.DENIED)
                                    : StepOutcome.NOACTION;
                        })
                .narrowedBy("path", PathMatch.REGEX);
    }

    private static ServerFunction userAgentCheck() {
        return SimpleFunction.of(
                "user-agent-check",
                PATH_CHECK,
                "Refuses clients whose User-Agent does not match.",
                List.of(ParameterSpec.required("ua", REGEX, "what User-Agent must be")),
                p -> {
                    PathPattern ua = Patterns.parse(PathMatch.REGEX, p.need("ua"));
                    return run ->
                            matches(run, FieldName.USER_AGENT, ua) ? StepOutcome.PROCEED : run.abort(ProxyFault.DENIED);
                });
    }

    private static ServerFunction blockMultipartPosts() {
        return SimpleFunction.of(
                "block-multipart-posts",
                PATH_CHECK,
                "Refuses uploads: requests whose type, client and method match.",
                List.of(
                        ParameterSpec.of("content-type", REGEX, "multipart/.*", "type of the request's body"),
                        ParameterSpec.of("user-agent", REGEX, ".*", "client"),
                        ParameterSpec.of("method", REGEX, "POST|PUT", "method")),
                p -> {
                    PathPattern type = Patterns.parse(PathMatch.REGEX, p.need("content-type"));
                    PathPattern agent = Patterns.parse(PathMatch.REGEX, p.need("user-agent"));
                    PathPattern method = Patterns.parse(PathMatch.REGEX, p.need("method"));
                    return run -> Patterns.matches(method, run.input.methodName)
                                    && matches(run, FieldName.CONTENT_TYPE, type)
                                    && matches(run, FieldName.USER_AGENT, agent)
                            ? run.abort(ProxyFault.CONTENT_FORBIDDEN)
                            : StepOutcome.PROCEED;
                });
    }

    private static ServerFunction checkDestination() {
        return SimpleFunction.of(
                "check-destination",
                PATH_CHECK,
                "Applies proxy.destinations to the client, and to the requested host and port. The addresses that the"
                        + " host resolves to are checked when connecting.",
                List.of(new ParameterSpec(
                        "port", TEXT, null, false, true, List.of(), "for CONNECT: ports that tunnels may reach")),
                p -> {
                    PortRules ports = p.given("port") ? PortRules.of(p.all("port")) : null;
                    return run -> {
                        DestinationRefusal refusal = run.destination().check(ports);
                        return refusal == null ? StepOutcome.PROCEED : run.refuse(refusal);
                    };
                });
    }

    static @Nullable PathPattern pattern(Parameters p, String name) {
        String text = p.text(name);
        return text == null ? null : Patterns.parse(PathMatch.REGEX, text);
    }

    /** Whether the first field of this name matches; an absent field is treated as empty. */
    private static boolean matches(FunctionContext run, FieldName name, PathPattern pattern) {
        Fields fields = run.request().head().fields();
        int i = fields.indexOf(name, 0);
        return i < 0
                ? pattern.matches(fields.bytes(), 0, 0)
                : pattern.matches(fields.bytes(), fields.valueStart(i), fields.valueEnd(i));
    }

    private static ServerFunction getClientCert() {
        return SimpleFunction.of(
                "get-client-cert",
                PATH_CHECK,
                "Refuses clients that presented no certificate. Whether one is requested is configured by the"
                        + " listener's tls.client-auth.",
                List.of(
                        ParameterSpec.of("require", FLAG, "1", "0: a client without certificate passes"),
                        ParameterSpec.optional("method", REGEX, "of which methods; absent: all"),
                        ParameterSpec.optional("user-dn", REGEX, "what its subject must be (RFC 2253); absent: any"),
                        ParameterSpec.optional("issuer-dn", REGEX, "what its issuer must be; absent: any"),
                        ParameterSpec.word(
                                AuthFunctions.USER,
                                "off",
                                Arrays.stream(CertificateUser.values())
                                        .map(CertificateUser::word)
                                        .toList(),
                                "which name of its subject is the user; the groups are its organisational units"),
                        ParameterSpec.of(
                                "dorequest",
                                FLAG,
                                "0",
                                "accepted; certificates are not requested again after the" + " handshake")),
                p -> {
                    boolean required = p.on("require");
                    PathPattern method = pattern(p, "method");
                    PathPattern user = pattern(p, "user-dn");
                    PathPattern issuer = pattern(p, "issuer-dn");
                    CertificateUser name = CertificateUser.of(p.need(AuthFunctions.USER));
                    return run -> {
                        if (method != null && !Patterns.matches(method, run.input.methodName)) {
                            return StepOutcome.NOACTION;
                        }
                        List<X509Certificate> shown = run.request().clientCertificates();
                        boolean passes = shown.isEmpty() ? !required : named(shown.getFirst(), user, issuer);
                        CertificateUser.Owner owner = passes && !shown.isEmpty() ? name.owner(shown.getFirst()) : null;
                        if (owner != null) {
                            AuthFunctions.setUser(run, owner.user(), owner.groups());
                        }
                        return passes ? StepOutcome.PROCEED : run.abort(ProxyFault.CLIENT_CERTIFICATE);
                    };
                });
    }

    private static boolean named(X509Certificate leaf, @Nullable PathPattern user, @Nullable PathPattern issuer) {
        return (user == null
                        || Patterns.matches(user, leaf.getSubjectX500Principal().getName()))
                && (issuer == null
                        || Patterns.matches(
                                issuer, leaf.getIssuerX500Principal().getName()));
    }
}
