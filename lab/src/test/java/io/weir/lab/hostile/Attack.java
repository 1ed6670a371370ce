package io.weir.lab.hostile;

import io.weir.lab.scenario.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * An ambiguous request and what Weir does with it when it is the first to read it. Immutable.
 *
 * @param verdict as {@code requests.txt} says
 * @param bytes in their written form
 */
record Attack(String name, List<String> verdict, String bytes) {
    private static final String COLUMN = " :: ";

    /** All of the tables. */
    static List<Attack> all() throws IOException {
        List<Attack> attacks = new ArrayList<>();
        for (String line : lines("requests.txt")) {
            String[] columns = line.split(COLUMN, 3);
            attacks.add(new Attack(columns[0], Arrays.asList(columns[1].split(" ", -1)), columns[2]));
        }
        for (String line : lines("lengths.txt")) {
            String[] columns = line.split(" :: ?", 2);
            spelled(columns[0], columns[1], attacks);
        }
        return attacks;
    }

    private static void spelled(String kind, String spelling, List<Attack> attacks) {
        List<String> refused = List.of("refused");
        String head = "POST {p}/one HTTP/1.1|{h}|";
        String length = "Content-Length: {C}|";
        if (kind.equals("LENGTH")) {
            attacks.add(new Attack(spelling, refused, head + spelling + "||{S}"));
            return;
        }
        String tail = "|0||{S}";
        attacks.add(new Attack(spelling, refused, head + spelling + "|" + tail));
        attacks.add(new Attack(spelling + " behind a length", refused, head + length + spelling + "|" + tail));
        attacks.add(new Attack(
                spelling + " before a length", refused, head + spelling + "|Content-Length: 4||{X}|{S}|0||"));
    }

    /** Lines of a table that are no comments. */
    static List<String> lines(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(Attack.class.getResourceAsStream("/hostile/" + file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.isBlank() && !l.startsWith("#"))
                    .toList();
        }
    }

    /** The same with another verdict. */
    Attack judged(String... words) {
        return new Attack(name, List.of(words), bytes);
    }

    /** What is sent, the marker behind it included. */
    byte[] sent(String path) {
        return Text.bytes(filled(bytes + "GET {p}/marker HTTP/1.1|{h}|Connection: close||", path));
    }

    /** What the origin sees when Weir is the first to read it: ends of targets with the lengths of their bodies. */
    List<String> seen(String path) {
        List<String> seen = new ArrayList<>();
        for (String word : verdict) {
            if (!ends(word) && !word.endsWith("+")) {
                seen.add(filled(word, path));
            }
        }
        if (!refused()) {
            seen.add("marker");
        }
        return seen;
    }

    /** Whether the connection ends before the marker is read. */
    boolean refused() {
        return ends(verdict.getLast());
    }

    /** A status, or any; 0 for an end without an answer. */
    private static boolean ends(String word) {
        return word.equals("refused") || word.matches("\\d{3}|0|none");
    }

    /** Statuses of the answers that the client gets, {@code 4xx or 5xx} as {@code refused}. */
    List<String> statuses() {
        List<String> statuses = new ArrayList<>();
        for (String word : verdict) {
            if (!word.equals("0")) {
                statuses.add(ends(word) || word.endsWith("+") ? word.replace("+", "") : "200");
            }
        }
        if (!refused()) {
            statuses.add("200");
        }
        return statuses;
    }

    private static String filled(String text, String path) {
        String smuggled = "GET " + path + "/smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n";
        return text.replace("{p}", path)
                .replace("{h}", "Host: a.test")
                .replace("{L}", Integer.toString(smuggled.length()))
                .replace("{X}", Integer.toHexString(smuggled.length()))
                .replace("{C}", Integer.toString(smuggled.length() + 5))
                .replace("|", "\\r\\n")
                .replace("{S}", smuggled);
    }
}
