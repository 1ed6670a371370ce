package io.weir.server.processes;

import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Forwards requests of the supervisor's admin listener to those of workers, with the client's credentials. Shared. */
final class WorkerClient {
    private static final Duration TIME_OUT = Duration.ofSeconds(30);
    private static final HttpResponse.BodyHandler<String> TEXT =
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8);

    /** Fields of a request that its answer may depend on. */
    private static final List<String> FIELDS =
            List.of("accept", "authorization", "content-type", "if-match", "sec-fetch-site");

    /** Fields of an answer that are passed on to the client. */
    private static final Set<String> PASSED = Set.of("refresh", "retry-after", "etag");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /** Forwards a request. */
    CompletableFuture<AdminAnswer> forward(String admin, AdminRequest request) {
        return http.sendAsync(passed(admin, request), TEXT).thenApply(WorkerClient::answer);
    }

    private static HttpRequest passed(String admin, AdminRequest request) {
        String query = request.query().entrySet().stream()
                .filter(e -> !e.getKey().equals("process"))
                .map(e -> encoded(e.getKey()) + "=" + encoded(e.getValue()))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder b = HttpRequest.newBuilder(
                        URI.create("http://" + admin + path(request.path()) + (query.isEmpty() ? "" : "?" + query)))
                .timeout(TIME_OUT)
                .method(
                        request.method(),
                        request.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(request.body()));
        for (String name : FIELDS) {
            String value = request.field(name);
            if (value != null) {
                b.header(name, value);
            }
        }
        return b.build();
    }

    /** Reads a view, which needs no credentials on this machine. */
    CompletableFuture<AdminAnswer> read(String admin, String path, Duration timeOut) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + admin + path))
                .timeout(timeOut)
                .build();
        return http.sendAsync(request, TEXT).thenApply(WorkerClient::answer);
    }

    /** The same request with one more parameter. */
    static AdminRequest with(AdminRequest r, String name, String value) {
        Map<String, String> query = new LinkedHashMap<>(r.query());
        query.put(name, value);
        return new AdminRequest(r.method(), r.path(), query, r.fields(), r.body(), r.remote(), r.author());
    }

    private static AdminAnswer answer(HttpResponse<String> from) {
        String type = from.headers().firstValue("content-type").orElse("");
        AdminAnswer answer = AdminAnswer.of(from.statusCode(), type, from.body());
        for (Map.Entry<String, List<String>> e : from.headers().map().entrySet()) {
            if (PASSED.contains(e.getKey().toLowerCase(Locale.ROOT))) {
                answer = answer.with(e.getKey(), e.getValue().getFirst());
            }
        }
        return answer;
    }

    private static String path(String decoded) {
        return List.of(decoded.split("/", -1)).stream()
                .map(WorkerClient::encoded)
                .collect(Collectors.joining("/"));
    }

    /** Encodes a text for a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
