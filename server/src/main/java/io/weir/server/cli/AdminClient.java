package io.weir.server.cli;

import io.weir.base.ConfigNode;
import io.weir.server.cluster.ClusterViews;
import io.weir.server.config.JsonText;
import io.weir.server.files.DataDirectory;
import io.weir.server.users.AdminToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends requests to the running server of a data directory, through its admin listener. Lives for one call. */
final class AdminClient {
    private static final byte[] NOTHING = {};
    private static final int TIME_OUT_MILLIS = 30_000;

    /**
     * An answer.
     *
     * @param outage why the cluster does not answer the server; empty while it does
     */
    record Answer(int status, String text, String outage) {
        /** The answer's JSON object; an empty one for any other answer. */
        Map<String, Object> object() {
            return text.startsWith("{") ? JmsStatistics.object(text) : Map.of();
        }

        /** Why it was refused, in the server's words. */
        String detail() {
            Object said = object().get("detail");
            return said == null ? "the server answered " + status + ": " + text.strip() : said.toString();
        }

        /** Returns itself. @throws CliFailure with the server's reason if it is not a success */
        Answer checked() {
            if (status != HttpURLConnection.HTTP_OK) {
                throw new CliFailure(object().get("problems") instanceof List<?> all ? problems(all) : detail());
            }
            return this;
        }

        /** The problems with their places, one per line, as {@code ./weir check} prints them. */
        private String problems(List<?> all) {
            StringBuilder text = new StringBuilder(object().get("title") + ":");
            for (Object problem : all) {
                if (problem instanceof Map<?, ?> p) {
                    String key = String.valueOf(p.get("key"));
                    text.append('\n')
                            .append(p.get("at"))
                            .append(": ")
                            .append(key.isEmpty() ? "" : key + ": ")
                            .append(p.get("what"));
                }
            }
            return text.toString();
        }
    }

