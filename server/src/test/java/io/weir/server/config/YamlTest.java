package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class YamlTest {
    private final List<ConfigProblem> problems = new ArrayList<>();

    private ConfigNode.Mapping read(String text) {
        return Yaml.read("weir.yaml", text, problems);
    }

    private String firstProblem(String text) {
        read(text);
        assertThat(problems).isNotEmpty();
        return problems.getFirst().toString();
    }

    @Test
    void valuesKeepTheirTextAndPlace() {
        ConfigNode.Mapping tree = read("server:\n  name: edge\nkernel:\n  keep-alive: {timeout: 0x1F}\n");
        assertThat(problems).isEmpty();
        assertThat(tree.find("server.name"))
                .isEqualTo(new ConfigNode.Scalar(new ConfigNode.Place("weir.yaml", 2, 9), "edge"));
        assertThat(tree.find("kernel.keep-alive.timeout"))
                .isInstanceOfSatisfying(
                        ConfigNode.Scalar.class, s -> assertThat(s.text()).isEqualTo("0x1F"));
    }

    @Test
    void keysHaveTheirPlace() {
        ConfigNode.Mapping tree = read("a: 1\n\nserver:\n  name: edge\n");
        assertThat(tree.placeOf("server")).isEqualTo(new ConfigNode.Place("weir.yaml", 3, 1));
        assertThat(tree.nearestPlace("server.nothing")).isEqualTo(new ConfigNode.Place("weir.yaml", 3, 1));
    }

    @Test
    void emptyFileIsAnEmptyConfiguration() {
        assertThat(read("").entries()).isEmpty();
        assertThat(read("# only a comment\n").entries()).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void duplicateKeyIsToldWithBothLines() {
        assertThat(firstProblem("server:\n  name: a\nserver:\n  name: b\n"))
                .isEqualTo("weir.yaml:3:1: server: duplicate key, first at line 1");
    }

    @Test
    void tabsAreRefusedWithTheirPlace() {
        assertThat(firstProblem("server:\n\tname: a\n"))
                .startsWith("weir.yaml:2:1: ")
                .contains("TAB");
    }

    @Test
    void anchorsAndAliasesAreRefusedAndNotExpanded() {
        assertThat(firstProblem("a: &x [1, 2]\nb: *x\n"))
                .contains("weir.yaml:1:")
                .contains("anchors");
        assertThat(problems)
                .anySatisfy(
                        p -> assertThat(p.toString()).contains("weir.yaml:2:").contains("aliases"));
    }

    @Test
    void billionLaughsCostNothing() {
        StringBuilder bomb = new StringBuilder("l0: &l0 [a]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("l" + i + ": &l" + i + " [")
                    .append(("*l" + (i - 1) + ",").repeat(9))
                    .append("*l" + (i - 1) + "]\n");
        }
        read(bomb.toString());
        assertThat(problems).isNotEmpty();
    }

    @Test
    void tagsAreRefused() {
        assertThat(firstProblem("a: !!java.io.File [x]\n")).contains("tags");
    }

    @Test
    void secondDocumentIsRefused() {
        assertThat(firstProblem("a: 1\n---\nb: 2\n")).contains("second document");
    }

    @Test
    void listAtTheTopIsRefused() {
        assertThat(firstProblem("- a\n- b\n")).contains("expected sections");
    }

    @Test
    void unclosedFlowIsToldWithItsPlace() {
        assertThat(firstProblem("a: [1, 2\nb: 3\n")).startsWith("weir.yaml:").contains("not YAML");
    }

    @Test
    void deepNestingIsRefused() {
        assertThat(firstProblem("a: " + "[".repeat(40) + "]".repeat(40))).contains("nested deeper than 20");
    }

    @Test
    void textAtTheLengthLimitIsReadAndOneMoreRefused() {
        String start = "a: 1\n#";
        read(start + "x".repeat(Yaml.MAX_LENGTH - start.length()));
        assertThat(problems).isEmpty();
        assertThat(firstProblem(start + "x".repeat(Yaml.MAX_LENGTH - start.length() + 1)))
                .contains("longer than");
    }

    @Test
    void commandLineValuesMayBeListsAndNumbers() {
        ConfigNode list = Yaml.value("--set x", "[a, b]", problems);
        assertThat(list)
                .isInstanceOfSatisfying(
                        ConfigNode.Sequence.class, s -> assertThat(s.items()).hasSize(2));
        assertThat(Yaml.value("--set x", "30s", problems))
                .isEqualTo(new ConfigNode.Scalar(ConfigNode.Place.of("--set x"), "30s"));
        assertThat(Yaml.value("--set x", "", problems))
                .isEqualTo(new ConfigNode.Scalar(ConfigNode.Place.of("--set x"), ""));
    }

    @Test
    void jsonIsReadIntoTheSameTree() {
        ConfigNode.Mapping tree = Yaml.json("body", "{\"server.name\": \"x\", \"n\": 5,\t\"on\": true}", problems);
        assertThat(problems).isEmpty();
        assertThat(Overlay.content(tree)).isEqualTo("{server.name: x, n: 5, on: true}");
    }

    @Test
    void brokenJsonIsAProblem() {
        Yaml.json("body", "{\"a\": ", problems);
        assertThat(problems).isNotEmpty();
        assertThat(problems.getFirst().toString()).contains("not JSON");
    }

    @Test
    void writtenTreesAreReadBackTheSame() {
        String text = """
                a: "on"
                b:
                  c: [1, {x: y, z: []}, "q\\"\\\\: #"]
                  d: {}
                  e: ""
                  f: "line\\nline"
                g: http://10.0.0.5:8000
                h: -5
                i: "*"
                j: "a: b"
                k: [[a, b], [c]]
                """;
        ConfigNode.Mapping tree = read(text);
        assertThat(problems).isEmpty();
        String written = YamlText.of(tree);
        assertThat(Overlay.content(read(written))).as(written).isEqualTo(Overlay.content(tree));
        assertThat(problems).isEmpty();
    }

    /** Every character of the basic plane, and two beyond it, as values and as keys. */
    @Test
    void everyCharacterIsReadBackTheSame() {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        ConfigNode.Place at = ConfigNode.Place.of("test");
        for (int from = 0; from < Character.MAX_VALUE; from += 256) {
            StringBuilder text = new StringBuilder();
            for (int c = from; c < from + 256; c++) {
                text.append(Character.isSurrogate((char) c) ? "" : (char) c);
            }
            entries.put(text + "\ud83d\ude00", new ConfigNode.Scalar(at, "a" + text + "\udbff\udfff"));
        }
        for (String word : List.of("null", "NULL", "~", "true", "1_000", "0x1F", ".inf", "1e3", "2001-01-01", "010")) {
            entries.put("word " + word, new ConfigNode.Scalar(at, word));
        }
        ConfigNode.Mapping tree = new ConfigNode.Mapping(at, entries, Map.of());
        assertThat(YamlText.unreadable(tree, "written.yaml")).isEmpty();
        assertThat(Overlay.content(read(YamlText.of(tree)))).isEqualTo(Overlay.content(tree));
        assertThat(problems).isEmpty();
    }

    @Test
    void whatIsNotReadBackIsSaid() {
        ConfigNode.Place at = ConfigNode.Place.of("test");
        ConfigNode one = new ConfigNode.Scalar(at, "1");
        ConfigNode.Mapping long1 = new ConfigNode.Mapping(at, Map.of("k".repeat(2000), one), Map.of());
        assertThat(YamlText.unreadable(long1, "written.yaml"))
                .singleElement()
                .satisfies(p -> assertThat(p.toString()).startsWith("written.yaml:"));
        ConfigNode.Mapping large = new ConfigNode.Mapping(
                at, Map.of("k", new ConfigNode.Scalar(at, "\u0080".repeat(Yaml.MAX_LENGTH / 5))), Map.of());
        assertThat(YamlText.unreadable(large, "written.yaml"))
                .singleElement()
                .satisfies(p -> assertThat(p.what()).contains("longer than"));
    }

    @Test
    void characterThatYamlDoesNotAllowIsToldWithItsPlace() {
        assertThat(firstProblem("a: 1\nb: x\u009b\n"))
                .isEqualTo(
                        "weir.yaml:2:5: the character U+009B cannot stand in YAML: write it as \\u009b between double"
                                + " quotes, or remove it");
    }

    @Test
    void halfOfASurrogatePairIsRefusedInYamlAndJson() {
        assertThat(firstProblem("a: [\"x\", \"\\ud800\"]")).contains("a[1]: half of a surrogate pair");
        problems.clear();
        Yaml.json("body", "{\"a\": \"\\udc00\\ud800\"}", problems);
        assertThat(problems).singleElement().satisfies(p -> assertThat(p.key()).isEqualTo("a"));
        problems.clear();
        Yaml.json("body", "{\"a\": \"\\ud83d\\ude00\"}", problems);
        assertThat(problems).isEmpty();
    }
}
