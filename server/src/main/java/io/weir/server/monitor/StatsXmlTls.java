package io.weir.server.monitor;

import io.weir.server.figures.tls.TlsDeclarations;
import io.weir.server.figures.tls.TlsDeclarations.OwnedCertificate;
import io.weir.server.figures.tls.TlsDeclarations.OwnedCount;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.XmlOut;
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
        if (!on.test(TlsDeclarations.OWNER.element())) {
            return;
        }
        for (TlsFigures f : all) {
            xml.start(TlsDeclarations.OWNER.element());
            FigureViews.attributes(TlsDeclarations.OWNER, f, xml);
            for (TlsFigures.Count c : f.counts()) {
                FigureViews.elements(TlsDeclarations.of(c.kind()), List.of(new OwnedCount(f.owner(), c)), on, xml);
            }
            for (TlsFigures.Certificate c : f.certificates()) {
                FigureViews.elements(
                        TlsDeclarations.CERTIFICATE, List.of(new OwnedCertificate(f.owner(), c, now)), on, xml);
            }
            xml.end();
        }
    }
}
