package io.weir.server.monitor;

import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.tls.TlsDeclarations;
import io.weir.server.figures.tls.TlsDeclarations.OwnedCertificate;
import io.weir.server.figures.tls.TlsDeclarations.OwnedCount;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import java.util.List;

/** Writes perfdump's sections of TLS, after the sessions and in their style. Confined to the call. */
final class PerfdumpTls {
    private final PerfdumpLines out;
    private final long now;

    PerfdumpTls(StringBuilder text, long now) {
        this.out = new PerfdumpLines(text);
        this.now = now;
    }

    void write(List<TlsFigures> all) {
        table(TlsDeclarations.OWNER, all);
        table(
                TlsDeclarations.PROTOCOL,
                all.stream()
                        .flatMap(f -> f.counts().stream().map(c -> new OwnedCount(f.owner(), c)))
                        .toList());
        table(
                TlsDeclarations.CERTIFICATE,
                all.stream()
                        .flatMap(f -> f.certificates().stream().map(c -> new OwnedCertificate(f.owner(), c, now)))
                        .toList());
    }

    private <T> void table(FigureGroup<T> group, List<T> rows) {
        if (!rows.isEmpty()) {
            FigureViews.table(group, rows, rows.size(), out);
        }
    }
}
