package io.weir.lab.bench.matrix;

import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.CellProtocol;
import io.weir.lab.bench.cell.CellWork;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Requests of a cell, one each, before it is measured: a whole object is stored where parts of it are measured, and a
 * server that answers something else is found. Lives until closed; confined to its thread.
 */
final class FirstLook implements AutoCloseable {
    private static final Duration TIME_OUT = Duration.ofSeconds(10);
    private final HttpClient one;
    private final HttpClient two;

    /** @param keys folder with the servers' {@code cert.pem} */
    FirstLook(Path keys) throws IOException, GeneralSecurityException {
        SSLContext trust = trust(keys);
        this.one = client(trust, HttpClient.Version.HTTP_1_1);
        this.two = client(trust, HttpClient.Version.HTTP_2);
    }

    private static HttpClient client(SSLContext trust, HttpClient.Version version) {
        return HttpClient.newBuilder()
                .sslContext(trust)
                .version(version)
                .connectTimeout(TIME_OUT)
                .build();
    }

    private static SSLContext trust(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(keys.resolve("cert.pem"))) {
            store.setCertificateEntry(
                    "bench", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /**
     * Asks a server.
     *
     * @throws BenchFailure if it does not answer as the cell expects
     */
    void look(Cell cell, Contender contender) throws IOException, InterruptedException, BenchFailure {
        if (cell.work().echoes()) {
            return;
        }
        URI uri = URI.create(contender.url());
        if (cell.work() != CellWork.UPLOAD) {
            for (int i = 0; i < 2; i++) {
                HttpRequest whole =
                        HttpRequest.newBuilder(uri).timeout(TIME_OUT).build();
                check(contender, client(cell).send(whole, HttpResponse.BodyHandlers.ofByteArray()), 200, -1);
            }
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TIME_OUT);
        cell.fields().forEach(request::header);
        if (cell.work() == CellWork.UPLOAD) {
            request.POST(
                    HttpRequest.BodyPublishers.ofByteArray(new byte[cell.size().bytes()]));
        }
        int bytes = cell.work() == CellWork.UPLOAD || cell.work() == CellWork.CONDITIONAL
                ? 0
                : cell.size().bytes();
        check(
                contender,
                client(cell).send(request.build(), HttpResponse.BodyHandlers.ofByteArray()),
                cell.status(),
                bytes);
    }

    private HttpClient client(Cell cell) {
        return cell.protocol() == CellProtocol.H2 ? two : one;
    }

    private void check(Contender contender, HttpResponse<byte[]> answer, int status, int bytes) throws BenchFailure {
        if (answer.statusCode() != status || (bytes >= 0 && answer.body().length != bytes)) {
            throw new BenchFailure(contender.name() + " answers " + answer.statusCode() + " with "
                    + answer.body().length + " bytes instead of " + status + (bytes < 0 ? "" : " with " + bytes));
        }
    }

    @Override
    public void close() {
        one.close();
        two.close();
    }
}
