package io.weir.lab.hostile;

import io.weir.lab.scenario.Text;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A request of HTTP/2 that would be another, or more than one, once it is written down for HTTP/1, and what Weir does with
 * it. Immutable.
 *
 * @param verdict as {@code http2.txt} says
 * @param frames of its stream, in their written form
 */
record StreamAttack(String name, List<String> verdict, List<String> frames) {
    private static final String RESET = "reset";

    /** All of the table. */
    static List<StreamAttack> all() throws IOException {
        List<StreamAttack> attacks = new ArrayList<>();
        for (String line : Attack.lines("http2.txt")) {
            String[] columns = line.split(" :: ", 4);
            List<String> frames = new ArrayList<>(List.of("fields " + columns[2]));
            if (columns.length > 3) {
                frames.addAll(Arrays.asList(columns[3].split(" \\+\\+ ", -1)));
            }
            attacks.add(new StreamAttack(columns[0], Arrays.asList(columns[1].split(" ", -1)), List.copyOf(frames)));
        }
        return attacks;
    }

    /** The same with another verdict. */
    StreamAttack judged(String... words) {
        return new StreamAttack(name, List.of(words), frames);
    }

    /** Whether the client takes its request back: no answer comes. */
    boolean takenBack() {
        return frames.getLast().equals(RESET);
    }

    /** The attack on stream 1 and behind it the marker on stream 3. */
    byte[] sent(String path, String scheme) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < frames.size(); i++) {
            String[] words = frames.get(i).split(" ", 2);
            String rest = words.length == 1 ? "" : words[1];
            boolean last = i == frames.size() - 1;
            out.writeBytes(
                    switch (words[0]) {
                        case "fields" -> StreamClient.head(1, last, lines(rest, path, scheme));
                        case "data" -> StreamClient.data(1, last, Text.bytes(filled(rest, path, scheme)));
                        case RESET -> StreamClient.cancel(1);
                        default -> throw new IllegalArgumentException(frames.get(i));
                    });
        }
        out.writeBytes(marker(path, scheme));
        return out.toByteArray();
    }

    private static byte[] marker(String path, String scheme) {
        return StreamClient.head(
                3,
                true,
                lines("@GET", path, scheme).stream()
                        .map(l -> l.endsWith("/one") ? l.substring(0, l.length() - 3) + "marker" : l)
                        .toList());
    }

    /** What the origin may see when Weir is the first to read it; a {@code ?} at the end: or may not. */
    List<String> seen(String path) {
        return verdict.stream()
                .filter(w -> w.startsWith("one"))
                .map(w -> filled(w, path, ""))
                .toList();
    }

    /** How the stream of the attack may end, as a pattern. */
    String status() {
        String word = verdict.getLast();
        return word.endsWith("?") ? "200|reset" : word.startsWith("one") ? "200" : word;
    }

    private static List<String> lines(String fields, String path, String scheme) {
        String head = ";:scheme: {s};:authority: a.test;:path: {p}/one";
        String all = fields.replaceFirst("^@([A-Z]+)", ":method: $1" + head);
        return Arrays.asList(filled(all, path, scheme).split(";", -1));
    }

    private static String filled(String text, String path, String scheme) {
        String smuggled = "GET " + path + "/smuggled HTTP/1.1\\r\\nHost: a.test\\r\\n\\r\\n";
        int length = Text.bytes(smuggled).length;
        return text.replace("{p}", path)
                .replace("{s}", scheme)
                .replace("{L}", Integer.toString(length))
                .replace("{X}", Integer.toHexString(length))
                .replace("{C}", Integer.toString(length + 5))
                .replace("{}", "")
                .replace("|", "\\r\\n")
                .replace("{S}", smuggled);
    }
}
