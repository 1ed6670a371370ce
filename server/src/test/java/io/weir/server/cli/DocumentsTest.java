package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.weir.proxy.function.RequestFunction;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * What documents show works as it stands: each YAML block is a configuration that {@code check} finds correct, each Java block compiles,
 * each command line is one that the command line knows.
 */
@Tag("slow")
final class DocumentsTest {
    /** Made once: picocli's model of all verbs takes much longer than parsing a line. */
    private static final CommandLine ALL_VERBS = Main.line();

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern CLASS = Pattern.compile("(?m)^public (?:\\w+ )*(?:class|interface|record) (\\w+)");
    /** A command line: in a block, from the line's begin; in running text, between back quotes. */
    private static final Pattern LINE = Pattern.compile("(?m)^ *(?:until )?\\./weir ([^\\n]*)|`\\./weir ([^`\\n]*)`");

    private static final Pattern LOOP = Pattern.compile("^for n in ([\\d ]+); do ?");
    /** The data directory of a command line. */
    private static final Pattern DATA =
            Pattern.compile("server\\.data-dir=([^\\s;]+)|kill -9 \\$\\(head -1 ([^)]+)/weir\\.pid\\)");
    /** What the launcher does itself. */
    private static final Set<String> LAUNCHERS = Set.of("client", "test", "bench", "shape", "help");

    @TempDir
    private Path dir = Path.of("");

    /** A block of a document. */
    private record Block(Path document, int line, String language, String text) {
        @Override
        public String toString() {
            return ROOT.relativize(document) + ":" + line;
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> all = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        for (String folder : List.of("docs", "samples")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(f -> f.toString().endsWith(".md"))
                        .filter(f -> !f.toString().contains("/adr/"))
                        .sorted()
                        .forEach(all::add);
            }
        }
        return all;
    }

    private static List<Block> blocks(String language) throws IOException {
        List<Block> found = new ArrayList<>();
        for (Path document : documents()) {
            String text = Files.readString(document);
            Matcher m = BLOCK.matcher(text);
            while (m.find()) {
                if (m.group(1).equals(language)) {
                    int line = (int) text.substring(0, m.start()).lines().count() + 1;
                    found.add(new Block(document, line, language, m.group(2)));
                }
            }
        }
        return found;
    }

    private static List<DynamicTest> each(List<Block> blocks, Predicate<Block> correct) {
        return blocks.stream()
                .map(b -> dynamicTest(
                        b.toString(), () -> assertThat(correct.test(b)).isTrue()))
                .toList();
    }

    @TestFactory
    List<DynamicTest> eachConfigurationIsCorrect() throws IOException {
        return each(blocks("yaml"), this::checks);
    }

