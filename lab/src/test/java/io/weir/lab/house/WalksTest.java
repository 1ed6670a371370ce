package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The walks of a request, a message and a singleton name classes as they are now: of their own rooms, with a file each. */
@Tag("slow")
class WalksTest {
    /** A class's name between back quotes, alone, with its package's last words, or with a method; no name of a pool. */
    private static final Pattern NAMED =
            Pattern.compile("`(?!weir\\.)((?:[a-z0-9]+\\.)*)([A-Z][a-z]\\w*)(?:\\.\\w+)?(?:\\(\\))?`");

    /** The pages and the rooms that they are about; none: all. A name that another room has, too, is not enough. */
    private static final Map<String, Set<String>> PAGES = Map.of(
            "life-of-a-request.md", Set.of("http", "kernel", "proxy"),
            "life-of-a-message.md", Set.of("broker", "jms", "wire"),
            "life-of-a-singleton.md", Set.of("cluster"),
            "hot-paths.md", Set.of(),
            "quality-of-service.md", Set.of());

    /** The files of classes, from the root. */
    private static List<String> classes() {
        return House.sources().stream()
                .map(f -> House.root().relativize(f).toString().replace('\\', '/'))
                .toList();
    }

    /** The names in a text that no file of the rooms has; words before a name are folders of that file. */
    private static Set<String> missing(String text, Set<String> rooms, List<String> classes) {
        Set<String> missing = new TreeSet<>();
        Matcher m = NAMED.matcher(text);
        while (m.find()) {
            String file = "/" + m.group(2) + ".java";
            List<String> folders = List.of(m.group(1).split("\\."));
            boolean there = classes.stream()
                    .filter(c -> c.endsWith(file))
                    .map(c -> List.of(c.split("/")))
                    .filter(c -> rooms.isEmpty() || rooms.contains(c.getFirst()))
                    .anyMatch(c -> m.group(1).isEmpty() || c.containsAll(folders));
            if (!there) {
                missing.add(m.group(1) + m.group(2));
            }
        }
        return missing;
    }

    @TestFactory
    List<DynamicTest> eachClassOfTheWalksIsThere() {
        List<String> classes = classes();
        return PAGES.entrySet().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page.getKey(),
                        () -> assertThat(missing(
                                        Files.readString(
                                                House.root().resolve("docs").resolve(page.getKey())),
                                        page.getValue(),
                                        classes))
                                .isEmpty()))
                .toList();
    }

    @Test
    void everyWalkIsChecked() throws IOException {
        try (Stream<Path> files = Files.list(House.root().resolve("docs"))) {
            assertThat(files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith("life-of-")))
                    .isSubsetOf(PAGES.keySet());
        }
    }

    @Test
    void aNameThatIsGoneIsFound() {
        assertThat(missing("`PendingList` waits in `queue.MessageQueue`, `Exchange.go()`", Set.of(), classes()))
                .containsExactly("PendingList");
    }

    /** Nested classes, classes of other rooms and of other packages do not make a name right. */
    @Test
    void aNameThatOnlyAnotherRoomHasIsFound() {
        assertThat(missing(
                        "`Memory`, `Recovery`, `quota.MessageMemory`, `store.MessageMemory`",
                        Set.of("broker"),
                        classes()))
                .containsExactly("Memory", "Recovery", "store.MessageMemory");
    }
}
