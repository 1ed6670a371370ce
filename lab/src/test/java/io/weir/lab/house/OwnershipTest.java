package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/ownership.md} lists every class whose comment says that threads share it; {@code -Ddocs.write=true} writes
 * the list anew.
 */
class OwnershipTest {
    private static final Path PAGE = House.root().resolve("docs/ownership.md");
    private static final Pattern TYPE = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@[\\w.]+(?:\\([^)]*\\))?\\s*)*"
                    + "(?:(?:public|abstract|final|sealed|non-sealed)\\s+)*(?:class|interface|record|enum)\\s+(\\w+)",
            Pattern.DOTALL);
    private static final String INTRODUCTION = """
            # Ownership

            Every class is immutable, confined to one thread, or shared, and its comment says which. A class that is confined to a
            muxer is touched by that muxer's thread only, from accept to close: connections, exchanges, fetches, origin connections
            and their pools, timers. Immutable are configuration records, heads, the compiled program.

            Two threads talk through a bounded queue or by a task handed to the other's loop; what is refused is counted. There is
            no lock on the way of a hit: it reads a table whose entries are published whole, and retains what it found.

            Buffers: who receives a `ByteBuf` owns it and releases it or hands it on. A queue between loops hands ownership over. A
            stored object owns its memory and lends retained slices, which live on when it is evicted.

            Shared classes, by room (written by `OwnershipTest`, from the first sentence of their comments):

            """;

    @Test
    void everySharedClassIsListed() throws IOException {
        String expected = INTRODUCTION + table();
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(House.text(PAGE))
                .as("docs/ownership.md is stale: mvn -pl lab -am test -Dtest=OwnershipTest -Ddocs.write=true")
                .isEqualTo(expected);
    }

    private static String table() {
        Map<String, String> rows = new TreeMap<>();
        for (Path file : House.sources()) {
            String name = House.name(file);
            Matcher m = TYPE.matcher(House.text(file));
            if (name.contains("/src/main/") && m.find()) {
                String comment =
                        m.group(1).replaceAll("\\s*\\n\\s*\\*\\s?", " ").strip();
                if (comment.matches(".*\\bShared\\b.*")) {
                    String room = name.substring(0, name.indexOf('/'));
                    rows.put(
                            room + " " + m.group(2),
                            "| `" + room + "` | `" + m.group(2) + "` | " + first(comment) + " |\n");
                }
            }
        }
        return "| room | class | what it is |\n|---|---|---|\n" + String.join("", rows.values());
    }

    private static String first(String comment) {
        String plain = comment.replaceAll("\\{@(?:code|link) ([^}]*)}", "$1")
                .replaceAll("<[^>]*>", "")
                .replace("|", "/");
        Matcher end = Pattern.compile("[.:;](?= |$)").matcher(plain);
        return end.find() ? plain.substring(0, end.start()) : plain;
    }
}
