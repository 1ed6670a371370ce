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
 * The OCSP response stapled with one certificate, from a file or from the issuer's responder, and renewed before it
 * expires. Shared: muxers read the response, {@link TlsWatch} renews it. Lives as long as its certificate is in use.
 */
final class OcspStaple {
    private static final int LARGEST = 64 * 1024;
    private static final String MEDIA = "application/ocsp-request";

    /** The owning listener's name, settings and kernel. */
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

    /** Whether both are for the same certificate and file. */
    boolean sameAs(OcspStaple other) {
        return leaf.equals(other.leaf) && Objects.equals(file, other.file);
    }

    /** Takes over the other's state. */
    void keep(OcspStaple other) {
        answer = other.answer;
        seen = other.seen;
        failure = other.failure;
        due = other.due;
    }

    /** The response to staple now, or null if there is no valid one. Callable from any thread. */
    byte @Nullable [] current() {
        Answer a = answer;
        return a == null || a.validity.until() <= owner.clock().millis() ? null : a.bytes;
    }

    /** The state for the administration. Callable from any thread. */
    CertificateReport.Stapling state() {
        Answer a = answer;
        long until = a == null ? 0 : a.validity.until();
        return new CertificateReport.Stapling(true, until > owner.clock().millis() ? until : 0, failure);
    }

    /**
     * Renews the response if it is due. Called on the watch's thread, because it waits for the responder; safe from
     * other threads too.
     */
    void renew() {
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
                throw new IOException("its file does not contain the issuer; append the intermediate certificate");
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
            // a failing responder is outside our control: clients are served without a stapled response
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
            throw new IOException("the responder's address is not an http URL: " + url);
        }
        HttpURLConnection request = (HttpURLConnection) uri.toURL().openConnection();
        int millis = (int) owner.config().timeOut().toMillis();
        request.setConnectTimeout(millis);
        request.setReadTimeout(millis);
        request.setInstanceFollowRedirects(false);
        request.setDoOutput(true);
        request.setRequestMethod("POST");
        request.setRequestProperty("Content-Type", MEDIA);
        request.setRequestProperty("Connection", "close");
        try (OutputStream out = request.getOutputStream()) {
            out.write(Ocsp.request(leaf, issuer));
        }
        try {
            if (request.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException(url + " answered " + request.getResponseCode());
            }
            try (InputStream in = request.getInputStream()) {
                byte[] bytes = in.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    throw new IOException(url + " answered more than " + LARGEST + " bytes");
                }
                return bytes;
            }
        } finally {
            request.disconnect();
        }
    }
}
