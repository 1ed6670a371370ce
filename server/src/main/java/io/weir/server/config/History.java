package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.base.TextFile;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The applied configurations with number, time and author, in a file each in {@code data/history}. Confined to the
 * thread that applies configurations; the command line reads the same files.
 */
public final class History {
    /** The folder's name in the data directory. */
    public static final String FOLDER = "history";

    /**
     * One applied configuration.
     *
     * @param number counts from 1
     * @param time when it was applied, ISO 8601, UTC
     * @param author who applied it
     * @param what the keys that changed, or how the server was started
     */
    public record Entry(int number, String time, String author, String what) {}

    /** There is no entry with that number, or no longer. */
    public static final class Missing extends IOException {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }

    private final Path folder;

    public History(Path dataDir) {
        this.folder = dataDir.resolve(FOLDER);
    }

    /** All entries, oldest first. */
    public List<Entry> entries() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<Integer, Path> e : files().entrySet()) {
            try {
                entries.add(header(e.getKey(), lines(e.getValue())));
            } catch (NoSuchFileException _) {
                // a change dropped it while earlier entries were being read
            }
        }
        return entries;
    }

    /** The last entry, or null if there is none. */
    public @Nullable Entry last() throws IOException {
        NavigableMap<Integer, Path> files = files();
        return files.isEmpty()
                ? null
                : header(files.lastKey(), lines(files.lastEntry().getValue()));
    }

    /**
     * The number of the last entry before the given one, which need not be the next lower number; 0 if there is none.
     */
    public int before(int number) throws IOException {
        Integer before = files().lowerKey(number);
        return before == null ? 0 : before;
    }

    /** The number of the last entry; 0 if there is none, or it is unknown. */
    int lastNumber() {
        try {
            NavigableMap<Integer, Path> files = files();
            return files.isEmpty() ? 0 : files.lastKey();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /**
     * The configuration of an entry.
     *
     * @throws Missing if there is no entry with that number
     * @throws IOException if its file cannot be read, or is damaged
     */
    public ConfigNode.Mapping read(int number) throws IOException {
        Path file = files().get(number);
        if (file == null) {
            throw missing(number);
        }
        String text;
        try {
            text = String.join("\n", lines(file)) + "\n";
        } catch (NoSuchFileException e) {
            throw missing(number);
        }
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping tree = Yaml.read(file.toString(), text, problems);
        if (!problems.isEmpty()) {
            throw new IOException("the entry is damaged: " + problems.getFirst());
        }
        return tree;
    }

    private Missing missing(int number) {
        return new Missing("there is no configuration " + number + " in " + folder);
    }

    /**
     * Adds an entry and drops the oldest beyond the limit; nothing is added if the configuration equals the last one.
     *
     * @param after the number of the previous configuration, which may not have been kept
     * @return the number of the configuration's entry
     */
    public int append(ConfigNode.Mapping tree, long millis, String author, String what, int limit, int after)
            throws IOException {
        NavigableMap<Integer, Path> files = files();
        String body = YamlText.of(tree);
        int last = files.isEmpty() ? 0 : files.lastKey();
        if (last >= after && last > 0 && body(files.lastEntry().getValue()).equals(body)) {
            return last;
        }
        int number = Math.max(last, after) + 1;
        String text = "# time: " + Instant.ofEpochMilli(millis) + "\n# author: " + oneLine(author) + "\n# what: "
                + oneLine(what) + "\n" + body;
        PrivateFiles.write(folder.resolve(String.format(Locale.ROOT, "%06d.yaml", number)), text);
        while (files.size() + 1 > limit) {
            Files.deleteIfExists(files.pollFirstEntry().getValue());
        }
        return number;
    }

    /** The differences between two configurations: {@code - key: value} and {@code + key: value} lines. */
    public static List<String> diff(ConfigNode.Mapping from, ConfigNode.Mapping to) {
        Map<String, ConfigNode> a = Overlay.leaves(from);
        Map<String, ConfigNode> b = Overlay.leaves(to);
        TreeMap<String, List<String>> lines = new TreeMap<>();
        a.forEach((key, value) -> {
            ConfigNode other = b.get(key);
            if (other == null || !Overlay.content(other).equals(Overlay.content(value))) {
                lines.computeIfAbsent(key, _ -> new ArrayList<>())
                        .add("- " + key + ": " + TextFile.shown(Overlay.content(value)));
            }
        });
        b.forEach((key, value) -> {
            ConfigNode other = a.get(key);
            if (other == null || !Overlay.content(other).equals(Overlay.content(value))) {
                lines.computeIfAbsent(key, _ -> new ArrayList<>())
                        .add("+ " + key + ": " + TextFile.shown(Overlay.content(value)));
            }
        });
        return lines.values().stream().flatMap(List::stream).toList();
    }

    private NavigableMap<Integer, Path> files() throws IOException {
        NavigableMap<Integer, Path> found = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> list = Files.list(folder)) {
                list.forEach(p -> {
                    String name = p.getFileName().toString();
                    if (name.matches("\\d{6,9}\\.yaml")) {
                        found.put(Integer.parseInt(name, 0, name.indexOf('.'), 10), p);
                    }
                });
            }
        }
        return found;
    }

    /** The lines of an existing file; a failure to read it has its name. */
    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("the configuration kept in " + file + " cannot be read: " + IoReason.ofFile(e), e);
        }
    }

    private static Entry header(int number, List<String> lines) {
        return new Entry(number, field(lines, "time"), field(lines, "author"), field(lines, "what"));
    }

    private static String field(List<String> lines, String name) {
        String start = "# " + name + ": ";
        return lines.stream()
                .limit(10)
                .filter(l -> l.startsWith(start))
                .map(l -> l.substring(start.length()))
                .findFirst()
                .orElse("");
    }

    private static String body(Path file) throws IOException {
        StringBuilder b = new StringBuilder();
        for (String line : lines(file)) {
            if (!line.startsWith("# ")) {
                b.append(line).append('\n');
            }
        }
        return b.toString();
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
