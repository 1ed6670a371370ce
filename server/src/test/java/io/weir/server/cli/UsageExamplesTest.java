package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each command line that a usage text shows is one that is taken as it stands, and works where a server is all that it needs. */
@Tag("slow")
final class UsageExamplesTest {
    /** Verbs that an operator uses most: their usage shows an example. */
    private static final Set<String> SHOWN = Set.of(
            "weir run",
            "weir stop",
            "weir upgrade",
            "weir check",
            "weir config",
            "weir passwd",
            "weir cache",
            "weir jms",
            "weir jms send",
            "weir jms receive",
            "weir jms browse",
            "weir cluster",
            "weir deploy",
            "weir log",
            "weir log top",
            "weir tls",
            "weir history");

    /** What needs more than a server of the embedded configuration: it is only parsed, and of each is said why. */
    private static final Map<String, String> PARSED = new TreeMap<>(Map.of(
            "run", "starts a server at a fixed port",
            "migrate", "needs a file of another server",
            "stop", "stops this process",
            "upgrade", "needs a server of several processes",
            "cluster migrate", "needs another member",
            "deploy", "needs an archive",
            "log", "needs an access log, which is off as shipped",
            "history", "needs a row, the first of which is written after history.interval"));

    private static final String HEADING = "Example:";
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^  \\./weir (.+)$");
    private static final Pattern FRAGMENT = Pattern.compile("such as (--[a-z-]+ [^\\s;,)]+)");

    @TempDir
    private Path home = Path.of("");

    /** Usage texts as they are printed, by the verb. */
    private static Map<String, String> usages(CommandLine line) {
        Map<String, String> all = new TreeMap<>();
        collect(line, all);
        return all;
    }

    private static void collect(CommandLine line, Map<String, String> all) {
        StringWriter text = new StringWriter();
        line.usage(new PrintWriter(text, true));
        all.put(line.getCommandSpec().qualifiedName(), text.toString());
        line.getSubcommands().values().forEach(c -> collect(c, all));
    }

    /** The examples of a usage text: nothing else stands below the heading, so none is broken over two lines. */
    private static List<String> examples(String usage) {
        int at = usage.indexOf("\n" + HEADING);
        if (at < 0) {
            return List.of();
        }
        String below = usage.substring(at + 1 + HEADING.length());
        List<String> found = all(EXAMPLE, below);
        assertThat(below.lines().filter(l -> !l.isBlank())).as(usage).hasSameSizeAs(found);
        return found;
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        for (Matcher m = pattern.matcher(text); m.find(); ) {
            found.add(m.group(1));
        }
        return found;
    }

    private static Set<String> shown(CommandLine line) {
        Set<String> all = new TreeSet<>();
        usages(line).values().forEach(usage -> all.addAll(examples(usage)));
        return all;
    }

    /** What the launcher's own list shows, to the end of its line. */
    private static List<String> launchers() throws IOException {
        String script = Files.readString(Path.of("..", "weir"));
        String usage = script.substring(script.indexOf("<<'USAGE'"), script.indexOf("\nUSAGE\n"));
        return all(Pattern.compile("\\./weir (.+)"), usage);
    }

