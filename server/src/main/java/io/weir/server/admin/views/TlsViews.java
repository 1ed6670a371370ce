package io.weir.server.admin.views;

import io.weir.kernel.Kernel;
import io.weir.kernel.tls.CertificateOwner;
import io.weir.kernel.tls.CertificateReport;
import io.weir.kernel.tls.TlsReload;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Certificates of listeners and towards origins on the admin listener: {@code GET /tls} shows them, {@code POST
 * /tls/reload} reloads them. Shared.
 */
public final class TlsViews {
    private final Kernel kernel;

    public TlsViews(Kernel kernel) {
        this.kernel = kernel;
    }

    public void register(AdminRouter router) {
        router.get("/tls", this::show);
        router.change("POST", "/tls/reload", this::reload);
    }

    private AdminAnswer show(AdminRequest request) {
        return AdminAnswer.json(
                200,
                j -> j.array(
                        "owners",
                        kernel.certificateOwners(),
                        (o, to) -> to.add("owner", o.owner())
                                .object("loaded", loaded -> outcome(o.loaded(), loaded))
                                .array("certificates", o.certificates(), this::certificate)));
    }

    private static void outcome(TlsReload r, Json to) {
        String why = r.failure();
        to.add("at", time(r.at())).add("done", r.done());
        if (why != null) {
            to.add("failure", why);
        }
        to.add("changes", r.changes());
    }

    private void certificate(CertificateReport c, Json to) {
        CertificateReport.Stapling staple = c.stapling();
        to.add("file", c.place())
                .add("names", c.names())
                .add("issuer", c.issuer())
                .add("serial", c.serial())
                .add("key", c.key())
                .add("expires", time(c.notAfter()))
                .add("secondsLeft", Math.floorDiv(c.notAfter() - kernel.clock().millis(), 1000L))
                .object(
                        "stapling",
                        s -> s.add("on", staple.on())
                                .add("until", staple.until() == 0 ? "" : time(staple.until()))
                                .add("failure", staple.failure()));
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private AdminAnswer reload(AdminRequest request) {
        Map<CertificateOwner, TlsReload> outcomes = new LinkedHashMap<>();
        boolean failed = false;
        for (CertificateOwner o : kernel.certificateOwners()) {
            TlsReload r = o.reload();
            failed |= !r.done();
            outcomes.put(o, r);
        }
        return AdminAnswer.json(
                failed ? 409 : 200,
                j -> j.array(
                        "owners",
                        outcomes.entrySet(),
                        (e, to) -> to.add("owner", e.getKey().owner())
                                .object("loaded", loaded -> outcome(e.getValue(), loaded))));
    }
}
