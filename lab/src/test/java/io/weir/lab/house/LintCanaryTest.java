package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** Compiles with exactly the lint profile's arguments: a canary that dies when Error Prone or NullAway stop firing. */
@Tag("slow")
class LintCanaryTest {
    @TempDir
    Path folder;

    @Test
    void badCodeIsRefusedByErrorProneAndByNullAway() throws Exception {
        String said = compile("""
                package canary;

                @org.jspecify.annotations.NullMarked
                class Canary {
                    boolean same(byte[] a, byte[] b) {
                        return a.equals(b);
                    }

                    String none() {
                        return null;
                    }
                }
                """, 1);
        assertThat(said).contains("[ArrayEquals]").contains("[NullAway]");
    }

    @Test
    void goodCodePasses() throws Exception {
        compile("""
                package canary;

                @org.jspecify.annotations.NullMarked
                class Canary {
                    String some() {
                        return "";
                    }
                }
                """, 0);
    }

    private String compile(String source, int expectedExit) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("Canary.java"), source);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
        opened().forEach(o -> command.add("-J" + o));
        command.addAll(lintArguments());
        command.addAll(
                List.of("-processorpath", jars(""), "-cp", jars("jspecify"), "-d", folder.toString(), file.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(expectedExit);
        return said;
    }

    /** The arguments of the profile {@code lint} in the parent pom. */
    private static List<String> lintArguments() {
        Element lint = PomTest.all(PomTest.read(House.root().resolve("pom.xml")), "compilerArgs").stream()
                .filter(a -> a.getTextContent().contains("ErrorProne"))
                .findFirst()
                .orElseThrow();
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < lint.getElementsByTagName("arg").getLength(); i++) {
            arguments.add(
                    lint.getElementsByTagName("arg").item(i).getTextContent().strip());
        }
        return arguments;
    }

    /** The compiler's packages that Error Prone needs, as .mvn/jvm.config opens them for Maven. */
    private static List<String> opened() {
        return House.text(House.root().resolve(".mvn/jvm.config"))
                .lines()
                .map(String::strip)
                .filter(l -> l.startsWith("--add-"))
                .toList();
    }

    private static String jars(String name) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(j -> j.endsWith(".jar") && j.contains(name))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
