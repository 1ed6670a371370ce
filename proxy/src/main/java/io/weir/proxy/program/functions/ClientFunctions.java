package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.http.FieldName;
import io.weir.proxy.fields.ClientTlsFields;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.ClientFact;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The functions of ObjectType that decide what an origin is told in a request's fields. Stateless. */
final class ClientFunctions {
    private static final Set<Stage> OBJECT_TYPE = Set.of(Stage.OBJECT_TYPE);

    /** The fields that carry a client's address. */
    private static final List<String> ADDRESSES =
            List.of("X-Forwarded-For", "Forwarded", "X-Real-IP", ClientFact.IP.field());

    private ClientFunctions() {}

    static List<ServerFunction> all() {
        List<ServerFunction> all = new ArrayList<>();
        for (ClientFact fact : ClientFact.values()) {
            all.add(block(fact));
            all.add(forward(fact));
        }
        all.add(SimpleFunction.of(
                "block-proxy-auth",
                OBJECT_TYPE,
                "The client's Proxy-Authorization is not sent to origins: it never is, unless forward-proxy-auth says so.",
                List.of(),
                _ -> _ -> StepOutcome.NOACTION));
        all.add(forwardProxyAuth());
        all.add(SimpleFunction.of(
                "block-cache-info",
                OBJECT_TYPE,
                "Origins are not told of hits in the cache: they never are.",
                List.of(),
                _ -> _ -> StepOutcome.NOACTION));
        all.add(setBasicAuth());
        all.add(suppressRequestHeaders());
        return all;
    }

    private static ServerFunction block(ClientFact fact) {
        HeaderEdits none = new HeaderEdits(fact == ClientFact.IP ? ADDRESSES : List.of(fact.field()), Map.of());
        return SimpleFunction.of(
                "block-" + fact.word(),
                OBJECT_TYPE,
                "The origin is not told " + told(fact) + ".",
                List.of(),
                _ -> run -> {
                    if (run.decide(fact)) {
                        run.requestEdits(none);
                        if (fact == ClientFact.IP) {
                            run.hideAddress();
                        }
                    }
                    return StepOutcome.NOACTION;
                });
    }

    private static String told(ClientFact fact) {
        return switch (fact) {
            case CIPHER -> "the cipher suite of the client's TLS";
            case KEYSIZE -> "the key size of the client's TLS";
            case SECRET_KEYSIZE -> "the secret key size of the client's TLS";
            case SSL_ID -> "the client's TLS session";
            case AUTH_CERT -> "the client's certificate";
            case USER_DN -> "the subject of the client's certificate";
            case ISSUER_DN -> "the issuer of the client's certificate";
            case IP -> "the client's address";
        };
    }

    private static ServerFunction forward(ClientFact fact) {
        return SimpleFunction.of(
                "forward-" + fact.word(),
                OBJECT_TYPE,
                "The origin is told " + told(fact) + "; what the client sent in that field is not forwarded.",
                List.of(ParameterSpec.of("hdr", TEXT, fact.field(), "the request's field")),
                p -> {
                    String field = p.need("hdr");
                    HeaderEdits absent = new HeaderEdits(List.of(field), Map.of());
                    return run -> {
                        if (run.decide(fact)) {
                            String value = value(fact, run);
                            run.requestEdits(value == null ? absent : new HeaderEdits(List.of(), Map.of(field, value)));
                        }
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static @Nullable String value(ClientFact fact, FunctionContext run) {
        if (fact == ClientFact.IP) {
            return run.request().clientAddress().getHostAddress();
        }
        SSLSession session = run.request().tls();
        try {
            return session == null
                    ? null
                    : ClientTlsFields.value(fact, session, run.request().clientCertificates());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was decoded cannot be encoded", e);
        }
    }

    private static ServerFunction forwardProxyAuth() {
        return SimpleFunction.of(
                "forward-proxy-auth",
                OBJECT_TYPE,
                "The client's Proxy-Authorization is sent on: to a proxy behind this one that knows the same users.",
                List.of(),
                _ -> run -> {
                    String given = run.request().head().fields().combined(FieldName.PROXY_AUTHORIZATION);
                    if (given != null) {
                        run.credentials(given);
                    }
                    return StepOutcome.NOACTION;
                });
    }

    private static ServerFunction setBasicAuth() {
        return SimpleFunction.of(
                "set-basic-auth",
                OBJECT_TYPE,
                "The request to the origin, or to a proxy behind this one, has this name and password.",
                List.of(
                        ParameterSpec.required("user", TEXT, "the name"),
                        ParameterSpec.required("password", TEXT, "the password"),
                        ParameterSpec.of("hdr", TEXT, "Authorization", "the field: or Proxy-Authorization")),
                p -> {
                    String user = p.need("user");
                    if (user.indexOf(':') >= 0) {
                        throw new IllegalArgumentException("\"user\" has no colon (RFC 7617 section 2)");
                    }
                    String both = user + ":" + p.need("password");
                    String value = "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
                    String field = p.need("hdr");
                    HeaderEdits set = new HeaderEdits(List.of(), Map.of(field, value));
                    boolean toProxy = field.equalsIgnoreCase(FieldName.PROXY_AUTHORIZATION.canonical());
                    return run -> {
                        if (toProxy) {
                            run.credentials(value);
                        } else {
                            run.requestEdits(set);
                        }
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static ServerFunction suppressRequestHeaders() {
        return SimpleFunction.of(
                "suppress-request-headers",
                OBJECT_TYPE,
                "Fields of the client that are not sent to the origin.",
                List.of(ParameterSpec.repeated("hdr", TEXT, "a field")),
                p -> {
                    HeaderEdits edits = new HeaderEdits(p.all("hdr"), Map.of());
                    return run -> {
                        run.requestEdits(edits);
                        return StepOutcome.NOACTION;
                    };
                });
    }
}