    private static String[] words(String line) {
        Matcher m = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)").matcher(line);
        return m.results()
                .map(r -> Stream.of(1, 2, 3)
                        .filter(i -> r.group(i) != null)
                        .map(r::group)
                        .findFirst()
                        .orElseThrow())
                .toArray(String[]::new);
    }

    private static void parse(String line) {
        String[] words = words(line);
        Main.line(words).parseArgs(words);
    }

    @TestFactory
    List<DynamicTest> eachExampleIsTakenAsItStands() throws IOException {
        List<String> lines = new ArrayList<>(shown(Main.line()));
        lines.addAll(launchers());
        assertThat(lines).hasSizeGreaterThan(SHOWN.size());
        return lines.stream().map(l -> dynamicTest(l, () -> parse(l))).toList();
    }

    @Test
    void theVerbsOfAnOperatorsDayShowOne() {
        Map<String, String> usages = usages(Main.line());
        assertThat(SHOWN)
                .allSatisfy(verb -> assertThat(examples(usages.getOrDefault(verb, "")))
                        .as(verb)
                        .isNotEmpty()
                        .anyMatch(l -> (l + " ").startsWith(verb.substring("weir ".length()) + " ")));
    }

    private static Stream<String> descriptions(CommandLine line) {
        return Stream.concat(
                line.getCommandSpec().options().stream().flatMap(o -> Stream.of(o.description())),
                line.getSubcommands().values().stream().flatMap(UsageExamplesTest::descriptions));
    }

    @Test
    void optionsThatTextsGiveAsAnExampleAreTaken() {
        Set<String> fragments = new TreeSet<>();
        // of the declarations: at the end of a printed line a long word is broken
        descriptions(Main.line()).forEach(d -> fragments.addAll(all(FRAGMENT, d)));
        assertThat(fragments)
                .isNotEmpty()
                .allSatisfy(f -> assertThat(execute("check " + f)).isEqualTo("0"));
    }

    @Test
    void anExampleWithAWrongOptionIsFound() {
        CommandLine line = Main.line();
        Objects.requireNonNull(line.getSubcommands().get("check"))
                .getCommandSpec()
                .usageMessage()
                .footer("  ./weir check --explian /");
        assertThat(shown(line)).contains("check --explian /");
        assertThat(catchThrowable(() -> shown(line).forEach(UsageExamplesTest::parse)))
                .isInstanceOf(CommandLine.UnmatchedArgumentException.class)
                .hasMessageContaining("--explian");
    }

    @Test
    void anExampleThatIsBrokenOverTwoLinesIsFound() {
        CommandLine line = Main.line();
        Objects.requireNonNull(line.getSubcommands().get("check"))
                .getCommandSpec()
                .usageMessage()
                .footer("  ./weir check --explain http://" + "long.".repeat(20) + "example/ --method POST");
        assertThat(catchThrowable(() -> shown(line))).isInstanceOf(AssertionError.class);
    }

    /** Exit status, and what was said where it failed. */
    private static String execute(String line) {
        StringWriter said = new StringWriter();
        int code = Main.line()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(words(line));
        return code == 0 ? "0" : code + ": " + said;
    }

    private Server start() throws Exception {
        LoadedConfig loaded = new ConfigLoader(
                        null,
                        List.of(
                                "listeners.http.port=0",
                                "listeners.messaging.port=0",
                                "admin.port=0",
                                "cache.disk.path=disk"),
                        home)
                .load();
        assertThat(loaded.problems()).isEmpty();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        return Server.start(new ServerParts(
                loaded, ConfigLoader.dataDir(loaded.value(), home), SystemClock.INSTANCE, nowhere, "test"));
    }

    /** In the order in which a message is sent, looked at and received; the first user comes last, for he ends the rest. */
    private static List<String> inOrder(Set<String> shown) {
        List<String> order = List.of("jms send", "jms browse", "jms receive", "jms pause", "passwd");
        List<String> lines = new ArrayList<>();
        shown.stream().filter(l -> order.stream().noneMatch(l::startsWith)).forEach(lines::add);
        order.forEach(o -> shown.stream().filter(l -> l.startsWith(o)).forEach(lines::add));
        return lines;
    }

    @Test
    void whatAServerIsAllThatItNeedsWorks() throws Exception {
        Set<String> unused = new TreeSet<>(PARSED.keySet());
        Server server = start();
        String before = System.setProperty("weir.home", home.toString());
        InputStream input = System.in;
        // of passwd
        System.setIn(new ByteArrayInputStream("secret\n".getBytes(StandardCharsets.US_ASCII)));
        try {
            for (String line : inOrder(shown(Main.line()))) {
                boolean parsedOnly = false;
                for (String verb : PARSED.keySet()) {
                    if ((line + " ").startsWith(verb + " ")) {
                        unused.remove(verb);
                        parsedOnly = true;
                    }
                }
                if (!parsedOnly) {
                    assertThat(execute(line)).as(line).isEqualTo("0");
                }
            }
        } finally {
            System.setIn(input);
            if (before == null) {
                System.clearProperty("weir.home");
            } else {
                System.setProperty("weir.home", before);
            }
            server.stop();
        }
        assertThat(unused).as("no usage shows these").isEmpty();
    }
}
