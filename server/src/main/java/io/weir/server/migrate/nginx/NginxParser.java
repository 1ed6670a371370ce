package io.weir.server.migrate.nginx;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@code nginx.conf} and what it includes, at most {@link SourceFile#MAX_FILES} files. After a mistake it goes on
 * behind the next semicolon or brace. Used once.
 */
final class NginxParser {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_DIRECTIVES = 200_000;

    /**
     * A directive with its arguments.
     *
     * @param block what stands in its braces; null: it has none
     */
    record Directive(
            String name, List<String> arguments, @Nullable List<Directive> block, Place at) {
        Directive {
            arguments = List.copyOf(arguments);
        }

        /** The argument at that position, or an empty text. */
        String argument(int i) {
            return i < arguments.size() ? arguments.get(i) : "";
        }

        /** As written, without its block. */
        String text() {
            return arguments.isEmpty() ? name : name + " " + String.join(" ", arguments);
        }
    }

    private final Findings findings;
    private final Path folder;
    private final Deque<Path> reading = new ArrayDeque<>();
    private int files;
    private int directives;
    private int depth;

    /** @param folder against which includes are resolved */
    NginxParser(Findings findings, Path folder) {
        this.findings = findings;
        this.folder = folder;
    }

    /** The directives of a text. */
    List<Directive> read(Path file, String text) {
        reading.push(file.toAbsolutePath().normalize());
        files++;
        NginxTokens tokens = new NginxTokens(file.toString(), text);
        List<Directive> all = new ArrayList<>();
        block(tokens, all, null);
        reading.pop();
        return all;
    }

    /** Reads directives up to the closing brace, or to the end if none is open. */
    private void block(NginxTokens tokens, List<Directive> into, @Nullable Place opened) {
        List<String> words = new ArrayList<>();
        Place at = tokens.place();
        while (!findings.full()) {
            NginxTokens.Token t = tokens.next();
            at = words.isEmpty() ? t.at() : at;
            switch (t.kind()) {
                case WORD -> words.add(t.text());
                case WRONG -> findings.problem(t.at(), t.text());
                case SEMICOLON -> {
                    directive(words, at, null, into);
                    words.clear();
                }
                case OPEN -> {
                    List<Directive> inner = new ArrayList<>();
                    nested(tokens, inner, t.at());
                    directive(words, at, inner, into);
                    words.clear();
                }
                case CLOSE, END -> {
                    ended(t, words, opened);
                    if (t.kind() == NginxTokens.Kind.END || opened != null) {
                        return;
                    }
                    words.clear();
                }
            }
        }
    }

    private void nested(NginxTokens tokens, List<Directive> inner, Place at) {
        if (++depth > MAX_DEPTH) {
            findings.problem(at, "blocks are nested too deeply: at most " + MAX_DEPTH + " levels");
            tokens.skipAll();
        } else {
            block(tokens, inner, at);
        }
        depth--;
    }

    private void ended(NginxTokens.Token t, List<String> words, @Nullable Place opened) {
        boolean end = t.kind() == NginxTokens.Kind.END;
        if (!words.isEmpty()) {
            findings.problem(
                    t.at(),
                    "expected \";\" after \"" + words.getLast() + "\", found "
                            + (end ? "the end of the file" : "\"}\""));
        } else if (end && opened != null) {
            findings.problem(opened, "this \"{\" has no \"}\"");
        } else if (!end && opened == null) {
            findings.problem(t.at(), "this \"}\" closes nothing that is open");
        }
    }

    private void directive(List<String> words, Place at, @Nullable List<Directive> block, List<Directive> into) {
        if (words.isEmpty()) {
            findings.problem(at, "expected the name of a directive, found " + (block == null ? "\";\"" : "\"{\""));
            return;
        }
        if (++directives > MAX_DIRECTIVES) {
            if (directives == MAX_DIRECTIVES + 1) {
                findings.problem(at, "more than " + MAX_DIRECTIVES + " directives");
            }
            return;
        }
        List<String> arguments = words.subList(1, words.size());
        if (words.getFirst().equals("include") && block == null) {
            include(arguments, at, into);
        } else {
            into.add(new Directive(words.getFirst(), arguments, block, at));
        }
    }

    private void include(List<String> arguments, Place at, List<Directive> into) {
        if (arguments.size() != 1) {
            findings.problem(at, "include has one argument, found " + arguments.size());
            return;
        }
        String pattern = arguments.getFirst();
        try {
            List<Path> found = SourceFile.included(folder.resolve(pattern));
            boolean wild = pattern.indexOf('*') >= 0 || pattern.indexOf('?') >= 0 || pattern.indexOf('[') >= 0;
            if (found.isEmpty() && !wild) {
                findings.problem(at, "include " + pattern + ": there is no such file");
            }
            for (Path file : found) {
                include(file, at, into);
            }
        } catch (IOException | InvalidPathException e) {
            findings.problem(at, "include " + pattern + ": cannot be read");
        }
    }

    private void include(Path file, Place at, List<Directive> into) throws IOException {
        if (reading.contains(file.toAbsolutePath().normalize())) {
            findings.problem(at, "include " + file + ": the file includes itself");
        } else if (reading.size() > SourceFile.MAX_NESTED) {
            findings.problem(
                    at, "include " + file + ": files include each other too deeply, at most " + SourceFile.MAX_NESTED);
        } else if (files >= SourceFile.MAX_FILES || Files.size(file) > SourceFile.MAX) {
            findings.problem(
                    at,
                    "include " + file + ": at most " + SourceFile.MAX_FILES + " files of " + SourceFile.MAX
                            + " bytes are read");
        } else {
            into.addAll(read(file, SourceFile.text(file)));
        }
    }
}
