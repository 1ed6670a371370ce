package io.weir.server.processes;

import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import java.io.IOException;
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
import java.util.stream.Collectors;

/** Asks workers' admin listeners what the supervisor's was asked, with the asker's credentials. Shared. */
final class WorkerClient {
    private static final Duration TIME_OUT = Duration.ofSeconds(30);
    /** One that hangs does not keep the others' figures from being seen. */
    private static final Duration VIEW_TIME_OUT = Duration.ofSeconds(5);
    /** Fields of a request that its answer may depend on. */
    private static final List<String> FIELDS =
            List.of("accept", "authorization", "content-type", "if-match", "sec-fetch-site");

    /** Fields of an answer that the asker gets. */
    private static final Set<String> PASSED = Set.of("refresh", "retry-after", "etag");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /** Passes a request on. */
    AdminAnswer ask(String admin, AdminRequest request) throws IOException, InterruptedException {
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
        return answer(http.send(b.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)));
    }

    /** What a view says; reads are open on loopback. */
    String get(String admin, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://" + admin + path))
                        .timeout(VIEW_TIME_OUT)
                        .build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) {
            throw new IOException(path + " was answered " + answer.statusCode());
        }
        return answer.body();
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

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
