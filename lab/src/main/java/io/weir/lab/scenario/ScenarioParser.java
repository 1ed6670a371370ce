package io.weir.lab.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the grammar of {@code scenarios/README.md}: lines and blocks by indentation, nothing else. Confined to a
 * thread.
 */
public final class ScenarioParser {
    private static final Set<String> STEPS = Set.of(
            "origin", "client", "join", "counter", "log", "file", "refuses", "stop", "kill", "restart", "exited",
            "signal", "await", "until", "write");
    private static final Pattern SAMPLE = Pattern.compile("\\.(conf|xml|yaml|html|url|pac)$");
    private final Path root;
    private final String name;
    private final List<String> raw;
    private String about = "";
    private final Set<String> tags = new HashSet<>();
    private @Nullable String config;
    private final List<String> sets = new ArrayList<>();
    private final Map<String, String> files = new HashMap<>();
    private final List<String> origins = new ArrayList<>();
    private final List<Line> steps = new ArrayList<>();
    private int at;

    private ScenarioParser(Path root, String name, List<String> raw) {
        this.root = root;
        this.name = name;
        this.raw = raw;
    }

    /**
     * Reads a file below the scenarios folder.
     *
     * @throws ScenarioFailure with file and line if it cannot be parsed
     */
    public static Scenario parse(Path root, Path file) {
        String name = root.relativize(file).toString().replace(".scn", "");
        return parse(root, name, read(file));
    }

    /** Parses a scenario from text; shared configurations are in {@code root/config}. */
    public static Scenario parse(Path root, String name, String text) {
        return new ScenarioParser(root, name, text.lines().toList()).scenario();
    }

    private Scenario scenario() {
        while (at < raw.size()) {
            if (skippable(raw.get(at))) {
                at++;
            } else {
                topLevel();
            }
        }
        if (about.isEmpty()) {
            throw bad(1, "an `about` line with the sentence that the scenario proves is missing");
        }
        return new Scenario(name, about, tags, config, sets, files, origins, steps);
    }

    private void topLevel() {
        int number = at + 1;
        String text = raw.get(at).strip();
        if (indent(raw.get(at)) != 0) {
            throw bad(number, "unexpected indentation");
        }
        Line head = new Line(number, text, List.of());
        switch (head.word()) {
            case "about" -> {
                about = head.rest();
                at++;
            }
            case "tags" -> {
                tags.addAll(List.of(head.rest().split("\\s+", -1)));
                at++;
            }
            case "set" -> {
                sets.add(head.rest());
                at++;
            }
            case "config" -> {
                config = read(root.resolve("config").resolve(head.rest() + ".yaml"));
                at++;
            }
            case "config:" -> {
                at++;
                config = verbatim();
            }
            case "sample" -> {
                sample(head);
                at++;
            }
            case "with" -> {
                if (!text.endsWith(":")) {
                    throw bad(number, "`with NAME:` has the file's text below it");
                }
                at++;
                files.put(head.rest().substring(0, head.rest().length() - 1).strip(), verbatim());
            }
            default -> step(head);
        }
    }

    /**
     * {@code sample NAME [PORT=ORIGIN ...]}: its files as they are, but for the origins' ports and the folder, which is
     * the scenario's own. What its user makes for himself, jars and keys, is left out.
     */
    private void sample(Line head) {
        String[] words = head.rest().split("\\s+", -1);
        Path folder = root.resolveSibling("samples").resolve(words[0]);
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file :
                    all.filter(f -> SAMPLE.matcher(f.toString()).find()).toList()) {
                String text = read(file).replace("samples/" + words[0] + "/", "${folder}/");
                for (String word : List.of(words).subList(1, words.length)) {
                    String[] port = word.split("=", 2);
                    String written = "127.0.0.1:" + port[0];
                    text = text.replace(written, "127.0.0.1:${" + port[1] + "}");
                }
                files.put(String.valueOf(file.getFileName()), text);
            }
        } catch (IOException e) {
            throw bad(head.number(), "cannot list " + folder);
        }
        config = files.remove("weir.yaml");
    }

    private void step(Line head) {
        if (!STEPS.contains(head.word())) {
            throw bad(head.number(), "unknown step `" + head.word() + "`");
        }
        if (head.word().equals("origin")) {
            origins.add(head.rest().replace(":", "").strip().split("\\s+", -1)[0]);
        }
        steps.add(block(0));
    }

    /** The line at {@code at} with all deeper lines below it. */
    private Line block(int indent) {
        int number = at + 1;
        String text = raw.get(at++).strip();
        List<Line> children = new ArrayList<>();
        int childIndent = -1;
        while (at < raw.size()) {
            if (skippable(raw.get(at))) {
                at++;
                continue;
            }
            int next = indent(raw.get(at));
            if (next <= indent) {
                break;
            }
            if (childIndent >= 0 && next != childIndent) {
                throw bad(at + 1, "uneven indentation");
            }
            childIndent = next;
            children.add(block(next));
        }
        if (!children.isEmpty() && !text.endsWith(":")) {
            throw bad(number, "a line with a block below it ends with a colon");
        }
        return new Line(
                number,
                children.isEmpty() ? text : text.substring(0, text.length() - 1).strip(),
                children);
    }

    /** Lines below {@code config:}, their common indentation removed. */
    private String verbatim() {
        List<String> lines = new ArrayList<>();
        while (at < raw.size() && (raw.get(at).isBlank() || indent(raw.get(at)) > 0)) {
            lines.add(raw.get(at++));
        }
        return String.join("\n", lines).stripTrailing().stripIndent() + "\n";
    }

    private static boolean skippable(String line) {
        String text = line.strip();
        return text.isEmpty() || text.startsWith("#");
    }

    private static int indent(String line) {
        int i = 0;
        while (i < line.length() && line.charAt(i) == ' ') {
            i++;
        }
        return i;
    }

    private ScenarioFailure bad(int line, String what) {
        return new ScenarioFailure(name + ":" + line + ": " + what);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ScenarioFailure("cannot read " + file, e);
        }
    }
}
