package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.List;

/** {@code routes[].auth}: who may ask; compiled to get-client-cert and require-auth or require-proxy-auth. Immutable. */
public record AuthRoute(
        @Knob(
                doc = "Users of ./weir passwd log in with name and password (Basic, RFC 7617): a route with forward or"
                        + " connect asks with 407, any other with 401. Passwords then cross the wire as they are: use"
                        + " it behind TLS.",
                value = "off",
                dynamic = true,
                watch = {"weir_proxy_logins_total", "weir_proxy_faults_total"},
                knownAs = "require-auth, require-proxy-auth, basic-auth, proxy-auth")
        boolean basic,

        @Knob(
                doc = "Name in a client's certificate that makes it a user without password; the groups are the"
                        + " organisational units of its subject.",
                value = "off",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "get-client-cert")
        CertificateUser certificate,

        @Knob(
                doc = "Who does not say a name is refused; off: passes as nobody. A wrong password is refused always.",
                value = "on",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        boolean required,

        @Knob(
                doc = "What users see that they log in to.",
                value = "weir",
                min = "1",
                max = "256",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "realm")
        String realm,

        @Knob(
                doc = "Users who may pass; others get 403. Without users and groups every user may.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "auth-user")
        List<String> users,

        @Knob(
                doc = "Groups whose users may pass.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "auth-group")
        List<String> groups,

        @Knob(
                doc = "Origins do not see an Authorization that was accepted here. Proxy-Authorization never reaches"
                        + " them.",
                value = "on",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        boolean strip) {
    /** Whether it names users in any way. */
    public boolean given() {
        return basic || certificate != CertificateUser.OFF;
    }
}
