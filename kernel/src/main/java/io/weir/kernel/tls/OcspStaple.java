package io.weir.kernel.tls;

import io.weir.base.Clock;
import io.weir.base.IoReason;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The OCSP answer that is shown with one certificate, from a file or from the issuer's responder, and renewed while it
 * is still good. Shared: muxers read the answer, {@link TlsWatch} renews it. Lives as long as its certificate is in
 * use.
 */
final class OcspStaple {
    private static final int LARGEST = 64 * 1024;
    private static final String MEDIA = "application/ocsp-request";

    /** What it needs of its listener. */
    record Owner(String listener, TlsConfig.StaplingConfig config, KernelContext kernel) {
        Clock clock() {
            return kernel.clock();
        }
    }

    /** A verified response. Immutable: its bytes are never written to. */
    private static final class Answer {
        final byte[] bytes;
        final Ocsp.Validity validity;

        Answer(byte[] bytes, Ocsp.Validity validity) {
            this.bytes = bytes;
            this.validity = validity;
        }
    }

    private final Owner owner;
    private final String place;
    private final @Nullable String file;
    private final X509Certificate leaf;
    private final @Nullable X509Certificate issuer;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Answer answer;
    private volatile @Nullable FileMarks seen;
    private volatile String failure = "";
    private volatile long due;

    OcspStaple(Owner owner, TlsConfig.Certificate configured, List<X509Certificate> chain) {
        this.owner = owner;
        this.place = configured.files().place();
        this.file = configured.ocspFile();
        this.leaf = chain.getFirst();
        this.issuer = chain.size() > 1 ? chain.get(1) : null;
        this.due = owner.clock().nanos();
    }

    /** Whether it is for the same certificate and file. */
    boolean sameAs(OcspStaple other) {
        return leaf.equals(other.leaf) && Objects.equals(file, other.file);
    }

    /** Goes on with what the other has. */
    void keep(OcspStaple other) {
        answer = other.answer;
        seen = other.seen;
        failure = other.failure;
        due = other.due;
    }

    /** What to show now; null when there is nothing good. From any thread. */
    byte @Nullable [] current() {
        Answer a = answer;
        return a == null || a.validity.until() <= owner.clock().millis() ? null : a.bytes;
    }

    /** For the administration. From any thread. */
    CertificateReport.Stapling state() {
        Answer a = answer;
        long until = a == null ? 0 : a.validity.until();
        return new CertificateReport.Stapling(true, until > owner.clock().millis() ? until : 0, failure);
    }

    /** Renews the answer when it is time. On the watch's thread, for a responder is waited for; others may ask, too. */
    void look() {
        lock.lock();
        try {
            renewIfDue();
        } finally {
            lock.unlock();
        }
    }

    private void renewIfDue() {
        String from = file;
        if (from != null) {
            FileMarks now = FileMarks.of(List.of(from));
            if (!now.equals(seen)) {
                seen = now;
                renew("read", () -> Files.readAllBytes(Path.of(from)));
            }
        } else if (owner.clock().nanos() - due >= 0) {
            due = owner.clock().nanos() + owner.config().retry().toNanos();
            renew("fetched", this::fetch);
        }
    }

    private interface Source {
        byte[] get() throws IOException, GeneralSecurityException;
    }

    private void renew(String how, Source source) {
        X509Certificate by = issuer;
        try {
            if (by == null && (file == null || Files.isReadable(Path.of(file)))) {
                throw new IOException("its file holds no issuer; add the intermediate certificate after it");
            }
            byte[] bytes = source.get();
            long now = owner.clock().millis();
            Ocsp.Validity validity = Ocsp.check(bytes, leaf, Objects.requireNonNull(by), now);
            answer = new Answer(bytes, validity);
            long half = Math.max(0, validity.until() - now) / 2 * 1_000_000;
            due = owner.clock().nanos() + Math.max(half, 1_000_000_000L);
            failure = "";
            count(how);
            owner.kernel()
                    .log()
                    .log(
                            KernelMessages.OCSP_UPDATED,
                            place,
                            owner.listener(),
                            Instant.ofEpochMilli(validity.until()).toString());
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // a responder that fails is the authority's fault: clients are served as if there were none
            count("failed");
            failure = e instanceof IOException io ? IoReason.of(io) : String.valueOf(e.getMessage());
            owner.kernel().log().log(KernelMessages.OCSP_FAILED, place, owner.listener(), failure);
        }
    }

    private void count(String outcome) {
        owner.kernel()
                .stats()
                .counter(KernelStats.TLS_OCSP, owner.listener(), outcome)
                .inc();
    }

    private byte[] fetch() throws IOException, GeneralSecurityException {
        String configured = owner.config().responder();
        String url = configured == null ? Ocsp.responder(leaf) : configured;
        if (url == null || issuer == null) {
            throw new IOException("the certificate names no responder; set tls.stapling.responder");
        }
        URI uri = URI.create(url);
        if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
            throw new IOException("the responder's address is no http URL: " + url);
        }
        HttpURLConnection asked = (HttpURLConnection) uri.toURL().openConnection();
        int millis = (int) owner.config().timeOut().toMillis();
        asked.setConnectTimeout(millis);
        asked.setReadTimeout(millis);
        asked.setInstanceFollowRedirects(false);
        asked.setDoOutput(true);
        asked.setRequestMethod("POST");
        asked.setRequestProperty("Content-Type", MEDIA);
        asked.setRequestProperty("Connection", "close");
        try (OutputStream out = asked.getOutputStream()) {
            out.write(Ocsp.request(leaf, issuer));
        }
        try {
            if (asked.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException(url + " answered " + asked.getResponseCode());
            }
            try (InputStream in = asked.getInputStream()) {
                byte[] bytes = in.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    throw new IOException(url + " answered more than " + LARGEST + " bytes");
                }
                return bytes;
            }
        } finally {
            asked.disconnect();
        }
    }
}
