package io.weir.server.cli;

import io.weir.server.files.DataDirectory;
import io.weir.server.files.Processes;
import io.weir.server.users.AdminToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the running server of a data directory through its admin listener. Lives for one call. */
final class AdminClient {
    private static final byte[] NOTHING = {};
    private static final int TIME_OUT_MILLIS = 30_000;

    /** An answer's status and text. */
    record Answer(int status, String text) {}

    private final String base;
    private final String token;

    private AdminClient(String base, String token) {
        this.base = base;
        this.token = token;
    }

    /** The process id of the server that runs on a data directory, or null when there is none. */
    static @Nullable Long running(Path dataDir) throws IOException {
        Map<String, String> facts = DataDirectory.pidFile(dataDir);
        String pid = facts.get("pid");
        if (pid == null || !DataDirectory.held(dataDir)) {
            return null;
        }
        try {
            long id = Long.parseLong(pid);
            return Processes.isSame(id, Long.parseLong(facts.getOrDefault("start-ticks", "-1"))) ? id : null;
        } catch (NumberFormatException e) {
            throw new IOException(dataDir.resolve(DataDirectory.PID_FILE) + " is damaged: delete it", e);
        }
    }

    /**
     * A client of the server that runs on the data directory.
     *
     * @throws CliFailure when none runs, or it has no admin listener
     */
    static AdminClient of(Path dataDir) throws IOException {
        if (running(dataDir) == null) {
            throw new CliFailure("no server is running on " + dataDir + ": start one with ./weir run");
        }
        String address = DataDirectory.pidFile(dataDir).getOrDefault("admin", "");
        if (address.isEmpty()) {
            throw new CliFailure("the server on " + dataDir + " has no admin listener (admin.enabled is off)");
        }
        return new AdminClient("http://" + address, AdminToken.read(dataDir).text());
    }

    /**
     * A client of a server wherever it is.
     *
     * @param address host:port of its admin listener, or an {@code http} URL of it
     * @param token of that server
     */
    static AdminClient at(String address, String token) {
        String base = address.startsWith("http://") || address.startsWith("https://") ? address : "http://" + address;
        return new AdminClient(base.endsWith("/") ? base.substring(0, base.length() - 1) : base, token);
    }

    /** Names and values in turn as a query; those whose value is null are left out. */
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

    Answer delete(String path) throws IOException {
        return ask("DELETE", path, NOTHING);
    }

    private Answer ask(String method, String path, byte[] body) throws IOException {
        HttpURLConnection c =
                (HttpURLConnection) URI.create(base + path).toURL().openConnection(Proxy.NO_PROXY);
        c.setRequestMethod(method);
        c.setConnectTimeout(TIME_OUT_MILLIS);
        c.setReadTimeout(TIME_OUT_MILLIS);
        c.setRequestProperty("Authorization", "Bearer " + token);
        if (method.equals("POST")) {
            c.setDoOutput(true);
            c.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = c.getOutputStream()) {
                out.write(body);
            }
        }
        int status = c.getResponseCode();
        try (InputStream in = status < 400 ? c.getInputStream() : c.getErrorStream()) {
            String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(status, text);
        } finally {
            c.disconnect();
        }
    }
}
