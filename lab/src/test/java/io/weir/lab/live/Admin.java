package io.weir.lab.live;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.lab.scenario.Weir;
import io.weir.server.config.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The operator's end of the admin listener. Confined to one thread. */
public final class Admin {
    private final int port;
    private final String token;

    /** A knob as {@code GET /knobs} shows it. */
    record Shown(String key, String type, String value, String max, boolean dynamic) {}

    public Admin(Weir weir) throws IOException {
        this.port = weir.port("admin");
        this.token = Files.readString(weir.data().resolve("admin.token")).strip();
    }

    public HttpClientConnection.Answer ask(String method, String path, String body) throws IOException {
        try (HttpClientConnection c = HttpClientConnection.plain(port)) {
            return c.ask(method, "localhost", path, body, "Authorization: Bearer " + token);
        }
    }

    /** Applies a JSON object of keys and values, which must be taken. */
    public void patch(String json) throws IOException {
        HttpClientConnection.Answer answer = ask("PATCH", "/knobs", json);
        if (answer.status() != 200) {
            throw new AssertionError(json + ": " + answer.body());
        }
    }

    /**
     * Tries changes.
     *
     * @return keys that are refused; empty when all were applied
     */
    List<String> refused(Map<String, String> changes) throws IOException {
        String json = changes.entrySet().stream()
                .map(e -> "\"" + e.getKey() + "\": " + e.getValue())
                .collect(Collectors.joining(",", "{", "}"));
        HttpClientConnection.Answer answer = ask("PATCH", "/knobs", json);
        if (answer.status() == 200) {
            return List.of();
        }
        ConfigNode.Sequence problems =
                (ConfigNode.Sequence) parsed(answer.body()).entries().get("problems");
        return problems == null
                ? List.of(answer.body())
                : problems.items().stream()
                        .map(p -> text((ConfigNode.Mapping) p, "key"))
                        .toList();
    }

    /** Every knob of the running server. */
    List<Shown> knobs() throws IOException {
        ConfigNode.Mapping all = parsed("{\"knobs\":" + ask("GET", "/knobs", "").body() + "}");
        return ((ConfigNode.Sequence) Objects.requireNonNull(all.entries().get("knobs")))
                .items().stream()
                        .map(ConfigNode.Mapping.class::cast)
                        .map(k -> new Shown(
                                text(k, "key"),
                                text(k, "type"),
                                text(k, "value"),
                                text(k, "max"),
                                text(k, "dynamic").equals("true")))
                        .toList();
    }

    private static ConfigNode.Mapping parsed(String json) {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping parsed = Yaml.json("answer", json, problems);
        if (!problems.isEmpty()) {
            throw new AssertionError(problems + " in " + json);
        }
        return parsed;
    }

    private static String text(ConfigNode.Mapping of, String key) {
        return of.entries().get(key) instanceof ConfigNode.Scalar s ? s.text() : "";
    }
}