    static {
        // otherwise the platform repeats a POST whose connection broke: the change would be made twice
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final String base;
    private final String token;
    private final int timeOutMillis;

    AdminClient(String base, String token, int timeOutMillis) {
        this.base = base;
        this.token = token;
        this.timeOutMillis = timeOutMillis;
    }

    /**
     * A client of the server that runs on the data directory.
     *
     * @throws CliFailure if none runs, or it has no admin listener
     */
    static AdminClient of(Path dataDir) throws IOException {
        if (DataDirectory.running(dataDir) == null) {
            Long starting = DataDirectory.holder(dataDir);
            throw new CliFailure(
                    starting == null
                            ? "no server is running on " + dataDir + ": start one with ./weir run"
                            : "the server on " + dataDir + " (process " + starting
                                    + ") is not ready yet: its log says why; ./weir stop ends it");
        }
        String address = DataDirectory.pidFile(dataDir).getOrDefault("admin", "");
        if (address.isEmpty()) {
            throw new CliFailure("the server on " + dataDir + " has no admin listener (admin.enabled is off)");
        }
        return new AdminClient("http://" + address, AdminToken.read(dataDir).text(), TIME_OUT_MILLIS);
    }

    /**
     * A client of a server elsewhere.
     *
     * @param address host:port of its admin listener, or an {@code http} URL of it
     * @param token of that server
     * @throws IllegalArgumentException with the reason if it is not an address
     */
    static AdminClient at(String address, String token) {
        boolean url = address.startsWith("http://") || address.startsWith("https://");
        String base = url ? address : "http://" + address;
        URI uri;
        try {
            uri = new URI(base);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(address + " is no address: write HOST:PORT", e);
        }
        if (uri.getHost() == null || (!url && uri.getPort() < 0)) {
            throw new IllegalArgumentException(
                    address + " names no port: write HOST:PORT of the admin listener, such as "
                            + (uri.getHost() == null ? "localhost" : uri.getHost()) + ":8888");
        }
        return new AdminClient(
                base.endsWith("/") ? base.substring(0, base.length() - 1) : base, token, TIME_OUT_MILLIS);
    }

    /** Alternating names and values as a query; those whose value is null are omitted. */
    static String query(@Nullable Object... namesAndValues) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                query.append(query.isEmpty() ? "" : "&")
                        .append(namesAndValues[i])
                        .append('=')
                        .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
            }
        }
        return query.toString();
    }

    Answer get(String path) throws IOException {
        return ask("GET", path, NOTHING);
    }

    Answer post(String path) throws IOException {
        return post(path, NOTHING);
    }

    Answer post(String path, byte[] body) throws IOException {
        return ask("POST", path, body);
    }

    /** Changes live knobs: all of them or none. @throws CliFailure with the server's reason if it refuses */
    Answer change(Map<String, ConfigNode> values, boolean persist) throws IOException {
        byte[] body = JsonText.of(values).getBytes(StandardCharsets.UTF_8);
        return post("/knobs" + (persist ? "?persist=true" : ""), body).checked();
    }

    Answer delete(String path) throws IOException {
        return ask("DELETE", path, NOTHING);
    }

    private Answer ask(String method, String path, byte[] body) throws IOException {
        HttpURLConnection c =
                (HttpURLConnection) URI.create(base + path).toURL().openConnection(Proxy.NO_PROXY);
        c.setRequestMethod(method);
        c.setConnectTimeout(TIME_OUT_MILLIS);
        c.setReadTimeout(timeOutMillis);
        c.setRequestProperty("Authorization", "Bearer " + token);
        c.setDoOutput(method.equals("POST"));
        try {
            c.connect();
        } catch (IOException e) {
            throw new IOException(
                    "no connection to " + base + ": " + reason(e)
                            + "; is a server running there, and is this the address of its admin listener?",
                    e);
        }
        try {
            return answer(c, body);
        } catch (IOException e) {
            String what = "the server at " + base + " gave no answer: " + reason(e);
            String look = method.equals("GET") ? null : look(path);
            throw new IOException(
                    look == null
                            ? what
                            : what + "; it is not known whether the change was made: " + look + " shows what is now",
                    e);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof UnknownHostException) {
            return "no address of this host is known";
        }
        String text = e.getMessage();
        return text == null ? e.toString() : text;
    }

    /** The command that shows whether a change was made. */
    private static String look(String path) {
        List<Map.Entry<String, String>> verbs = List.of(
                Map.entry("/cluster/timers/", "./weir cluster timers"),
                Map.entry("/cluster/deploy", "./weir cluster deployments"),
                Map.entry("/cluster/redeploy", "./weir cluster deployments"),
                Map.entry("/cluster/undeploy", "./weir cluster deployments"),
                Map.entry("/cluster/upload", "./weir cluster deployments"),
                Map.entry("/cluster/add", "./weir cluster members"),
                Map.entry("/cluster/remove", "./weir cluster members"),
                Map.entry("/cluster/replace", "./weir cluster members"),
                Map.entry("/cluster/", "./weir cluster singletons"),
                Map.entry("/messaging/transactions", "./weir jms transactions"),
                Map.entry("/messaging/", "./weir jms stats"),
                Map.entry("/damage/", "./weir jms damage"),
                Map.entry("/cache/", "the server log"),
                Map.entry("/cache?", "./weir cache show URL"),
                Map.entry("/tls/", "./weir tls"),
                Map.entry("/upgrade", "the server log"));
        return verbs.stream()
                .filter(v -> path.startsWith(v.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("./weir config history");
    }

    private static Answer answer(HttpURLConnection c, byte[] body) throws IOException {
        if (c.getDoOutput()) {
            // not streamed, or a refused login would have no text
            try (OutputStream out = c.getOutputStream()) {
                out.write(body);
            }
        }
        int status = c.getResponseCode();
        try (InputStream in = status < 400 ? c.getInputStream() : c.getErrorStream()) {
            String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String outage = c.getHeaderField(ClusterViews.OUTAGE);
            return new Answer(status, text, outage == null ? "" : outage);
        } finally {
            c.disconnect();
        }
    }
}