    /**
     * What configurations of the documents name, relative to where the server was started: the jar of functions.md's own class, an obj.conf, and a
     * secret.
     */
    private void makeHome() throws IOException {
        Path jar = Files.createDirectories(dir.resolve("functions")).resolve("acme.jar");
        if (Files.exists(jar)) {
            return;
        }
        Path secret = Files.createDirectories(dir.resolve("etc")).resolve("cluster.secret");
        Files.writeString(secret, "a secret of more than sixteen characters\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Block objects = blocks("obj").getFirst();
        Files.writeString(Files.createDirectories(dir.resolve("conf")).resolve("obj.conf"), objects.text());
        Block function = blocks("java").stream()
                .filter(b -> b.text().contains("class CheckQuota "))
                .findFirst()
                .orElseThrow();
        assertThat(compiles(function)).isTrue();
        String type = "com/example/CheckQuota.class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(type));
            out.write(Files.readAllBytes(dir.resolve(type)));
            out.putNextEntry(new ZipEntry("META-INF/services/" + RequestFunction.class.getName()));
            out.write("com.example.CheckQuota\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private boolean checks(Block block) {
        StringWriter out = new StringWriter();
        try {
            makeHome();
            String text = block.text();
            for (String relative : List.of("functions/acme.jar", "etc/cluster.secret", "conf/obj.conf")) {
                text = text.replace(relative, dir.resolve(relative).toString());
            }
            Path file = Files.writeString(dir.resolve("weir.yaml"), text);
            int code = Main.line("check")
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(out, true))
                    .execute("check", file.toString());
            assertThat(code).as(out.toString()).isZero();
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @TestFactory
    List<DynamicTest> eachProgramCompiles() throws IOException {
        return each(blocks("java"), this::compiles);
    }

    private boolean compiles(Block block) {
        Matcher name = CLASS.matcher(block.text());
        assertThat(name.find()).as("a whole class").isTrue();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(found, null, null)) {
            Path file = Files.writeString(dir.resolve(name.group(1) + ".java"), block.text());
            boolean compiled = compiler.getTask(
                            null,
                            manager,
                            found,
                            List.of("-d", dir.toString(), "-proc:none"),
                            null,
                            manager.getJavaFileObjects(file))
                    .call();
            List<Diagnostic<? extends JavaFileObject>> errors = found.getDiagnostics();
            assertThat(compiled).as(errors.toString()).isTrue();
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @TestFactory
    List<DynamicTest> eachCommandLineIsKnown() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path document : documents()) {
            Matcher m = LINE.matcher(Files.readString(document));
            while (m.find()) {
                List<String> words = words(m.group(1) == null ? m.group(2) : m.group(1));
                if (!LAUNCHERS.contains(words.getFirst())) {
                    tests.add(dynamicTest(ROOT.relativize(document) + ": " + words, () -> known(words)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(50);
        return tests;
    }

    private static void known(List<String> words) {
        CommandLine line = ALL_VERBS;
        boolean group = words.size() == 1
                && line.getSubcommands().containsKey(words.getFirst())
                && !line.getSubcommands().get(words.getFirst()).getSubcommands().isEmpty();
        if (!group) {
            line.parseArgs(words.toArray(String[]::new));
        }
    }

    /** The words of a command line, as a shell has them; a number stands for what N is in a document. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher m = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)").matcher(line);
        while (m.find()) {
            String word = m.group(1) != null ? m.group(1) : m.group(2) != null ? m.group(2) : m.group(3);
            if (word.equals("#") || word.equals("&") || word.equals("\\") || word.equals(";") || word.equals("|")) {
                break;
            }
            words.add(word.equals("N") ? "1" : word);
        }
        return words;
    }

    /** What is typed after each other: whatever a block starts must be there before it is used, and be stopped. */
    @TestFactory
    List<DynamicTest> whatIsPastedWaitsForWhatItStarts() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path document : documents()) {
            if (document.endsWith("README.md")) {
                tests.add(dynamicTest(
                        ROOT.relativize(document).toString(),
                        () -> assertThat(hasty(shell(Files.readString(document))))
                                .isEmpty()));
            }
        }
        assertThat(tests).hasSizeGreaterThan(3);
        return tests;
    }

    /** The lines of shell blocks and of indented ones, loops over numbers unrolled. */
    private static List<String> shell(String text) {
        List<String> lines = new ArrayList<>();
        boolean fenced = false;
        for (String line :
                text.replaceAll("\\\\\\n *|(?<=' active ')\\n *(?=do )", " ").split("\\n", -1)) {
            if (line.startsWith("```")) {
                fenced = line.equals("```sh");
            } else if (fenced || line.startsWith("    ")) {
                lines.add(line.strip());
            }
        }
        List<String> unrolled = new ArrayList<>();
        List<String> body = new ArrayList<>();
        List<String> numbers = List.of();
        for (String line : lines) {
            Matcher loop = LOOP.matcher(line);
            boolean begins = loop.find();
            if (begins) {
                numbers = List.of(loop.group(1).split(" "));
            }
            if (numbers.isEmpty()) {
                unrolled.add(line);
                continue;
            }
            body.add(begins ? loop.replaceFirst("") : line);
            if (line.endsWith("done")) {
                numbers.forEach(n -> body.forEach(b -> unrolled.add(b.replace("$n", n))));
                body.clear();
                numbers = List.of();
            }
        }
        return unrolled;
    }

    /**
     * What goes wrong when the lines are pasted: a server that still runs, or a look at what takes a moment: the files of the
     * poller, the singletons of a server that was not deployed to.
     */
    private static List<String> hasty(List<String> lines) {
        List<String> problems = new ArrayList<>();
        Set<String> running = new TreeSet<>();
        boolean deployed = false;
        for (String line : lines) {
            Matcher in = DATA.matcher(line);
            String data = !in.find() ? "data" : in.group(1) == null ? in.group(2) : in.group(1);
            if (line.startsWith("./weir run --background")) {
                deployed = false;
                if (!running.add(data)) {
                    problems.add("still runs: " + line);
                }
            } else if (line.startsWith("./weir stop") || line.startsWith("kill -9")) {
                running.remove(data);
            } else if (line.startsWith("./weir deploy")) {
                deployed = true;
            } else if (line.startsWith("cat data/") || (line.startsWith("./weir cluster singletons") && !deployed)) {
                problems.add("does not wait: " + line);
            }
        }
        running.forEach(data -> problems.add("is not stopped: " + data));
        return problems;
    }

    @Test
    void whatDoesNotWaitOrStopIsFound() {
        assertThat(hasty(shell("""
                    ./weir run --background
                ```sh
                for n in 1 2; do
                  ./weir run --background \\
                    --set server.data-dir=data/server$n
                done
                ./weir run --background
                ./weir cluster singletons --set server.data-dir=data/server1
                for n in 2; do ./weir stop --set server.data-dir=data/server$n; done
                cat data/done/a.txt
                ```
                """)))
                .containsExactly(
                        "still runs: ./weir run --background",
                        "does not wait: ./weir cluster singletons --set server.data-dir=data/server1",
                        "does not wait: cat data/done/a.txt",
                        "is not stopped: data",
                        "is not stopped: data/server1");
    }

    @Test
    void aWrongExampleIsFound() throws IOException {
        Block wrong = new Block(ROOT.resolve("README.md"), 1, "yaml", "proxy: {rutes: []}\n");
        assertThat(catchThrowable(() -> checks(wrong))).hasMessageContaining("rutes");
        Block old = new Block(ROOT.resolve("README.md"), 1, "java", "public class Old { io.weir.Gone gone; }\n");
        assertThat(catchThrowable(() -> compiles(old))).hasMessageContaining("io.weir");
        assertThat(catchThrowable(() -> known(words("jms dance queue/demo # no"))))
                .isInstanceOf(CommandLine.ParameterException.class);
    }
}
