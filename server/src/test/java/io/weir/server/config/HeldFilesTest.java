package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigProblem;
import io.weir.base.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An {@code obj.conf}: its text goes with the configuration, whatever becomes of the file. */
final class HeldFilesTest extends KnobFixture {
    private Path objects = Path.of("obj.conf");
    private int first;

    @BeforeEach
    void objects() throws IOException {
        objects = home.resolve("obj.conf");
        program("first");
        Files.writeString(
                home.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\nproxy:\n  objects: " + objects + "\n");
        service = service();
        first = service.current();
    }

    private void program(String body) throws IOException {
        Files.writeString(
                objects, "<Object name=\"default\">\nService fn=\"send-answer\" body=\"" + body + "\"\n</Object>\n");
    }

    private String text() {
        return Objects.requireNonNull(service.live().get().proxy().objects()).text();
    }

    @Test
    void isReadAgainByAReload() throws IOException {
        assertThat(text()).contains("\"first\"");
        assertThat(service.reload("t").outcome().changed()).as("unchanged").isEmpty();
        program("second");
        assertThat(service.reload("t").outcome().changed()).containsExactly("proxy.objects");
        assertThat(text()).contains("\"second\"");
    }

    @Test
    void brokenOnesChangeNothingAndSayAllThatIsWrong() throws IOException {
        String whole = Files.readString(objects);
        Files.writeString(objects, whole.replace("body=", "bodi=") + "<Object name=\"b\">\nService fn=\"none\"\n");
        KnobService.Reload reload = service.reload("t");
        assertThat(reload.outcome().problems())
                .extracting(ConfigProblem::toString)
                .anyMatch(p -> p.startsWith(objects + ":2:") && p.contains("did you mean \"body\"?"))
                .anyMatch(p -> p.startsWith(objects + ":5:") && p.contains("unknown function \"none\""))
                .anyMatch(p -> p.startsWith(objects + ":4:") && p.contains("</Object>"));
        for (String broken : List.of("", "\n# nothing\n", whole.substring(0, whole.length() / 2))) {
            Files.writeString(objects, broken);
            assertThat(service.reload("t").outcome().problems()).as(broken).isNotEmpty();
        }
        Files.delete(objects);
        assertThat(service.reload("t").outcome().problems().getFirst().toString())
                .contains("weir.yaml:4", "proxy.objects", "no such file");
        assertThat(text()).isEqualTo(whole);
        Files.write(objects, new byte[TextFile.MAX_BYTES + 1]);
        assertThat(service.reload("t").outcome().problems().getFirst().toString())
                .contains("16MiB");
    }

    @Test
    void otherProcessesRunTheTextThatIsInForce() throws IOException {
        StringBuilder huge = new StringBuilder("<Object name=\"default\">\n");
        RandomGenerator random = Chance.seeded(1).random();
        for (int i = 0; i < 20_000; i++) {
            huge.append("NameTrans fn=\"assign-name\" from=\"/")
                    .append(Long.toHexString(random.nextLong()))
                    .append(Long.toHexString(random.nextLong()))
                    .append(Long.toHexString(random.nextLong()))
                    .append(Long.toHexString(random.nextLong()))
                    .append("/*\" name=\"other\"\n");
        }
        Files.writeString(objects, huge + "</Object>\n<Object name=\"other\">\n</Object>\n");
        assertThat(service.reload("t").outcome().problems()).isEmpty();
        String whole = text();
        assertThat(whole.length()).isGreaterThan(2_000_000);
        assertThat(service.text().length()).as("over the bound of texts").isGreaterThan(Yaml.MAX_LENGTH);
        Path handed = Files.writeString(home.resolve("in-force.yaml"), service.text());
        Files.writeString(objects, "<Obj");
        LoadedConfig other = new ConfigLoader(handed, List.of(), home).load();
        assertThat(other.problems()).isEmpty();
        assertThat(Objects.requireNonNull(other.value().proxy().objects()).text())
                .isEqualTo(whole);
        List<ConfigProblem> problems = new ArrayList<>();
        assertThat(InForceText.read(handed, problems).find("proxy.objects")).isNotNull();
        assertThat(problems).isEmpty();
    }

    @Test
    void rollBackRunsTheTextOfThen() throws IOException {
        program("second");
        service.reload("t");
        assertThat(service.rollback(first, "t").problems()).isEmpty();
        assertThat(text()).contains("\"first\"");
        assertThat(service.reload("t").outcome().problems()).isEmpty();
        assertThat(text()).as("as any persisted change, until it is dropped").contains("\"first\"");
        assertThat(service.drop("proxy.objects", "t").problems()).isEmpty();
        assertThat(text()).contains("\"second\"");
        assertThat(History.diff(new History(data).read(first), new History(data).read(first + 1)))
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(line -> line.matches(". proxy.objects: .*obj.conf \\([0-9a-f]{8}\\)"), "name and sum");
    }

    @Test
    void aServerHasOneProgram() throws IOException {
        Files.writeString(
                home.resolve("weir.yaml"),
                "listeners:\n  http: {port: 0}\nproxy:\n  objects: " + objects + "\n  routes: [{path: /, deny: on}]\n");
        assertThat(load().problems().getFirst().toString())
                .contains("weir.yaml:4", "either proxy.routes or proxy.objects");
    }
}
