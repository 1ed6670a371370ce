package io.weir.proxy.program.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserFunctionsTest {
    @TempDir
    Path folder = Path.of("");

    /** A function without fault. */
    public static final class Good implements RequestFunction {
        @Override
        public String name() {
            return "good";
        }

        @Override
        public String doc() {
            return "Lets everything pass.";
        }

        @Override
        public Set<Stage> stages() {
            return Set.of(Stage.PATH_CHECK);
        }

        @Override
        public Step prepare(Parameters parameters) {
            return _ -> Verdict.proceed();
        }
    }

    /** A function with the name of one of Weir's. */
    public static final class Taken implements RequestFunction {
        @Override
        public String name() {
            return "url-check";
        }

        @Override
        public String doc() {
            return "Is never asked.";
        }

        @Override
        public Set<Stage> stages() {
            return Set.of(Stage.PATH_CHECK);
        }

        @Override
        public Step prepare(Parameters parameters) {
            return _ -> Verdict.proceed();
        }
    }

    /** A function for a stage that is not open to functions of jars. */
    public static final class Misplaced implements RequestFunction {
        @Override
        public String name() {
            return "misplaced";
        }

        @Override
        public String doc() {
            return "Is never asked.";
        }

        @Override
        public Set<Stage> stages() {
            return Set.of(Stage.ADD_LOG);
        }

        @Override
        public Step prepare(Parameters parameters) {
            return _ -> Verdict.proceed();
        }
    }

    private String jar(String name, String... providers) throws IOException {
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/services/" + RequestFunction.class.getName()));
            out.write(String.join("\n", providers).getBytes(StandardCharsets.UTF_8));
            out.closeEntry();
            for (String provider : providers) {
                String type = provider.replace('.', '/') + ".class";
                try (InputStream in = getClass().getClassLoader().getResourceAsStream(type)) {
                    if (in != null) {
                        out.putNextEntry(new JarEntry(type));
                        in.transferTo(out);
                        out.closeEntry();
                    }
                }
            }
        }
        return jar.toString();
    }

    @Test
    void withoutJarsThereAreWeirsOwnFunctions() {
        assertThat(UserFunctions.load(List.of()).catalogue().find("url-check")).isNotNull();
        assertThat(UserFunctions.load(List.of()).problems()).isEmpty();
    }

    @Test
    void functionOfAJarStandsBesideWeirsOwn() throws IOException {
        UserFunctions.Loaded loaded = UserFunctions.load(List.of(jar("good.jar", Good.class.getName())));
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.catalogue().find("good")).isNotNull();
        assertThat(loaded.catalogue().find("url-check")).isNotNull();
    }

    @Test
    void takenNamesAndClosedStagesAreProblems() throws IOException {
        UserFunctions.Loaded loaded =
                UserFunctions.load(List.of(jar("bad.jar", Taken.class.getName(), Misplaced.class.getName())));
        assertThat(loaded.problems())
                .satisfiesExactly(
                        p -> assertThat(p).contains("\"url-check\" is taken by Weir"),
                        p -> assertThat(p).contains("Misplaced").contains("PathCheck"));
    }

    @Test
    void missingClassesAndEmptyJarsAreProblems() throws IOException {
        assertThat(UserFunctions.load(List.of(jar("lost.jar", "acme.Lost"))).problems())
                .singleElement()
                .satisfies(p -> assertThat(p).contains("acme.Lost"));
        assertThat(UserFunctions.load(List.of(jar("empty.jar"))).problems())
                .singleElement()
                .satisfies(p -> assertThat(p).contains("META-INF/services"));
        assertThat(UserFunctions.load(List.of(folder.resolve("none.jar").toString()))
                        .problems())
                .singleElement()
                .satisfies(p -> assertThat(p).contains("does not exist"));
    }

    @Test
    void verdictsCheckWhatTheyCarry() {
        assertThatThrownBy(() -> Verdict.respond(199, "", new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Verdict.respond(200, "a\r\nb", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Verdict.redirect(304, "/x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Verdict.redirect(302, "/x\n")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Verdict.proceed().withResponseField("Content-Length", "1"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Verdict.proceed().withRequestField("a b", "1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void laterWithOfAVerdictWins() {
        Verdict verdict = Verdict.proceed().withResponseField("X-A", "1").withResponseField("x-a", "2");
        assertThat(verdict.responseEdits().set()).containsOnlyKeys("x-a").containsValue("2");
        assertThat(Verdict.proceed().responseEdits().isEmpty()).isTrue();
    }
}
