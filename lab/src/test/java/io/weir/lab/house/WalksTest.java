package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walks of a request, a message and a singleton name classes as they are now. */
@Tag("slow")
class WalksTest {
    /** A class's name between back quotes, alone, with its package's last words, or with a method. */
    private static final Pattern NAMED = Pattern.compile("`(?:[a-z]+\\.)?([A-Z][a-z]\\w*)(?:\\.\\w+)?(?:\\(\\))?`");

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w+)");

    private static Set<String> declared() throws IOException {
        Set<String> names = new HashSet<>();
        for (Path file : House.sources()) {
            Matcher m = DECLARED.matcher(Files.readString(file));
            while (m.find()) {
                names.add(m.group(1));
            }
        }
        return names;
    }

    private static Set<String> missing(String text, Set<String> declared) {
        Set<String> missing = new TreeSet<>();
        Matcher m = NAMED.matcher(text);
        while (m.find()) {
            if (!declared.contains(m.group(1))) {
                missing.add(m.group(1));
            }
        }
        return missing;
    }

    @Test
    void eachClassOfTheWalksIsThere() throws IOException {
        Set<String> declared = declared();
        try (Stream<Path> files = Files.list(House.root().resolve("docs"))) {
            List<Path> walks = files.filter(f -> f.getFileName()
                            .toString()
                            .matches("life-of-.*\\.md|hot-paths\\.md|quality-of-service\\.md"))
                    .toList();
            assertThat(walks).hasSizeGreaterThan(4);
            for (Path walk : walks) {
                assertThat(missing(Files.readString(walk), declared))
                        .as(walk.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void aNameThatIsGoneIsFound() throws IOException {
        assertThat(missing("`PendingList` waits in `queue.MessageQueue`, `Exchange.go()`", declared()))
                .containsExactly("PendingList");
    }
}
