package io.weir.server.config.sun;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.KnobWalk;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The files of a Sun server in a folder of their own, below a {@code weir.yaml}. */
abstract class SunFixture {
    private static final String PROGRAM =
            "<Object name=\"default\">\nService fn=\"send-answer\" body=\"here\"\n</Object>\n";

    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void files() {
        write("obj.conf", PROGRAM);
        yaml("listeners: {http: {port: 0}}");
    }

    final String file(String name) {
        return home.resolve(name).toString();
    }

    final void write(String name, String text) {
        try {
            Files.writeString(home.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A {@code weir.yaml} with the section {@code proxy}, to which the text may add lines. */
    final void yaml(String text, String... proxy) {
        write(
                "weir.yaml",
                "proxy:\n  objects: " + file("obj.conf") + "\n"
                        + String.join(
                                "",
                                List.of(proxy).stream()
                                        .map(l -> "  " + l + "\n")
                                        .toList()) + text + "\n");
    }

    /** Init lines above the program. */
    final void inits(String... lines) {
        write("obj.conf", String.join("\n", lines) + "\n" + PROGRAM);
    }

    final void magnus(String... lines) {
        write("magnus.conf", String.join("\n", lines) + "\n");
    }

    final void xml(String inside) {
        write("server.xml", "<?xml version=\"1.0\"?>\n<SERVER>\n" + inside + "\n</SERVER>\n");
    }

    final LoadedConfig load(String... sets) {
        return new ConfigLoader(home.resolve("weir.yaml"), List.of(sets), home).load();
    }

    final LoadedConfig usable(String... sets) {
        LoadedConfig loaded = load(sets);
        assertThat(loaded.problems()).isEmpty();
        return loaded;
    }

    /** All problems, each as it is printed, without the folder. */
    final List<String> problems() {
        return texts(load().problems());
    }

    final List<String> notes() {
        return texts(usable().notes());
    }

    private List<String> texts(List<ConfigProblem> all) {
        return all.stream().map(p -> p.toString().replace(home + "/", "")).toList();
    }

    /** The value that a knob is bound to, as in a file. */
    static String bound(LoadedConfig loaded, String key) {
        return KnobWalk.of(loaded.value()).stream()
                .filter(i -> i.key().equals(key))
                .map(KnobWalk.Item::text)
                .findFirst()
                .orElse("no such knob");
    }

    /** Where a value was written, without the folder. */
    final String place(LoadedConfig loaded, String key) {
        ConfigNode node = Objects.requireNonNull(loaded.tree().find(key), key);
        return node.at().toString().replace(home + "/", "");
    }
}
