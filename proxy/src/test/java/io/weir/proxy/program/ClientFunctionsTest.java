package io.weir.proxy.program;

import static io.weir.proxy.program.ObjConfBench.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.RequestHead;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.accesslog.RecordText;
import io.weir.proxy.program.run.ClientFact;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.RequestContext;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.server.VirtualServer;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The functions block-… and forward-…, set-basic-auth and suppress-request-headers as the reference documents them. */
class ClientFunctionsTest {
    private final ObjConfBench bench = new ObjConfBench();

    /** A request over TLS. */
    private record Secure(SyntheticRequest plain) implements RequestContext {
        @Override
        public RequestHead head() {
            return plain.head();
        }

        @Override
        public InetAddress clientAddress() {
            return plain.clientAddress();
        }

        @Override
        public boolean secure() {
            return true;
        }

        @Override
        public SSLSession tls() {
            Map<String, Object> values =
                    Map.of("getCipherSuite", "TLS_AES_128_GCM_SHA256", "getId", new byte[] {0x0a, (byte) 0xff});
            return (SSLSession) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {SSLSession.class},
                    (_, method, _) -> values.get(method.getName()));
        }

        @Override
        public VirtualServer virtualServer() {
            return plain.virtualServer();
        }

        @Override
        public Executor loop() {
            return plain.loop();
        }

        @Override
        public void resumed(RunState state) {
            plain.resumed(state);
        }

        @Override
        public void logValue(LogVariable variable, RecordText out) {
            plain.logValue(variable, out);
        }

        @Override
        public int logStatus() {
            return plain.logStatus();
        }

        @Override
        public void logCookie(String name, RecordText out) {
            plain.logCookie(name, out);
        }

        @Override
        public void logRequestField(String name, RecordText out) {
            plain.logRequestField(name, out);
        }

        @Override
        public void logResponseField(String name, RecordText out) {
            plain.logResponseField(name, out);
        }

        @Override
        public void logVariable(String name, RecordText out) {
            plain.logVariable(name, out);
        }
    }

    private ProgramRun overTls(String lines) {
        Program program = bench.directives(lines);
        return bench.run(program, new Secure(Bench.request(program, "GET /", "192.0.2.7")));
    }

    @ParameterizedTest
    @CsvSource({
        "cipher, Proxy-cipher, TLS_AES_128_GCM_SHA256",
        "keysize, Proxy-keysize, 128",
        "secret-keysize, Proxy-secret-keysize, 128",
        "ssl-id, Proxy-ssl-id, 0aff",
        "ip, Client-ip, 192.0.2.7"
    })
    void factsAreForwardedInTheirFieldOrInAnother(String fact, String field, String value) {
        assertThat(sent(overTls("ObjectType fn=forward-" + fact), field)).isEqualTo(value);
        ProgramRun renamed = overTls("ObjectType fn=forward-" + fact + " hdr=X-Fact");
        assertThat(sent(renamed, "X-Fact")).isEqualTo(value);
        assertThat(sent(renamed, field)).isNull();
    }

    @ParameterizedTest
    @EnumSource(ClientFact.class)
    void theFirstFunctionForAFactDecides(ClientFact fact) {
        ProgramRun blocked = overTls("ObjectType fn=block-" + fact.word() + "\nObjectType fn=forward-" + fact.word());
        assertThat(blocked.decided(fact)).isTrue();
        assertThat(sent(blocked, fact.field())).isNull();
        assertThat(Objects.requireNonNull(blocked.requestEdits()).remove()).contains(fact.field());
        assertThat(overTls("ObjectType fn=block-proxy-auth").decided(fact)).isFalse();
    }

    @Test
    void whatIsNotKnownIsTakenFromNoClient() {
        ProgramRun run = bench.run(
                bench.directives("ObjectType fn=forward-user-dn hdr=X-User\nObjectType fn=forward-cipher"),
                "GET /",
                "X-User: CN=root");
        assertThat(Objects.requireNonNull(run.requestEdits()).remove())
                .containsExactlyInAnyOrder("X-User", "Proxy-cipher");
    }

    @Test
    void blockIpHidesTheAddressInEveryField() {
        ProgramRun run = overTls("ObjectType fn=block-ip");
        assertThat(run.addressHidden()).isTrue();
        assertThat(Objects.requireNonNull(run.requestEdits()).remove()).contains("X-Forwarded-For", "Forwarded");
        assertThat(overTls("ObjectType fn=forward-ip").addressHidden()).isFalse();
    }

    @Test
    void proxyCredentialsGoOnOnlyIfTheyShould() {
        String field = "Proxy-Authorization: Basic YTpi";
        assertThat(bench.run(bench.directives("ObjectType fn=forward-proxy-auth"), "GET /", field)
                        .credentials())
                .isEqualTo("Basic YTpi");
        assertThat(bench.run(bench.directives("ObjectType fn=block-proxy-auth"), "GET /", field)
                        .credentials())
                .isNull();
    }

    /** The reference's example. */
    @Test
    void setBasicAuthLogsInAtTheOriginOrProxy() {
        ProgramRun origin =
                bench.run(bench.directives("ObjectType fn=set-basic-auth user=admin password=secret"), "GET /");
        assertThat(sent(origin, "Authorization")).isEqualTo("Basic YWRtaW46c2VjcmV0");
        ProgramRun proxy = bench.run(
                bench.directives("ObjectType fn=set-basic-auth user=admin password=secret hdr=proxy-authorization"),
                "GET /");
        assertThat(proxy.credentials()).isEqualTo("Basic YWRtaW46c2VjcmV0");
        assertThat(bench.problems("ObjectType fn=set-basic-auth user=a:b password=c")
                        .getFirst())
                .contains("RFC 7617");
    }

    /** The reference's example. */
    @Test
    void suppressedFieldsAreNotSent() {
        ProgramRun run = bench.run(
                bench.directives("ObjectType fn=suppress-request-headers hdr=\"from\" hdr=\"Cookie\""), "GET /");
        assertThat(Objects.requireNonNull(run.requestEdits()).remove()).containsExactly("from", "Cookie");
    }

    @Test
    void getSslidSetsAVariable() {
        ProgramRun run = overTls("AuthTrans fn=get-sslid\nObjectType fn=set-variable $seen=\"$client{'ssl-id'}\"");
        assertThat(run.variable("seen")).isEqualTo("0aff");
        assertThat(bench.run(bench.directives("AuthTrans fn=get-sslid"), "GET /")
                        .variable("ssl-id"))
                .isNull();
    }
}
