package io.weir.server.monitor;

import static io.weir.server.monitor.PerfdumpLines.number;

import java.util.List;
import java.util.Locale;

/** Writes perfdump's sections of TLS, behind the sessions and in their style. Confined to the call. */
final class PerfdumpTls {
    private final PerfdumpLines out;
    private final long now;

    PerfdumpTls(StringBuilder text, long now) {
        this.out = new PerfdumpLines(text);
        this.now = now;
    }

    void write(List<TlsFigures> all) {
        if (all.isEmpty()) {
            return;
        }
        TextTable info = new TextTable(
                "Owner", "Handshakes", "Resumed", "Open", "Refused", "Failed", "Reloads", "ReloadsFailed");
        TextTable counts = new TextTable("Owner", "By", "Name", "Handshakes");
        TextTable certificates = new TextTable("Owner", "DaysLeft", "Key", "Stapling", "Names", "Certificate");
        for (TlsFigures f : all) {
            info.row(
                    f.owner(),
                    number(f.handshakes()),
                    number(f.resumed()),
                    number(f.open()),
                    number(f.refused()),
                    number(f.failed()),
                    number(f.reloads()),
                    number(f.reloadsFailed()));
            for (TlsFigures.Count c : f.counts()) {
                counts.row(f.owner(), word(c.kind()), c.name(), number(c.handshakes()));
            }
            for (TlsFigures.Certificate c : f.certificates()) {
                certificates.row(
                        f.owner(),
                        number(c.daysLeft(now)),
                        c.key(),
                        c.stapling(),
                        String.join(",", c.names()),
                        c.file());
            }
        }
        table("TlsInfo:", info);
        table("TlsHandshakes:", counts);
        table("TlsCertificates:", certificates);
    }

    private void table(String title, TextTable table) {
        if (table.rows() > 0) {
            out.table(title, table, table.rows());
        }
    }

    static String word(TlsFigures.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
