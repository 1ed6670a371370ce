package io.weir.server.figures.tls;

import io.weir.kernel.settings.KernelStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.tls.TlsFigures.Certificate;
import io.weir.server.figures.tls.TlsFigures.Count;
import io.weir.server.figures.tls.TlsFigures.Kind;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Every figure of TLS, once: perfdump, stats-xml with its document type and docs/figures.md follow. */
public final class TlsDeclarations {
    /** A count with its owner. */
    public record OwnedCount(String owner, Count count) {}

    /** A certificate with its owner, at a time in milliseconds since the epoch. */
    public record OwnedCertificate(String owner, Certificate certificate, long now) {}

    /** TLS of a listener, or towards origins. */
    public static final FigureGroup<TlsFigures> OWNER = new FigureGroup<>(
            "TLS of a listener, or towards origins",
            "tls-bucket",
            null,
            "TlsInfo:",
            List.of(
                    Figure.<TlsFigures>text("The listener's name, or proxy.origin-tls.", TlsFigures::owner)
                            .column("Owner")
                            .attribute("id"),
                    Figure.<TlsFigures>count(KernelStats.TLS_HANDSHAKES, TlsFigures::handshakes)
                            .column("Handshakes")
                            .attribute("countHandshakes"),
                    Figure.<TlsFigures>count(KernelStats.TLS_RESUMED, TlsFigures::resumed)
                            .column("Resumed")
                            .attribute("countHandshakesResumed"),
                    Figure.<TlsFigures>count(KernelStats.TLS_OPEN, TlsFigures::open)
                            .column("Open")
                            .attribute("countHandshakesOpen"),
                    Figure.<TlsFigures>count(KernelStats.TLS_REFUSED, TlsFigures::refused)
                            .column("Refused")
                            .attribute("countHandshakesRefused"),
                    Figure.<TlsFigures>count(KernelStats.TLS_FAILURES, TlsFigures::failed)
                            .column("Failed")
                            .attribute("countHandshakesFailed"),
                    Figure.<TlsFigures>count(KernelStats.TLS_RELOADS, TlsFigures::reloads)
                            .column("Reloads")
                            .attribute("countReloads"),
                    Figure.<TlsFigures>count(
                                    "times",
                                    "Of these, those that failed: the old ones stayed.",
                                    TlsFigures::reloadsFailed)
                            .column("ReloadsFailed")
                            .attribute("countReloadsFailed")));

    /** Handshakes by protocol. */
    public static final FigureGroup<OwnedCount> PROTOCOL = counts(Kind.PROTOCOL);

    /** Handshakes by cipher suite. */
    public static final FigureGroup<OwnedCount> CIPHER = counts(Kind.CIPHER);

    /** Handshakes that failed, by cause. */
    public static final FigureGroup<OwnedCount> FAILURE = counts(Kind.FAILURE);

    /** A certificate in use. */
    public static final FigureGroup<OwnedCertificate> CERTIFICATE = new FigureGroup<>(
                    "A certificate",
                    "tls-certificate",
                    null,
                    "TlsCertificates:",
                    List.of(
                            Figure.<OwnedCertificate>text("The listener, or proxy.origin-tls.", OwnedCertificate::owner)
                                    .column("Owner"),
                            Figure.<OwnedCertificate>count(
                                            "milliseconds",
                                            "When it expires, from 1970.",
                                            c -> c.certificate().expires())
                                    .attribute("timeExpires", TimeUnit.SECONDS),
                            Figure.<OwnedCertificate>count(
                                            "days",
                                            "Whole days left; negative if it has expired.",
                                            c -> c.certificate().daysLeft(c.now()))
                                    .column("DaysLeft")
                                    .attribute("daysLeft"),
                            Figure.<OwnedCertificate>text(
                                            "Kind and size of its key.",
                                            c -> c.certificate().key())
                                    .column("Key")
                                    .attribute("key"),
                            Figure.<OwnedCertificate>text(
                                            "off, none, or the state of the stapled response.",
                                            c -> c.certificate().stapling())
                                    .column("Stapling")
                                    .attribute("stapling"),
                            Figure.<OwnedCertificate>text(
                                            "Its DNS names.",
                                            c -> String.join(
                                                    ",", c.certificate().names()))
                                    .column("Names")
                                    .attribute(
                                            "names",
                                            c -> String.join(
                                                    " ", c.certificate().names())),
                            Figure.<OwnedCertificate>text(
                                            "Its file.", c -> c.certificate().file())
                                    .column("Certificate")
                                    .attribute("id")))
            .writing("id", "timeExpires")
            .writing("names", "timeExpires")
            .writing("key", "timeExpires");

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(OWNER, PROTOCOL, CIPHER, FAILURE, CERTIFICATE);

    private TlsDeclarations() {}

    /** The group of a kind of counts. */
    public static FigureGroup<OwnedCount> of(Kind kind) {
        return switch (kind) {
            case PROTOCOL -> PROTOCOL;
            case CIPHER -> CIPHER;
            case FAILURE -> FAILURE;
        };
    }

    private static FigureGroup<OwnedCount> counts(Kind kind) {
        String word = kind.name().toLowerCase(Locale.ROOT);
        return new FigureGroup<>(
                "Handshakes by " + word,
                "tls-" + word + "-bucket",
                null,
                "TlsHandshakes:",
                List.of(
                        Figure.<OwnedCount>text("The listener, or proxy.origin-tls.", OwnedCount::owner)
                                .column("Owner"),
                        Figure.<OwnedCount>text(
                                        "protocol, cipher or failure.",
                                        c -> c.count().kind().name().toLowerCase(Locale.ROOT))
                                .column("By"),
                        Figure.<OwnedCount>text(
                                        "The " + word + ".", c -> c.count().name())
                                .column("Name")
                                .attribute("id"),
                        Figure.<OwnedCount>count(
                                        "handshakes",
                                        "Handshakes with it.",
                                        c -> c.count().handshakes())
                                .column("Handshakes")
                                .attribute("countHandshakes")));
    }
}
