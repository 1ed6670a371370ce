package io.weir.server.migrate.nginx;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.YamlDraft;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits that nginx has for each location and Weir for all: the smallest of them applies. Confined to one migration.
 */
final class NginxTotals {
    private static final long DEFAULT_BODY = 1 << 20;

    private final Section root;
    private final Findings findings;
    private long body = -1;
    private @Nullable Place bodyAt;
    private double rate;
    private int burst;
    private @Nullable Place rateAt;
    private @Nullable Directive forwarded;
    private final Map<String, Directive> zones = new HashMap<>();

    NginxTotals(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    /** What a location that passes requests on allows. */
    void location(NginxScope scope) {
        Directive size = scope.one("client_max_body_size");
        long bytes = size == null ? DEFAULT_BODY : NginxValues.bytes(size.argument(0));
        if (bytes < 0 && size != null) {
            findings.problem(
                    size.at(), "client_max_body_size: expected a size such as 8m, found \"" + size.argument(0) + "\"");
        } else {
            body(bytes, size);
        }
        scope.all("limit_req").forEach(d -> rate(d, scope));
        for (Directive d : scope.all("proxy_set_header")) {
            boolean named = d.argument(0).toLowerCase(java.util.Locale.ROOT).startsWith("x-forwarded-");
            forwarded = forwarded == null && named ? d : forwarded;
        }
    }

    private void body(long bytes, @Nullable Directive at) {
        long effective = bytes == 0 ? Long.MAX_VALUE : bytes;
        long known = body == 0 ? Long.MAX_VALUE : body;
        if (body >= 0 && known != effective && at != null) {
            findings.note(at.at(), "client_max_body_size differs by location; the smallest applies to all");
        }
        if (body < 0 || effective < known) {
            body = bytes;
            bodyAt = at == null ? null : at.at();
        }
    }

    private void rate(Directive d, NginxScope scope) {
        String zone = "";
        int extra = 0;
        for (String option : d.arguments()) {
            if (option.startsWith("zone=")) {
                zone = option.substring(5);
            } else if (option.matches("burst=[0-9]{1,6}")) {
                extra = Integer.parseInt(option.substring(6));
            }
        }
        for (Directive z : scope.all("limit_req_zone")) {
            zones.put(z.argument(1).replaceFirst("^zone=", "").replaceFirst(":.*", ""), z);
        }
        Directive made = zones.get(zone);
        String written = made == null ? "" : made.argument(2).replaceFirst("^rate=", "");
        if (made == null || !NginxMigration.byClient(made.argument(0)) || !written.matches("[0-9]{1,6}r/[sm]")) {
            findings.left(d.at(), d.text(), "a rate by client address is expected; set request-rate of the route");
            return;
        }
        double perSecond =
                Double.parseDouble(written.substring(0, written.indexOf('r'))) / (written.endsWith("m") ? 60 : 1);
        if (rateAt == null || perSecond < rate) {
            rate = perSecond;
            burst = extra + 1;
            rateAt = d.at();
        }
        findings.note(d.at(), "limit_req: it applies to all requests of a client; those beyond it get 429 at once");
    }

    void write(NginxScope http) {
        http.here("limit_req_zone");
        Section proxy = root.section("proxy");
        if (body > 0) {
            proxy.section("limits").put("request-body", YamlDraft.size(body), bodyAt);
        }
        if (rateAt != null) {
            String text = rate == Math.rint(rate) ? String.valueOf((long) rate) : String.valueOf(rate);
            proxy.section("client-limits").put("request-rate", text, rateAt).put("request-burst", burst);
        }
        Directive sent = forwarded;
        if (sent == null) {
            proxy.put("forwarded", "off");
        } else {
            findings.note(
                    sent.at(),
                    "proxy_set_header " + sent.argument(0)
                            + ": all origins get X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host (proxy.forwarded);"
                            + " nginx sends what is named, and only where it is");
        }
        root.section("proxy.origin-tls");
        if (proxy.section("origin-tls").isEmpty()) {
            proxy.remove("origin-tls");
        }
    }

    /** How certificates of origins are verified: once for all. */
    void verify(NginxScope scope) {
        Section tls = root.section("proxy.origin-tls");
        Directive trust = scope.one("proxy_ssl_trusted_certificate");
        Directive chain = scope.one("proxy_ssl_certificate");
        Directive key = scope.one("proxy_ssl_certificate_key");
        scope.all("proxy_ssl_verify_depth");
        if (trust != null) {
            tls.putFirst("trust-file", scope.file(trust.argument(0)), trust.at());
        }
        if (chain != null && key != null) {
            tls.section("certificate").putFirst("chain-file", scope.file(chain.argument(0)), chain.at());
            tls.section("certificate").putFirst("key-file", scope.file(key.argument(0)), key.at());
        }
        if (!scope.value("proxy_ssl_verify", "off").equals("on")) {
            Directive pass = scope.one("proxy_pass");
            findings.note(
                    pass == null ? Place.of("nginx.conf") : pass.at(),
                    "nginx does not verify this origin's certificate, Weir does: give proxy.origin-tls.trust-file");
        }
    }
}
