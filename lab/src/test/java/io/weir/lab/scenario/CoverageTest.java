package io.weir.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.http.Fault;
import io.weir.lab.house.House;
import io.weir.proxy.program.ProxyFault;
import io.weir.server.config.WeirConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Every configuration key and every refusal reason occurs in a scenario. */
class CoverageTest {
    private static final Path ROOT = House.root().resolve("scenarios");
    private static final List<Scenario> SCENARIOS = ScenarioRunner.files(ROOT).stream()
            .map(f -> ScenarioParser.parse(ROOT, f))
            .toList();

    @Test
    void everyConfigurationKeyOccursInAScenario() {
        Set<String> used = usedKeys();
        List<String> missing = KnobCatalogue.of(WeirConfig.class).knobs().stream()
                .filter(k -> !k.typeName().equals("section"))
                .map(KnobSpec::key)
                .filter(k -> !occurs(k, used))
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
