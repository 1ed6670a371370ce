package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTextTest {
    /** What is written is read as the same tree. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: 10s",
                "a: ''",
                "a: {}",
                "a: []",
                "a: {b: {c: [1, two, \"\"]}, d.e: x}",
                "messaging.queues.\"orders.in\": {quota: q}",
                "a: [{path: /x, hosts: [b]}, plain, [1, [2]]]",
                "a: \"quote \\\" backslash \\\\ line \\n ä \u2028\""
            })
    void aTreeIsReadBack(String yaml) {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping tree = Yaml.read("file", yaml, problems);
        ConfigNode.Mapping read = Yaml.json("body", JsonText.of(tree.entries()), problems);
        assertThat(problems).isEmpty();
        assertThat(Overlay.content(read)).isEqualTo(Overlay.content(tree));
        assertThat(read.entries().keySet()).isEqualTo(tree.entries().keySet());
    }
}
