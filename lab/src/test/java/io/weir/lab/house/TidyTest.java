package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The laws of names and forbidden calls. Sizes are a report: {@code ./weir shape}. */
@Tag("slow")
class TidyTest {
    private static final Pattern FORBIDDEN_NAMES = Pattern.compile(".+(Impl|Utils?|Helper|Base|Manager)");
    private static final Set<String> ALLOWED_NAMES = Set.of("WorkManager");
    private static final Set<String> TIME_AND_CHANCE = Set.of(
            "System.nanoTime",
            "System.currentTimeMillis",
            "Instant.now",
            "Math.random",
            "ThreadLocalRandom.current",
            "LocalDateTime.now",
            "ZonedDateTime.now",
            "OffsetDateTime.now",
            "LocalDate.now",
            "Clock.systemUTC",
            "Clock.systemDefaultZone",
            "new Random",
            "new SecureRandom",
            "new SplittableRandom",
            "java.util.Random");
    private static final Map<String, Set<String>> SECRETS = Map.of("new SecureRandom", Set.of("server", "kernel"));

    private static final int DOCUMENT_WIDTH = 120;

    private static List<Path> files = List.of();
    private static Sources sources = new Sources();

    @BeforeAll
    static void parse() {
        files = House.sources();
        sources = Sources.of(files);
    }

    @Test
    void timeAndChanceAreInjected() {
        assertThat(uses(TIME_AND_CHANCE, "base"))
                .as("only `base` asks the machine for time and chance; inject Clock or Chance")
                .isEmpty();
    }

    /** What is cited is in the repository, or named in docs/sources.md. */
    @Test
    void nobodyCitesWhatAReaderCannotFind() throws IOException {
        Pattern elsewhere =
                Pattern.compile("seed 00\\d|\\b[Tt]he seeds?['\u2019]|decisions[.]md|laws[.]md|[(]reference \\d");
        List<Path> all = new ArrayList<>(files);
        try (Stream<Path> docs = Files.walk(House.root().resolve("docs"))) {
            docs.filter(f -> f.toString().endsWith(".md")).forEach(all::add);
        }
        all.add(House.root().resolve("README.md"));
        List<String> found = new ArrayList<>();
        for (Path file : all) {
            if (!file.endsWith("TidyTest.java")) {
                elsewhere
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(m -> found.add(House.name(file) + ": " + m.group()));
            }
        }
        assertThat(found).as("name the source as docs/sources.md does").isEmpty();
    }

    /** Lines of documents are for people; tables, code and what the declarations write are as they are. */
    @Test
    void linesOfDocumentsAreRead() throws IOException {
        Set<String> written = Set.of("knobs.md", "counters.md", "messages.md", "ownership.md");
        List<Path> all = new ArrayList<>(List.of(
                House.root().resolve("README.md"),
                House.root().resolve("CHANGELOG.md"),
                House.root().resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(House.root().resolve("docs"))) {
            docs.filter(f -> f.toString().endsWith(".md")
                            && !written.contains(f.getFileName().toString()))
                    .forEach(all::add);
        }
        List<String> wide = new ArrayList<>();
        for (Path file : all) {
            boolean code = false;
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                code ^= line.strip().startsWith("```");
                boolean free = code || line.startsWith("    ") || line.strip().startsWith("|");
                if (line.length() > DOCUMENT_WIDTH && !free) {
                    wide.add(House.name(file) + ":" + number + " has " + line.length() + " characters");
                }
            }
        }
        assertThat(wide).as("lines of documents over " + DOCUMENT_WIDTH).isEmpty();
    }

    @Test
    void nobodySleeps() {
        assertThat(uses(Set.of("Thread.sleep", "TimeUnit.SECONDS.sleep", "TimeUnit.MILLISECONDS.sleep"), ""))
                .as("wait for a condition with a bound instead")
                .isEmpty();
    }

    @Test
    void onlyTheCommandLinePrints() {
        List<String> printing = sources.uses.stream()
                .filter(u -> u.what().equals("System.out") || u.what().equals("System.err"))
                .filter(u -> !House.name(u.file()).contains("/src/test/"))
                .filter(u -> !commandLine(u.file()))
                .map(Object::toString)
                .toList();
        assertThat(printing).as("printing outside the command line").isEmpty();
    }

    /** Classes of the command line say so by their package or their name; samples are what users write. */
    private static boolean commandLine(Path file) {
        String name = House.name(file);
        return name.startsWith("samples/")
                || ((name.startsWith("server/") || name.startsWith("lab/src/main/"))
                        && (name.contains("/cli/") || name.matches(".*/(Main|Console|[A-Za-z]*Command)\\.java")));
    }

    @Test
    void typesAreNamedAfterWhatTheyAre() {
        List<String> bad = sources.types.stream()
                .filter(t -> FORBIDDEN_NAMES.matcher(t.what()).matches())
                .filter(t -> !ALLOWED_NAMES.contains(t.what()))
                .map(Object::toString)
                .toList();
        assertThat(bad).as("Impl, Util, Helper, Base and Manager say nothing").isEmpty();
    }

    @Test
    void suppressedWarningsSayWhy() {
        Pattern silent = Pattern.compile("(?m)^(?!.*//).*\\n\\s*@SuppressWarnings\\([^)]*\\)(?!.*//)");
        List<String> bad = files.stream()
                .filter(f -> !f.endsWith("TidyTest.java"))
                .filter(f -> silent.matcher(House.text(f)).find())
                .map(House::name)
                .toList();
        assertThat(bad)
                .as("@SuppressWarnings without a comment beside or above it")
                .isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = files.stream()
                .map(f -> f.getParent())
                .distinct()
                .filter(d -> d != null && !marked(d))
                .map(d -> House.root().relativize(d).toString())
                // a user's functions, in no package, and a user's application
                .filter(d -> !d.equals("samples/obj-conf/thread-pools"))
                .filter(d -> !d.equals("samples/spring-boot/src/main/java/shop"))
                .toList();
        assertThat(unmarked).as("packages without a @NullMarked package-info").isEmpty();
    }

    /** A test package is marked by the same package of the main sources. */
    private static boolean marked(Path folder) {
        Path main = Path.of(folder.toString().replace("/src/test/java/", "/src/main/java/"));
        return java.nio.file.Files.exists(folder.resolve("package-info.java"))
                || java.nio.file.Files.exists(main.resolve("package-info.java"));
    }

    @Test
    void noFileNamesThisMachine() {
        Pattern machine = Pattern.compile("(?<![A-Za-z0-9_.}~])/(root|home/[a-z]+|work/[a-z]+)/");
        List<String> bad = House.walk(TidyTest::isText).stream()
                .filter(f -> !f.endsWith("TidyTest.java"))
                .filter(f -> machine.matcher(House.text(f)).find())
                .map(House::name)
                .toList();
        assertThat(bad).as("absolute paths of a machine").isEmpty();
    }

    private static boolean isText(Path file) {
        return file.toString().matches(".*\\.(java|md|xml|ya?ml|scn|txt|sh|json|config|dtd|properties)|.*/(weir|run)");
    }

    private static List<String> uses(Set<String> forbidden, String allowedRoom) {
        return sources.uses.stream()
                .filter(u -> forbidden.contains(u.what()))
                .filter(u -> allowedRoom.isEmpty() || !House.inRoom(u.file(), allowedRoom))
                .filter(u ->
                        SECRETS.getOrDefault(u.what(), Set.of()).stream().noneMatch(r -> House.inRoom(u.file(), r)))
                .map(Object::toString)
                .toList();
    }
}
