package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/jms-compliance.md} is made of {@code jms-assertions.txt}: every assertion that a provider of Jakarta Messaging
 * must keep, with the tests that hold it. A test that is named exists; {@code -Ddocs.write=true} writes the page anew.
 */
class JmsComplianceTest {
    private static final Path ASSERTIONS = House.root().resolve("lab/src/test/resources/jms-assertions.txt");
    private static final Path PAGE = House.root().resolve("docs/jms-compliance.md");
    private static final String NOT_YET = "not yet";
    private static final String SUITE = "joram:";
    private static final String SUITE_PACKAGE = "org.objectweb.jtests.jms.conform";
    private static final List<String> SUITE_PACKAGES = List.of(
            "connection", "message", "message.headers", "message.properties", "queue", "selector", "session", "topic");
    private static final Pattern TEST_METHOD = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\bvoid\\b).)*?\\bvoid\\s+(\\w+)\\s*\\(", Pattern.DOTALL);
    private static final int LEAST_ASSERTIONS = 250;

    private static Set<String> ours = Set.of();
    private static boolean suiteRuns;

    /** A row of the file, or a heading where there are no tests. */
    private record Row(String section, String assertion, List<String> tests) {
        boolean heading() {
            return section.isEmpty();
        }

        boolean met() {
            return tests.stream().anyMatch(t -> !t.startsWith(SUITE) || suiteRuns);
        }
    }

    @BeforeAll
    static void findTests() {
        Set<String> found = new TreeSet<>();
        for (Path file : House.sources()) {
            String name = House.name(file);
            if (name.contains("/src/test/") && name.endsWith("Test.java")) {
                String type = file.getFileName().toString().replace(".java", "");
                Matcher method = TEST_METHOD.matcher(House.text(file));
                while (method.find()) {
                    found.add(type + "." + method.group(1));
                }
            }
        }
        ours = found;
        String pom = House.text(House.root().resolve("lab/pom.xml"));
        suiteRuns = pom.contains("<include>org/objectweb/**/*Test</include>") && !pom.contains("<exclude>");
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String line : House.text(ASSERTIONS).lines().toList()) {
            if (line.startsWith("## ")) {
                rows.add(new Row("", line.substring(3), List.of()));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" \\| ", -1);
                assertThat(parts).as(line).hasSize(3);
                List<String> tests = parts[2].equals(NOT_YET) ? List.of() : Arrays.asList(parts[2].split(", ", -1));
                rows.add(new Row(parts[0], parts[1], tests));
            }
        }
        return rows;
    }

    @Test
    void everyTestThatIsNamedExists() {
        Set<String> missing = new TreeSet<>();
        for (Row row : rows()) {
            for (String test : row.tests) {
                boolean there = test.startsWith(SUITE) ? inSuite(test.substring(SUITE.length())) : ours.contains(test);
                if (!there) {
                    missing.add(row.section + ": " + test);
                }
            }
        }
        assertThat(missing).as("tests that jms-assertions.txt names").isEmpty();
    }

    private static boolean inSuite(String test) {
        String[] parts = test.split("\\.", -1);
        return SUITE_PACKAGES.stream()
                .flatMap(folder -> loaded(SUITE_PACKAGE + "." + folder + "." + parts[0]).stream())
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .anyMatch(method -> method.getName().equals(parts[1]));
    }

    private static Optional<Class<?>> loaded(String name) {
        try {
            return Optional.of(Class.forName(name, false, loader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private static ClassLoader loader() {
        return JmsComplianceTest.class.getClassLoader();
    }

    @Test
    void theTableIsComplete() {
        List<String> assertions = rows().stream()
                .filter(r -> !r.heading())
                .map(r -> r.section + " " + r.assertion)
                .toList();
        assertThat(assertions).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(LEAST_ASSERTIONS);
    }

    @Test
    void thePageIsUpToDate() throws IOException {
        String expected = page();
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(House.text(PAGE))
                .as("docs/jms-compliance.md is stale: mvn -pl lab -am test -Dtest=JmsComplianceTest -Ddocs.write=true")
                .isEqualTo(expected);
    }

    private static String page() {
        List<Row> rows = rows();
        long all = rows.stream().filter(r -> !r.heading()).count();
        long met = rows.stream().filter(Row::met).count();
        StringBuilder page = new StringBuilder("""
                # What Jakarta Messaging 3.1 asks of a provider

                Written by `JmsComplianceTest` from `lab/src/test/resources/jms-assertions.txt`; edit that file, not this one. Each
                row is an assertion of the specification, in our words, by its section (or by the interface whose documentation
                makes it), with the tests that hold it. `joram` names tests of the third-party suite `joram-jms-tests`, converted
                to `jakarta.*`.

                """);
        page.append("Of ").append(all).append(" assertions ").append(met).append(" have a test");
        page.append(suiteRuns ? ".\n" : "; the third-party suite does not run yet and does not count.\n");
        for (Row row : rows) {
            if (row.heading()) {
                page.append("\n## ")
                        .append(row.assertion)
                        .append("\n\n| section | assertion | test |\n|---|---|---|\n");
            } else {
                page.append("| ")
                        .append(row.section)
                        .append(" | ")
                        .append(row.assertion)
                        .append(" | ");
                page.append(tests(row)).append(" |\n");
            }
        }
        return page.toString();
    }

    private static String tests(Row row) {
        String names = row.tests.stream()
                .map(t -> t.startsWith(SUITE) ? "joram `" + t.substring(SUITE.length()) + "`" : "`" + t + "`")
                .collect(Collectors.joining(", "));
        return row.met() ? names : names.isEmpty() ? NOT_YET : NOT_YET + " (" + names + ")";
    }
}
