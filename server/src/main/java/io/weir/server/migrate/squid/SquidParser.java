package io.weir.server.migrate.squid;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Reads a {@code squid.conf} and what it includes: a directive a line, comments, lines that a backslash continues. Used once.
 */
final class SquidParser {
    private static final int MAX_FILES = 100;
    private static final int MAX_DIRECTIVES = 200_000;

    /** A directive with its words. */
    record Directive(String name, List<String> words, Place at) {
        Directive {
            words = List.copyOf(words);
        }

        /** The word at that position, or an empty text. */
        String word(int i) {
            return i < words.size() ? words.get(i) : "";
        }

        String text() {
            return words.isEmpty() ? name : name + " " + String.join(" ", words);
        }

        /** All words with blanks between them. */
        String rest(int from) {
            return String.join(" ", words.subList(Math.min(from, words.size()), words.size()));
        }
    }

    private final Findings findings;
    private final Path folder;
    private final Deque<Path> reading = new ArrayDeque<>();
    private final List<Directive> all = new ArrayList<>();
    private int files;

    SquidParser(Findings findings, Path folder) {
        this.findings = findings;
        this.folder = folder;
    }

    List<Directive> read(Path file, String text) {
        reading.push(file.toAbsolutePath().normalize());
        files++;
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length && !findings.full(); i++) {
            int from = i;
            StringBuilder line = new StringBuilder(lines[i]);
            while (!line.isEmpty() && line.charAt(line.length() - 1) == '\\' && i + 1 < lines.length) {
                line.setLength(line.length() - 1);
                line.append(' ').append(lines[++i].strip());
            }
            line(line.toString(), new Place(file.toString(), from + 1, column(lines[from])));
        }
        reading.pop();
        return all;
    }

    private static int column(String line) {
        int n = 0;
        while (n < line.length() && Character.isWhitespace(line.charAt(n))) {
            n++;
        }
        return n + 1;
    }

    private void line(String written, Place at) {
        String line = written.strip();
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        List<String> words = new ArrayList<>(Arrays.asList(line.split("\\s+", -1)));
        int comment = comment(words);
        if (comment >= 0) {
            words.subList(comment, words.size()).clear();
        }
        String name = words.getFirst();
        if (!name.matches("[a-z_][a-z0-9_]*")) {
            findings.problem(at, "expected a directive such as http_access, found \"" + name + "\"");
        } else if (List.of("if", "else", "endif").contains(name)) {
            findings.problem(at, name + ": conditional lines are not read; write the lines that apply");
        } else if (all.size() >= MAX_DIRECTIVES) {
            findings.problem(at, "more than " + MAX_DIRECTIVES + " directives");
        } else if (name.equals("include")) {
            words.subList(1, words.size()).forEach(f -> include(f, at));
        } else {
            all.add(new Directive(name, words.subList(1, words.size()), at));
        }
    }

    /** Where a comment begins; expressions and formats may contain its sign. */
    private static int comment(List<String> words) {
        boolean literal = List.of("acl", "refresh_pattern", "logformat").contains(words.getFirst());
        for (int i = 1; i < words.size(); i++) {
            if (words.get(i).startsWith("#") && !(literal && words.get(i).length() > 1)) {
                return i;
            }
        }
        return -1;
    }

    private void include(String pattern, Place at) {
        try {
            List<Path> found = SourceFile.included(folder.resolve(pattern.replace("\"", "")));
            if (found.isEmpty() && pattern.indexOf('*') < 0) {
                findings.problem(at, "include " + pattern + ": there is no such file");
            }
            for (Path file : found) {
                if (reading.contains(file.toAbsolutePath().normalize())) {
                    findings.problem(at, "include " + file + ": the file includes itself");
                } else if (reading.size() > SourceFile.MAX_NESTED) {
                    findings.problem(
                            at,
                            "include " + file + ": files include each other too deeply, at most "
                                    + SourceFile.MAX_NESTED);
                } else if (files >= MAX_FILES || Files.size(file) > SourceFile.MAX) {
                    findings.problem(at, "include " + file + ": at most " + MAX_FILES + " files are read");
                } else {
                    read(file, SourceFile.text(file));
                }
            }
        } catch (IOException | java.nio.file.InvalidPathException e) {
            findings.problem(at, "include " + pattern + ": cannot be read");
        }
    }
}
