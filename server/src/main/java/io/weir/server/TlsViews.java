package io.weir.server;

import io.weir.kernel.CertificateReport;
import io.weir.kernel.Kernel;
import io.weir.kernel.Listener;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.admin.Json;
import java.time.Instant;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Listeners' certificates on the admin listener: {@code GET /tls} shows them, {@code POST /tls/reload} loads them anew.
 * Shared.
 */
final class TlsViews {
    private final Kernel kernel;

    TlsViews(Kernel kernel) {
        this.kernel = kernel;
    }

    void register(AdminRouter router) {
        router.get("/tls", this::show);
        router.on("POST", "/tls/reload", Where.THREAD, this::reload);
    }

    private AdminAnswer show(AdminRequest request) {
        StringJoiner all = new StringJoiner(",", "{\"certificates\":[", "]}\n");
        for (Listener l : kernel.listeners()) {
            l.certificates().forEach(c -> all.add(one(c)));
        }
        return AdminAnswer.json(200, all.toString());
    }

    private String one(CertificateReport c) {
        String names = c.names().stream().map(Json::quote).collect(Collectors.joining(",", "[", "]"));
        return "{\"listener\":" + Json.quote(c.listener()) + ",\"file\":" + Json.quote(c.place()) + ",\"names\":"
                + names + ",\"issuer\":" + Json.quote(c.issuer()) + ",\"expires\":" + Json.quote(time(c.notAfter()))
                + ",\"secondsLeft\":"
                + Math.floorDiv(c.notAfter() - kernel.clock().millis(), 1000L)
                + ",\"stapledUntil\":" + Json.quote(c.stapledUntil() == 0 ? "" : time(c.stapledUntil())) + "}";
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private AdminAnswer reload(AdminRequest request) {
        StringJoiner outcomes = new StringJoiner(",", "{", "}\n");
        boolean failed = false;
        for (Listener l : kernel.listeners()) {
            if (l.secure()) {
                String why = l.reloadCertificates();
                failed |= why != null;
                String outcome = why == null ? "reloaded" : "the old ones stay: " + why;
                outcomes.add(Json.quote(l.name()) + ":" + Json.quote(outcome));
            }
        }
        return AdminAnswer.json(failed ? 409 : 200, outcomes.toString());
    }
}
