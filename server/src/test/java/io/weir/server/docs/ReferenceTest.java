package io.weir.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.LogMessage;
import io.weir.base.Severity;
import io.weir.base.StatSpec;
import io.weir.base.Unwatched;
import io.weir.server.config.WeirConfig;
import io.weir.server.log.LogLevels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ReferenceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void documentationIsFresh() throws IOException {
        for (Map.Entry<String, String> e : Reference.files().entrySet()) {
            Path file = ROOT.resolve("docs").resolve(e.getKey());
            String kept = Files.exists(file) ? Files.readString(file) : "";
            assertThat(kept.equals(e.getValue()))
                    .as("docs/%s is fresh; if not, run ./weir docs and commit the result", e.getKey())
                    .isTrue();
        }
    }

    @Test
    void messageNumbersAreUnique() {
        List<Integer> ids = Declarations.messages().stream().map(LogMessage::id).toList();
        assertThat(ids).doesNotHaveDuplicates().allSatisfy(id -> assertThat(id).isBetween(1, 999_999));
    }

    @Test
    void warningsSayWhatToDo() {
        assertThat(Declarations.messages())
                .filteredOn(m -> m.severity().compareTo(Severity.WARNING) <= 0
                        && !m.subsystem().equals("Netty"))
                .allSatisfy(m -> assertThat(m.remedy()).as("WEIR-%06d", m.id()).isNotEmpty());
    }

    @Test
    void counterNamesAreUniqueAndOfOneForm() {
        List<String> names =
                Declarations.statistics().stream().map(StatSpec::name).toList();
        assertThat(names).doesNotHaveDuplicates().allSatisfy(n -> assertThat(n).matches("weir_[a-z0-9_]+"));
    }

    /** What a name in the documents may be: declared, as /metrics shows it, or the beginning of such names. */
    private static boolean known(String name, List<StatSpec> all) {
        return all.stream()
                .flatMap(s -> Stream.of(s.name(), s.exposedName()))
                .anyMatch(n -> name.endsWith("_")
                        ? n.startsWith(name)
                        : name.equals(n) || name.matches(Pattern.quote(n) + "_(bucket|sum|count)"));
    }

    @Test
    void everyCounterThatADocumentNamesIsDeclared() throws IOException {
        List<StatSpec> all = Declarations.statistics();
        Pattern word = Pattern.compile("\\bweir_[a-z0-9_]+");
        List<String> unknown = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Path p : documents()) {
            word.matcher(Files.readString(p)).results().map(MatchResult::group).forEach(name -> {
                names.add(name);
                if (!known(name, all)) {
                    unknown.add(ROOT.relativize(p) + " names " + name);
                }
            });
        }
        assertThat(unknown).isEmpty();
        assertThat(names).hasSizeGreaterThan(100);
    }

    @Test
    void listOfCountersHasTheNamesOfMetrics() {
        String list = Reference.files().getOrDefault("counters.md", "");
        assertThat(Declarations.statistics())
                .allSatisfy(s -> assertThat(list).contains("`" + s.name() + "`", "`" + s.exposedName() + "`"));
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(p -> p.toString().endsWith(".md")))
                    .toList();
        }
    }

    @Test
    void countersToWatchExist() {
        Set<String> known =
                Declarations.statistics().stream().map(StatSpec::exposedName).collect(Collectors.toSet());
        List<String> unknown = KnobCatalogue.of(WeirConfig.class).knobs().stream()
                .flatMap(k -> Arrays.stream(k.knob().watch())
                        .filter(w -> !known.contains(w))
                        .map(w -> k.key() + " watches " + w))
                .toList();
        assertThat(unknown).as("names that /metrics does not have").isEmpty();
    }

    @Test
    void theSubsystemsOfLogLevelsAreThoseOfTheMessages() {
        assertThat(LogLevels.SUBSYSTEMS)
                .containsExactlyElementsOf(Declarations.messages().stream()
                        .map(LogMessage::subsystem)
                        .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER))));
    }

    /** A number that says what is done or where, not how much, or that another knob's text explains. */
    private static final Set<String> NO_RULE = Set.of(
            "listeners.*.port",
            "admin.port",
            "cluster.raft-port",
            "cluster.database.epoch",
            "work-managers.*.shut-down-trigger.max-stuck-thread-time",
            "proxy.routes[].respond.status",
            "proxy.routes[].redirect.status",
            "proxy.routes[].cache.max-size",
            "proxy.routes[].time-outs.connect",
            "proxy.routes[].time-outs.response-header",
            "proxy.routes[].time-outs.body-idle",
            "proxy.origin-pool.max-connections-per-origin",
            "proxy.origin-pool.max-connections-per-address",
            "messaging.connection-factories.*.delivery.default-priority",
            "messaging.queues.*.messaging-performance-preference",
            "messaging.topics.*.messaging-performance-preference");

    @Test
    void everyKnobWithANumberHasARuleOfThumb() {
        assertThat(KnobCatalogue.of(WeirConfig.class).knobs().stream()
                        .filter(k -> k.typeName().matches("(integer|size|duration|number)\\b.*"))
                        .filter(k -> !k.knob().doc().contains("Rule of thumb:"))
                        .map(KnobSpec::key))
                .containsExactlyInAnyOrderElementsOf(NO_RULE);
    }

    @Test
    void everyKnobNamesItsCountersOrWhyItHasNone() {
        List<String> wrong = KnobCatalogue.of(WeirConfig.class).knobs().stream()
                .filter(k -> !k.grouping())
                .filter(k -> (k.knob().watch().length == 0) == (k.knob().unwatched() == Unwatched.NOT))
                .map(KnobSpec::key)
                .toList();
        assertThat(wrong)
                .as("knobs with neither or both of watch and unwatched")
                .isEmpty();
    }

    @Test
    void everyDeclarationInTheSourcesIsListed() throws IOException {
        Set<String> listed = new HashSet<>();
        Declarations.messages().forEach(m -> listed.add(m.getClass().getSimpleName()));
        String source = Files.readString(ROOT.resolve("server/src/main/java/io/weir/server/docs/Declarations.java"));
        assertThat(listed).isNotEmpty();
        for (Path p : sources()) {
            String text = Files.readString(p);
            String name = p.getFileName().toString().replace(".java", "");
            if (text.contains("Messages implements DeclaredMessage")) {
                assertThat(listed).as("messages of %s in Declarations", name).contains(name);
            }
            if (text.contains("List<StatSpec> ALL")) {
                assertThat(source).as("statistics of %s in Declarations", name).contains(name + ".ALL");
            }
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT, 12)) {
            return all.filter(p ->
                            p.toString().contains("/src/main/") && p.toString().endsWith(".java"))
                    .toList();
        }
    }
}
