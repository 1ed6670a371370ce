package io.weir.server.monitor;

import java.util.List;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of TLS. Confined to the call. */
final class StatsXmlTls {
    private final XmlOut xml;
    private final Predicate<String> on;
    private final long now;

    StatsXmlTls(XmlOut xml, Predicate<String> on, long now) {
        this.xml = xml;
        this.on = on;
        this.now = now;
    }

    void write(List<TlsFigures> all) throws XMLStreamException {
        if (!on.test("tls-bucket")) {
            return;
        }
        for (TlsFigures f : all) {
            xml.start("tls-bucket");
            xml.attribute("id", f.owner());
            xml.attribute("countHandshakes", f.handshakes());
            xml.attribute("countHandshakesResumed", f.resumed());
            xml.attribute("countHandshakesOpen", f.open());
            xml.attribute("countHandshakesRefused", f.refused());
            xml.attribute("countHandshakesFailed", f.failed());
            xml.attribute("countReloads", f.reloads());
            xml.attribute("countReloadsFailed", f.reloadsFailed());
            for (TlsFigures.Count c : f.counts()) {
                String element = "tls-" + PerfdumpTls.word(c.kind()) + "-bucket";
                if (on.test(element)) {
                    xml.empty(element);
                    xml.attribute("id", c.name());
                    xml.attribute("countHandshakes", c.handshakes());
                }
            }
            if (on.test("tls-certificate")) {
                for (TlsFigures.Certificate c : f.certificates()) {
                    certificate(c);
                }
            }
            xml.end();
        }
    }

    private void certificate(TlsFigures.Certificate c) throws XMLStreamException {
        xml.empty("tls-certificate");
        xml.attribute("id", c.file());
        xml.attribute("names", String.join(" ", c.names()));
        xml.attribute("key", c.key());
        xml.attribute("timeExpires", Math.floorDiv(c.expires(), 1000L));
        xml.attribute("daysLeft", c.daysLeft(now));
        xml.attribute("stapling", c.stapling());
    }
}
