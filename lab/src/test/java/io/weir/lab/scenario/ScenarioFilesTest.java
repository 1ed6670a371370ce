package io.weir.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every scenario file can be read, without running it. */
@Tag("slow")
class ScenarioFilesTest {
    @TestFactory
    List<DynamicTest> everyFileIsReadable() {
        Path root = House.root().resolve("scenarios");
        return ScenarioRunner.files(root).stream()
                .map(f -> DynamicTest.dynamicTest(root.relativize(f).toString(), () -> {
                    Scenario scenario = ScenarioParser.parse(root, f);
                    assertThat(scenario.steps()).as("steps").isNotEmpty();
                    assertThat(scenario.about()).endsWith(".");
                }))
                .toList();
    }
}
