package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The knobs of a configuration file in a folder of its own. */
abstract class KnobFixture {
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();

    @TempDir
    Path home = Path.of("");

    Path data = home;
    KnobService service;

    @BeforeEach
    void start() throws IOException {
        data = Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\nserver:\n  name: edge\n");
        service = service();
    }

    LoadedConfig load(String... sets) {
        return new ConfigLoader(home.resolve("weir.yaml"), List.of(sets), home).load();
    }

    KnobService service(String... sets) {
        LoadedConfig loaded = load(sets);
        KnobService s = new KnobService(
                loaded, new Live<>(loaded.value()), data, true, new SteppedClock(1_700_000_000_000L), stats, log);
        s.started("weir.yaml");
        return s;
    }

    static Map<String, ConfigNode> changes(String... pairs) {
        Map<String, ConfigNode> changes = new LinkedHashMap<>();
        List<ConfigProblem> problems = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            changes.put(pairs[i], Yaml.value("PATCH", pairs[i + 1], problems));
        }
        assertThat(problems).isEmpty();
        return changes;
    }
}
