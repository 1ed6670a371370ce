package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./weir client}, with a Maven that only does what its plugins would: the lab makes a real repository at night. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherClientTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path home = Path.of("");

    private record Said(int code, String out, String err) {}

    @BeforeEach
    void prepare() throws IOException {
        for (String folder : List.of(".mvn", "client", "jdk/bin", "bin")) {
            Files.createDirectories(home.resolve(folder));
        }
        for (String part : List.of("weir", ".mvn/jdk.sh", "client/publish.sh")) {
            Files.copy(ROOT.resolve(part), home.resolve(part));
        }
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
        for (String tool : List.of("java", "javac", "jar", "javadoc")) {
            script("jdk/bin/" + tool, "");
        }
        script("bin/mvn", """
                echo "$*" >>calls
                [ ! -f broken ] || { echo '[ERROR] it is broken'; exit 1; }
                for word; do case $word in
                    process-classes)
                        mkdir -p client/target/poms starter/target
                        echo '  <version>1.2</version>' >client/target/poms/weir-jms-client.pom
                        : >client/target/class-path
                        : >starter/target/class-path
                        : >starter/target/weir-spring-boot-starter-1.2.jar
                        head -c 2712345 /dev/zero >client/target/weir-jms-client-1.2.jar ;;
                    -Durl=*)
                        to=$(echo "${word#-Durl=file://}" | sed 's/%20/ /g')/io/weir/weir-jms-client/1.2
                        mkdir -p "$to" "${to%/*/*}/weir-jms-client-bom" "${to%/*/*}/weir-spring-boot-starter"
                        echo x >"$to/weir-jms-client-1.2.jar"
                        echo x >"$to/weir-jms-client-1.2.jar.sha1" ;;
                    install:*) echo '[INFO] Installing a.jar to /m2/weir-jms-client-1.2.jar' ;;
                esac; done
                """);
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Said run(String... words) throws Exception {
        return launch(home.resolve("bin") + ":" + System.getenv("PATH"), "", words);
    }

    private Said launch(String path, String dist, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(home.resolve("weir").toString(), "client"));
        line.addAll(List.of(words));
        Path errors = home.resolve("errors");
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(home.toFile()).redirectError(errors.toFile());
        builder.environment().put("PATH", path);
        builder.environment().put("WEIR_JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().put("WEIR_DIST", dist);
        Process p = builder.start();
        p.getOutputStream().close();
        String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(p.waitFor(), out, Files.readString(errors));
    }

    @Test
    void aRepositoryIsWrittenAndTheLinesThatUseItArePrinted() throws Exception {
        Said said = run("some where");
        Path where = home.toRealPath().resolve("some where");
        String url = "file://" + where.toString().replace(" ", "%20");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out())
                .startsWith("wrote weir-jms-client 1.2 to " + where
                        + ":\n  io/weir/weir-jms-client/1.2/weir-jms-client-1.2.jar\n")
                .contains(
                        "The jar has 2.7 MB and runs on Java 17 and newer.",
                        "<repository><id>weir</id><url>" + url + "</url></repository>",
                        "<dependency><groupId>io.weir</groupId><artifactId>weir-jms-client</artifactId><version>1.2<",
                        "repositories { maven { url = uri(\"" + url + "\") } }",
                        "dependencies { implementation(\"io.weir:weir-jms-client:1.2\") }",
                        "<artifactId>weir-spring-boot-starter</artifactId><version>1.2<",
                        "dependencies { implementation(\"io.weir:weir-spring-boot-starter:1.2\") }");
        Path jar = where.resolve("io/weir/weir-jms-client/1.2/weir-jms-client-1.2.jar");
        assertThat(Path.of(jar + ".sha256"))
                .hasContent("73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac");
        assertThat(Path.of(jar + ".sha1.sha256")).doesNotExist();
    }

    @Test
    void withoutAFolderItIsInTheTargetOfTheSourcesAndAnOldBuildOfTheVersionIsGone() throws Exception {
        Path old = home.resolve("client/target/repository/io/weir/weir-jms-client/1.2/weir-jms-client-1.2-1.jar");
        Path other = home.resolve("client/target/repository/io/weir/weir-jms-client/1.1/weir-jms-client-1.1.jar");
        for (Path file : List.of(old, other)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
        }
        assertThat(run().code()).isZero();
        assertThat(old).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void installTellsMavenToAndSaysWhere() throws Exception {
        Said said = run("install");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).contains("  /m2/weir-jms-client-1.2.jar\n", "mavenLocal()", "<version>1.2</version>");
        try (Stream<String> calls = Files.lines(home.resolve("calls"))) {
            assertThat(calls.filter(c -> c.contains("install:install-file"))).hasSize(3);
        }
    }

    @Test
    void aWrongUseIsToldWithTheUsage() throws Exception {
        for (String[] words : List.of(new String[] {"one", "two"}, new String[] {"--fast"})) {
            Said said = run(words);
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).contains("Usage: weir client [DIR]");
        }
        assertThat(run("--help").out()).startsWith("Usage: weir client [DIR]");
    }

    @Test
    void whatIsMissingIsToldInWords() throws Exception {
        Files.writeString(home.resolve("file"), "");
        assertThat(run("file/repository").err()).contains("weir: cannot write into file/repository");
        assertThat(launch("/usr/bin:/bin", home.toString(), "there").err()).contains("without WEIR_DIST");
        Files.createDirectories(home.resolve("tools"));
        for (String tool : List.of("sh", "dirname", "env")) {
            Files.createSymbolicLink(
                    home.resolve("tools/" + tool), Path.of("/usr/bin").resolve(tool));
        }
        Said without = launch(home.resolve("tools").toString(), "", "there");
        assertThat(without.code()).isEqualTo(1);
        assertThat(without.err()).contains("Maven is needed to build");
    }

    @Test
    void aBuildThatFailsShowsWhy() throws Exception {
        Files.createFile(home.resolve("broken"));
        Said said = run();
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("[ERROR] it is broken", "the client could not be built", "publish.log");
    }
}
