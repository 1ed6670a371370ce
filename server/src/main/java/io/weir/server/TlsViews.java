package io.weir.server;

import io.weir.kernel.Kernel;
import io.weir.kernel.tls.CertificateOwner;
import io.weir.kernel.tls.CertificateReport;
import io.weir.kernel.tls.TlsReload;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.Json;
import java.time.Instant;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Certificates of listeners and towards origins on the admin listener: {@code GET /tls} shows them, {@code POST
 * /tls/reload} loads them anew. Shared.
 */
final class TlsViews {
    private final Kernel kernel;

    TlsViews(Kernel kernel) {
        this.kernel = kernel;
    }

    void register(AdminRouter router) {
        router.get("/tls", this::show);
        router.change("POST", "/tls/reload", this::reload);
    }

    private AdminAnswer show(AdminRequest request) {
        StringJoiner owners = new StringJoiner(",", "{\"owners\":[", "]}\n");
        kernel.certificateOwners().forEach(o -> owners.add(one(o)));
        return AdminAnswer.json(200, owners.toString());
    }

    private String one(CertificateOwner o) {
        String certificates = o.certificates().stream().map(this::one).collect(Collectors.joining(",", "[", "]"));
        return "{\"owner\":" + Json.quote(o.owner()) + ",\"loaded\":" + outcome(o.loaded()) + ",\"certificates\":"
                + certificates + "}";
    }

    private static String outcome(TlsReload r) {
        String changes = r.changes().stream().map(Json::quote).collect(Collectors.joining(",", "[", "]"));
        String why = r.failure();
        return "{\"at\":" + Json.quote(time(r.at())) + ",\"done\":" + r.done()
                + (why == null ? "" : ",\"failure\":" + Json.quote(why)) + ",\"changes\":" + changes + "}";
    }

    private String one(CertificateReport c) {
        String names = c.names().stream().map(Json::quote).collect(Collectors.joining(",", "[", "]"));
        CertificateReport.Stapling staple = c.stapling();
        return "{\"file\":" + Json.quote(c.place()) + ",\"names\":" + names + ",\"issuer\":" + Json.quote(c.issuer())
                + ",\"serial\":" + Json.quote(c.serial()) + ",\"key\":" + Json.quote(c.key()) + ",\"expires\":"
                + Json.quote(time(c.notAfter())) + ",\"secondsLeft\":"
                + Math.floorDiv(c.notAfter() - kernel.clock().millis(), 1000L)
                + ",\"stapling\":{\"on\":" + staple.on() + ",\"until\":"
                + Json.quote(staple.until() == 0 ? "" : time(staple.until()))
                + ",\"failure\":" + Json.quote(staple.failure()) + "}}";
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private AdminAnswer reload(AdminRequest request) {
        StringJoiner outcomes = new StringJoiner(",", "{\"owners\":[", "]}\n");
        boolean failed = false;
        for (CertificateOwner o : kernel.certificateOwners()) {
            TlsReload r = o.reload();
            failed |= !r.done();
            outcomes.add("{\"owner\":" + Json.quote(o.owner()) + ",\"loaded\":" + outcome(r) + "}");
        }
        return AdminAnswer.json(failed ? 409 : 200, outcomes.toString());
    }
}
