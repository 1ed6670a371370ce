package io.weir.lab.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of the sources' shape, on a small house of two rooms. */
@Tag("slow")
class ShapeTest {
    @TempDir
    Path home = Path.of("");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void twoRooms() throws IOException {
        Path jms = source("jms/src/main/java/io/weir/jms/Door.java", """
                package io.weir.jms;
                public class Door {
                    /** Says so. */
                    public void said() {}
                    public void silent() {}
                    @Override
                    public String toString() {
                        return "";
                    }
                    void own() {}
                }
                """);
        Path ring = source("jms/src/main/java/io/weir/jms/ring/Left.java", """
                package io.weir.jms.ring;
                class Left {
                    java.util.List<Right> right;
                    class Inner {
                        Third third;
                    }
                    void five() {
                        int a = 1;
                        a++;
                        a++;
                    }
                }
                """);
        Path right = source("jms/src/main/java/io/weir/jms/ring/Right.java", """
                package io.weir.jms.ring;
                class Right {
                    Object third() {
                        return new Third();
                    }
                }
                """);
        Path third = source("jms/src/main/java/io/weir/jms/ring/Third.java", """
                package io.weir.jms.ring;
                class Third {
                    Left[] left;
                }
                """);
        Path twice = source("base/src/main/java/io/weir/base/Third.java", "package io.weir.base;\nclass Third {}\n");
        compile("jms", jms, ring, right, third);
        compile("base", twice);
    }

    private Path source(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void compile(String room, Path... files) throws IOException {
        Path classes = Files.createDirectories(home.resolve(room).resolve("target/classes"));
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            null,
                            manager,
                            null,
                            List.of("-d", classes.toString()),
                            null,
                            manager.getJavaFileObjects(files))
                    .call();
            assertThat(compiled).isTrue();
        }
    }

    private Map<String, Integer> list(String title) throws IOException {
        return Shape.of(home).lists().stream()
                .filter(l -> l.title().equals(title))
                .findFirst()
                .orElseThrow()
                .values();
    }

    @Test
    void packagesFilesAndMethodsAreMeasured() throws IOException {
        assertThat(list("files of a package"))
                .isEqualTo(Map.of("io.weir.base", 1, "io.weir.jms", 1, "io.weir.jms.ring", 3));
        assertThat(list("lines of a file")).containsEntry("io.weir.jms.ring.Left", 12);
        assertThat(list("lines of a method")).containsEntry("io.weir.jms.ring.Left.five", 5);
    }

    @Test
    void aCircleGoesThroughNestedClassesSignaturesAndArrays() throws IOException {
        assertThat(list("largest circle of classes in a package")).isEqualTo(Map.of("io.weir.jms.ring", 3));
        assertThat(list("classes of Weir that a class knows")).containsEntry("io.weir.jms.ring.Left", 2);
    }

    @Test
    void aNameThatStandsTwiceIsCounted() throws IOException {
        assertThat(list("classes of one name")).containsEntry("Third", 2).containsEntry("Left", 1);
    }

    @Test
    void whatApplicationsLinkWithoutACommentIsCounted() throws IOException {
        assertThat(list("public methods of linked packages without a comment"))
                .isEqualTo(Map.of("io.weir.jms.Door", 1));
    }

    @Test
    void theReportShowsTheLastReleaseBesideNow() throws IOException {
        Files.createDirectories(home.resolve("docs"));
        assertThat(run("--keep", "1.0")).isZero();
        source("jms/src/main/java/io/weir/jms/Other.java", "package io.weir.jms;\nclass Third {}\n");
        assertThat(run()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("classes of one name (guide: 1)")
                .containsPattern("now +1\\.0\n")
                .containsPattern("\n  Third +3 +2\n");
    }

    @Test
    void wrongWordsAreMisuse() {
        assertThat(run("--kept")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("weir: unknown option: --kept; there are --keep")
                .contains("Usage: weir shape");
        assertThat(run("--keep")).isEqualTo(2);
        assertThat(run("now")).isEqualTo(2);
        for (String nameless : List.of("", " ", "1.0\t2", "1.0\n")) {
            assertThat(run("--keep", nameless)).as(nameless).isEqualTo(2);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--keep needs the name of a release, such as 1.2.0");
        assertThat(home.resolve("docs/shape.tsv")).doesNotExist();
        assertThat(out.size()).isZero();
    }

    @Test
    void whatCannotBeReadIsAFailureAndNoMisuse() {
        home = home.resolve("nowhere");
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("weir: the sources or compiled classes could not be read: ")
                .doesNotContain("Usage");
    }

    @Test
    void helpIsNoError() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Usage: weir shape", "--keep=RELEASE")
                .endsWith("\n  ./weir shape\n");
        assertThat(run()).as("its example, which has no words").isZero();
    }

    @Test
    void circlesAreFoundWithoutRecursion() {
        Map<String, Set<String>> chain = new java.util.HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            chain.put("n" + i, Set.of("n" + (i + 1) % 50_000));
        }
        assertThat(Circles.of(chain))
                .hasSize(1)
                .first()
                .satisfies(c -> assertThat(c).hasSize(50_000));
        assertThat(Circles.of(Map.of("a", Set.of("b", "c"), "b", Set.of("a"), "c", Set.of("d"), "d", Set.of())))
                .containsExactly(Set.of("a", "b"));
    }

    private int run(String... words) {
        return ShapeCommand.line(
                        home,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .execute(words);
    }
}
