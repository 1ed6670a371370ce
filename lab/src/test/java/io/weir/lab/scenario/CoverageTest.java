package io.weir.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.http.Fault;
import io.weir.lab.house.House;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.server.config.WeirConfig;
import io.weir.wire.WireFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Every configuration key and every refusal reason occurs in a scenario. Messaging's clients are programs, so its keys and
 * reasons may occur in a test of the rooms that it is made of instead.
 */
@Tag("slow")
class CoverageTest {
    private static final Path ROOT = House.root().resolve("scenarios");
    private static final List<Scenario> SCENARIOS = ScenarioRunner.files(ROOT).stream()
            .map(f -> ScenarioParser.parse(ROOT, f))
            .toList();

    private static final String MESSAGING = "messaging.";
    private static final Map<String, String> TESTS = Stream.of("wire", "journal", "jms", "broker", "server", "lab")
            .collect(Collectors.toMap(r -> r, r -> sources(r, "src/test/java")));

    @Test
    void everyConfigurationKeyOccursInAScenario() {
        Set<String> used = usedKeys();
        List<String> missing = KnobCatalogue.of(WeirConfig.class).knobs().stream()
                .filter(k -> !k.typeName().equals("section"))
                .map(KnobSpec::key)
                .filter(k -> !occurs(k, used) && !(k.startsWith(MESSAGING) && turnedInATest(k)))
                .toList();
        assertThat(missing).as("configuration keys without a scenario").isEmpty();
    }

    @Test
    void everyRefusalReasonOccursInAScenario() {
        String texts = ScenarioRunner.files(ROOT).stream().map(House::text).reduce("", String::concat);
        List<String> missing = Stream.concat(
                        Arrays.stream(Fault.values()).map(f -> "http " + f.label()),
                        Arrays.stream(ProxyFault.values()).map(f -> "proxy " + f.code()))
                .filter(r -> !counted(r, texts))
                .toList();
        assertThat(missing).as("refusal reasons without a scenario").isEmpty();
    }

    @Test
    void everyFaultOfAMessagingPeerOccursInAScenarioOrATest() {
        String texts = ScenarioRunner.files(ROOT).stream().map(House::text).reduce("", String::concat);
        // what the protocol has a number for and nobody gives yet is not to be tested
        String given = sources("wire", "src/main/java") + sources("broker", "src/main/java");
        List<WireFault.Reason> missing = Arrays.stream(WireFault.Reason.values())
                .filter(r -> given.contains("Reason." + r.name()))
                .filter(r -> !texts.contains("weir_wire_faults_total{reason=\"" + r.label() + "\"")
                        && TESTS.values().stream().noneMatch(t -> t.contains("Reason." + r.name())))
                .toList();
        assertThat(missing).as("faults without a scenario or test").isEmpty();
    }

    /** Tests set keys of messaging without the section's name; rooms on their own set theirs by the last name. */
    private static boolean turnedInATest(String key) {
        String tail = key.substring(MESSAGING.length());
        Pattern path = Pattern.compile("(?<![a-z-])"
                + tail.replaceFirst("^(queues|topics)\\.", "(queues|topics).")
                        .replace(".", "\\.")
                        .replace("*", "[^.\"=\\s]+")
                + "(?![a-z-])");
        String last = tail.substring(tail.lastIndexOf('.') + 1);
        Pattern name = Pattern.compile("\"[^\"\\n]*(?<![a-z-])" + last + "(?![a-z-])[^\"\\n]*\"");
        List<String> own = tail.startsWith("connection-factories.")
                ? List.of("jms", "broker", "server", "lab")
                : List.of(tail.substring(0, tail.indexOf('.') < 0 ? tail.length() : tail.indexOf('.')));
        return TESTS.values().stream().anyMatch(t -> inALine(path, last, t))
                || own.stream().anyMatch(r -> inALine(name, last, TESTS.getOrDefault(r, "")));
    }

    /** Whether a pattern is in a line; only lines that contain the word are searched, for patterns are slow. */
    private static boolean inALine(Pattern pattern, String word, String text) {
        Matcher matcher = pattern.matcher(text).useTransparentBounds(true);
        for (int at = text.indexOf(word); at >= 0; ) {
            int end = text.indexOf('\n', at);
            int to = end < 0 ? text.length() : end;
            if (matcher.region(text.lastIndexOf('\n', at) + 1, to).find()) {
                return true;
            }
            at = text.indexOf(word, to);
        }
        return false;
    }

    private static String sources(String room, String folder) {
        try (Stream<Path> files = Files.walk(House.root().resolve(room).resolve(folder))) {
            return files.filter(f -> f.toString().endsWith(".java"))
                    .map(House::text)
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A scenario asserts on its counter. */
    private static boolean counted(String reason, String texts) {
        String[] parts = reason.split(" ", 2);
        return Pattern.compile("weir_" + parts[0] + "_faults_total\\{[^}]*reason=\"" + parts[1] + "\"")
                .matcher(texts)
                .find();
    }

    private static boolean occurs(String key, Set<String> used) {
        Pattern pattern = Pattern.compile(
                key.replace(".", "\\.").replace("*", "[^.]+").replace("[]", "(\\[\\])?") + "(\\..*|\\[.*)?");
        return used.stream().anyMatch(u -> pattern.matcher(u).matches());
    }

    private static Set<String> usedKeys() {
        Set<String> used = new TreeSet<>();
        ObjectMapper yaml = YAMLMapper.builder().build();
        for (Scenario s : SCENARIOS) {
            boolean refused = s.has("refuses");
            String config = s.config();
            if (config != null && !refused) {
                flatten("", yaml.readTree(config.replaceAll("\\$\\{[^}]*}", "1")), used);
            }
            for (String set : s.sets()) {
                int equals = set.indexOf('=');
                used.add(set.substring(0, equals));
                flatten(
                        set.substring(0, equals),
                        yaml.readTree(set.substring(equals + 1).replaceAll("\\$\\{[^}]*}", "1")),
                        used);
            }
        }
        return used;
    }

    private static void flatten(String prefix, JsonNode node, Set<String> into) {
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> e : node.properties()) {
                flatten(prefix.isEmpty() ? e.getKey() : prefix + "." + e.getKey(), e.getValue(), into);
            }
        } else if (node.isArray()) {
            List<JsonNode> items = new ArrayList<>();
            node.forEach(items::add);
            items.forEach(i -> flatten(prefix + "[]", i, into));
        } else {
            into.add(prefix);
        }
    }
}
