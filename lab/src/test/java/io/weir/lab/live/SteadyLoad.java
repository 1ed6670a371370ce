package io.weir.lab.live;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask all the time, over connections that they keep and over new ones, with and without TLS, and over HTTP/2.
 * Every answer other than 200, and every connection that ends where none should, is a failure. Thread-safe.
 */
final class SteadyLoad implements AutoCloseable {
    private static final long PAUSE_NANOS = 5_000_000;
    private static final String UPLOAD = "0123456789abcdef".repeat(128);

    /** One kind of request. */
    private record Kind(String method, String host, String path, String body) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("GET", "www.test", "/steady", ""),
            new Kind("GET", "www.test", "/cached", ""),
            new Kind("GET", "shop.test", "/steady", ""),
            new Kind("GET", "www.test", "/routed", ""),
            new Kind("POST", "www.test", "/upload", UPLOAD));

    private final int http;
    private final int https;
    private final SSLContext context;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<String, AtomicLong> served = new ConcurrentHashMap<>();
    private final AtomicLong uploads = new AtomicLong();
    private volatile boolean stopped;

    SteadyLoad(int http, int https) throws GeneralSecurityException {
        this.http = http;
        this.https = https;
        this.context = HttpClientConnection.trusting();
        client("kept", false, true);
        client("new", false, false);
        client("kept TLS", true, true);
        client("new TLS", true, false);
        threads.add(Thread.ofPlatform().name("load, HTTP/2").unstarted(this::http2));
        threads.forEach(Thread::start);
    }

    private void client(String name, boolean secure, boolean keep) {
        threads.add(Thread.ofPlatform().name("load, " + name).unstarted(() -> run(name, secure, keep)));
    }

    private void run(String name, boolean secure, boolean keep) {
        AtomicLong count = served.computeIfAbsent(name, _ -> new AtomicLong());
        HttpClientConnection connection = null;
        for (int i = 0; !stopped; i++) {
            Kind kind = KINDS.get(i % KINDS.size());
            try {
                if (connection == null) {
                    connection =
                            secure ? HttpClientConnection.secure(https, context) : HttpClientConnection.plain(http);
                }
                HttpClientConnection.Answer answer =
                        connection.ask(kind.method(), kind.host(), kind.path(), kind.body());
                count(kind, count);
                if (answer.status() != 200) {
                    failures.add(name + ": " + kind.path() + " was answered " + answer);
                }
                if (!keep || answer.close()) {
                    connection = closed(connection);
                }
            } catch (IOException e) {
                failures.add(name + ": " + kind.path() + ": " + e);
                connection = closed(connection);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        closed(connection);
    }

    /** One connection, as long as the server keeps it. */
    private void http2() {
        AtomicLong count = served.computeIfAbsent("HTTP/2", _ -> new AtomicLong());
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_2)
                .build()) {
            for (int i = 0; !stopped; i++) {
                Kind kind = KINDS.get(i % KINDS.size());
                ask(client, kind, count);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void ask(HttpClient client, Kind kind, AtomicLong count) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + https + kind.path()))
                .method(
                        kind.method(),
                        kind.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(kind.body()))
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            count(kind, count);
            if (answer.statusCode() != 200 || answer.version() != HttpClient.Version.HTTP_2) {
                failures.add("HTTP/2: " + kind.path() + " was answered " + answer.version() + " " + answer.statusCode()
                        + " " + answer.body());
            }
        } catch (IOException e) {
            failures.add("HTTP/2: " + kind.path() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable HttpClientConnection closed(@Nullable HttpClientConnection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (IOException e) {
            failures.add("cannot close: " + e);
        }
        return null;
    }

    private void count(Kind kind, AtomicLong served) {
        served.incrementAndGet();
        if (kind.method().equals("POST")) {
            uploads.incrementAndGet();
        }
    }

    /** Answers to POST requests, which nobody else sends. */
    long uploads() {
        return uploads.get();
    }

    /** What went wrong so far. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Answers to the kind of client that got the fewest. */
    long fewest() {
        return served.values().stream().mapToLong(AtomicLong::get).min().orElse(0);
    }

    /** Ends the load; each client has its last answer. */
    void stop() {
        stopped = true;
        for (Thread t : threads) {
            try {
                t.join(TimeUnit.SECONDS.toMillis(20));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        stop();
    }
}
