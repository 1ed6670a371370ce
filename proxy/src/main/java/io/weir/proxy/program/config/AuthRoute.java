package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.List;

/**
 * {@code routes[].auth}: who may send requests; compiled to get-client-cert and require-auth or require-proxy-auth.
 * Immutable.
 */
public record AuthRoute(
        @Knob(
                doc = "Users of ./weir passwd log in with name and password (Basic, RFC 7617): a route with forward or"
                        + " connect challenges with 407, any other with 401. Passwords are sent unencrypted: use it"
                        + " with TLS.",
                value = "off",
                dynamic = true,
                watch = {"weir_proxy_logins_total", "weir_proxy_faults_total"},
                knownAs = "require-auth, require-proxy-auth, basic-auth, proxy-auth")
        boolean basic,

        @Knob(
                doc = "Name in a client's certificate that identifies the user without a password; the groups are the"
                        + " organisational units of its subject.",
                value = "off",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "get-client-cert")
        CertificateUser certificate,

        @Knob(
                doc = "Refuses requests without a user; off: they pass as anonymous. A wrong password is always"
                        + " refused.",
                value = "on",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        boolean required,

        @Knob(
                doc = "Realm shown to users who log in.",
                value = "weir",
                min = "1",
                max = "256",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "realm")
        String realm,

        @Knob(
                doc = "Users that are allowed; others get 403. Without users and groups every user may.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "auth-user")
        List<String> users,

        @Knob(
                doc = "Groups whose users are allowed.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "auth-group")
        List<String> groups,

        @Knob(
                doc = "Removes an Authorization that was accepted here from requests to origins. Proxy-Authorization is"
                        + " always removed.",
                value = "on",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        boolean strip) {
    /** Whether it identifies users in any way. */
    public boolean given() {
        return basic || certificate != CertificateUser.OFF;
    }
}
