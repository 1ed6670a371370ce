package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir check} warns of sizes that the cache's memory has no room for. */
class CacheWarningsTest {
    @TempDir
    Path home;

    private List<String> warnings(String text) throws IOException {
        Path file = home.resolve("weir.yaml");
        Files.writeString(file, "listeners: {http: {port: 0}}\n" + text);
        LoadedConfig loaded = new ConfigLoader(file, List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
        return CacheWarnings.of(loaded.value(), loaded.tree()).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    @Test
    void theDefaultsAndWhatFitsAreQuiet() throws IOException {
        assertThat(warnings("")).isEmpty();
        assertThat(warnings("cache: {memory-budget: 256MiB, max-object-size: 200MiB}\n"))
                .isEmpty();
        assertThat(warnings("cache: {enabled: off, memory-budget: 1MiB}\n")).isEmpty();
    }

    @Test
    void anObjectOverTheBudgetIsNamedWithItsPlace() throws IOException {
        assertThat(warnings("cache: {memory-budget: 256MiB, max-object-size: 1GiB}\n"))
                .singleElement()
                .asString()
                .contains("weir.yaml:2:", "cache.max-object-size: is 1GiB", "memory-budget 256MiB has room");
        assertThat(warnings("cache: {memory-budget: 4MiB}\n")).hasSize(1);
    }

    @Test
    void aRouteThatAsksForMoreIsNamedToo() throws IOException {
        assertThat(warnings("proxy: {routes: [{origins: [\"http://a\"], cache: {max-size: 100MiB}}]}\n"))
                .singleElement()
                .asString()
                .contains("proxy.routes[0].cache.max-size: is 100MiB");
    }

    @Test
    void aRouteMayAllowWhatTheDiskKeeps() throws IOException {
        String route = "proxy: {routes: [{origins: [\"http://a\"], cache: {max-size: 3GiB, min-size: 2GiB}}]}\n";
        String disk = "cache: {disk: {path: cache, size: %s, max-object-size: %s}}\n";
        assertThat(warnings(disk.formatted("8GiB", "3GiB") + route)).isEmpty();
        assertThat(warnings(disk.formatted("8GiB", "2GiB") + route))
                .singleElement()
                .asString()
                .contains("proxy.routes[0].cache.max-size: is 3GiB", "cache.disk.max-object-size, 2GiB");
        assertThat(warnings(disk.formatted("8GiB", "3GiB") + route + "server: {processes: 2}\n"))
                .as("half of 4 GiB")
                .anySatisfy(w -> assertThat(w).contains("cache.max-size: is 3GiB", "at most 2013265920 bytes, half of"))
                .anySatisfy(w -> assertThat(w).contains("cache.disk.max-object-size: is 3GiB"));
        assertThat(warnings(route)).singleElement().asString().contains("is 3GiB", "add a disk tier (cache.disk.path)");
    }
}
