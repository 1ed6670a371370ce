package io.weir.lab.bench.cell;

import java.util.Locale;

/** The protocol between the load and the servers. */
public enum CellProtocol {
    /** HTTP/1.1 without TLS. */
    H1("HTTP/1.1"),
    /** HTTP/1.1 under TLS 1.3. */
    TLS("HTTP/1.1 under TLS"),
    /** HTTP/2 under TLS 1.3, chosen by ALPN. */
    H2("HTTP/2");

    private final String title;

    CellProtocol(String title) {
        this.title = title;
    }

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String title() {
        return title;
    }

    public boolean secure() {
        return this != H1;
    }
}
