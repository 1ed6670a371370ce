package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A build does not take the program away from a server that runs; Maven and Java only say what they are asked. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherBuildTest {
    @TempDir
    Path home = Path.of("");

    private record Said(int code, String out) {}

    /** WEIR_JAVA_OPTS. */
    private String options = "";

    @BeforeEach
    void prepare() throws IOException {
        for (String folder : List.of(".mvn", "server/src/main", "jdk/bin", "bin")) {
            Files.createDirectories(home.resolve(folder));
        }
        for (String part : List.of("weir", ".mvn/jdk.sh")) {
            Files.copy(Path.of("..").toAbsolutePath().normalize().resolve(part), home.resolve(part));
        }
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("server/pom.xml"), "");
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
        script("jdk/bin/javac", "");
        // the jar, and with the verb run it stays until its input ends; a cache is made empty, and which one is used,
        // noted, as is the collector
        script("jdk/bin/java", """
                for word; do case $word in
                    -XX:AOTCacheOutput=*) : >"${word#*=}" ;;
                    -XX:AOTCache=*) echo "${word##*/}" >cache ;;
                    -XX:+Use*GC) echo "$word" >>collectors ;;
                    *.jar) echo "$word" ;;
                    run) read -r _ || : ;;
                esac; done
                """);
        script("bin/mvn", """
                [ ! -f broken ] || exit 1
                mkdir -p server/target/dist/lib
                cp server/src/main/version server/target/dist/lib/weir-server-1.jar
                """);
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(home.resolve("weir").toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(home.toFile())
                .redirectError(home.resolve("errors").toFile());
        builder.environment().put("PATH", home.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("WEIR_JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().remove("WEIR_DIST");
        builder.environment().put("WEIR_JAVA_OPTS", options);
        return builder.start();
    }

    private Said run(String... words) throws Exception {
        Process p = start(words);
        p.getOutputStream().close();
        String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(p.waitFor(), out.strip());
    }

    private void source(String text) throws IOException {
        Files.writeString(home.resolve("server/src/main/version"), text);
    }

    @Test
    void serverThatRunsKeepsItsJarsUntilItHasEnded() throws Exception {
        source("one");
        Process server = start("run");
        Path first = Path.of(server.inputReader(StandardCharsets.UTF_8).readLine());
        assertThat(first).hasContent("one");
        source("two, which is longer");
        Path second = Path.of(run("upgrade").out());
        assertThat(second).isNotEqualTo(first).hasContent("two, which is longer");
        assertThat(first).as("its processes may be started once more").hasContent("one");
        Files.createFile(home.resolve("broken"));
        source("broken");
        assertThat(run("upgrade").code()).isNotZero();
        assertThat(Files.readString(home.resolve("errors"))).contains("the build failed");
        assertThat(run("stop").out()).as("what was built last").isEqualTo(second.toString());
        server.getOutputStream().close();
        assertThat(server.waitFor(300, TimeUnit.SECONDS)).isTrue();
        Files.delete(home.resolve("broken"));
        Path third = Path.of(run("upgrade").out());
        assertThat(third).hasContent("broken");
        assertThat(first).as("nobody runs from it any more").doesNotExist();
        assertThat(second).doesNotExist();
    }

    /** A lone server's cache has half of the classes of a member's, and all of a cache are loaded. */
    @Test
    void eachIsStartedFromTheCacheThatWasMadeForIt() throws Exception {
        source("one");
        Files.writeString(home.resolve("lone.yaml"), "cluster: {name: a}\n");
        Files.writeString(home.resolve("member.yaml"), "cluster:\n  members: [a:7001, b:7001, c:7001]\n");
        assertThat(cache("version")).startsWith("verb-");
        assertThat(cache("run")).startsWith("server-");
        assertThat(cache("run", "--config", "lone.yaml")).startsWith("server-");
        assertThat(cache("run", "--config", "member.yaml")).startsWith("member-");
        assertThat(cache("run", "--config=member.yaml")).startsWith("member-");
        assertThat(cache("run", "--set=cluster.members=[a:7001]")).startsWith("member-");
        assertThat(cache("upgrade", "--set", "cluster.members=[a:7001]")).startsWith("member-");
        assertThat(cache("perfdump", "--config", "member.yaml")).startsWith("verb-");
    }

    private String cache(String... words) throws Exception {
        assertThat(run(words).code()).isZero();
        return Files.readString(home.resolve("cache"));
    }

    /** A JVM refuses two. */
    @Test
    void aCollectorThatIsChosenTakesThePlaceOfTheLaunchers() throws Exception {
        source("one");
        String name = cache("run");
        assertThat(collectors("run")).isEqualTo("-XX:+UseSerialGC");
        for (String chosen : List.of("-XX:+UseZGC", "-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseSerialGC")) {
            options = "-Xmx4g " + chosen + " -XX:+UseStringDeduplication";
            assertThat(collectors("run")).isEqualTo(chosen);
            assertThat(collectors("version")).isEqualTo(chosen);
            assertThat(cache("run"))
                    .as("the JVM decides whether it can read it")
                    .isEqualTo(name);
        }
        options = "-XX:-UseZGC -XX:+UseMaximumCompactionOnSystemGC";
        assertThat(collectors("run")).as("none is chosen").startsWith("-XX:+UseSerialGC");
    }

    private String collectors(String... words) throws Exception {
        Files.deleteIfExists(home.resolve("collectors"));
        assertThat(run(words).code()).isZero();
        return Files.readString(home.resolve("collectors")).strip();
    }
}
