package io.weir.kernel;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How Weir speaks TLS to origins. Immutable. */
public record OriginTlsConfig(
        @Knob(
                doc = "Check the origin's certificate and its name. Off accepts anybody who answers: for tests only.",
                value = "on",
                watch = "weir_tls_handshake_failures_total",
                seed = "validate-server-cert")
        boolean verify,

        @Knob(
                doc = "File with trusted authorities, PEM or PKCS#12; none means the JDK's.",
                watch = "weir_proxy_origin_failures_total")
        @Nullable
        String trustFile,

        @Knob(doc = "Password of a PKCS#12 trust file.", secret = true, unwatched = Unwatched.SECRET) @Nullable
        String trustPassword,

        @Knob(doc = "Who encrypts, as for listeners.", value = "auto", watch = "weir_proxy_origin_failures_total")
        TlsConfig.Provider provider,

        @Knob(doc = "Versions offered.", value = "TLSv1.3,TLSv1.2", watch = "weir_proxy_origin_failures_total")
        List<TlsConfig.Version> protocols,

        @Knob(
                doc = "Application protocols offered by ALPN.",
                value = "http/1.1",
                watch = "weir_proxy_origin_failures_total")
        List<String> alpn) {}
