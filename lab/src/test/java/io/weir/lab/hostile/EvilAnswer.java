package io.weir.lab.hostile;

import io.weir.lab.scenario.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An ambiguous answer and what Weir gives a client for it. Immutable.
 *
 * @param verdict as {@code answers.txt} says
 */
record EvilAnswer(String name, String verdict, String text) {
    private static final String SMUGGLED = "HTTP/1.1 200 OK\r\nX-Seen: /smuggled\r\nContent-Length: 3\r\n\r\nbad";

    /** All of the tables; what is refused of requests is refused of answers. */
    static List<EvilAnswer> all() throws IOException {
        List<EvilAnswer> all = new ArrayList<>();
        for (String line : Attack.lines("answers.txt")) {
            String[] columns = line.split(" :: ", 3);
            all.add(of(columns[0], columns[1], columns[2]));
        }
        for (String line : Attack.lines("lengths.txt")) {
            String[] columns = line.split(" :: ?", 2);
            String body = columns[0].equals("CODING") ? "0||{S}" : "{S}";
            all.add(of(columns[1], "502", "HTTP/1.1 200 OK|" + columns[1] + "||" + body));
        }
        return all;
    }

    /** As it is sent. */
    byte[] bytes() {
        return Text.bytes(text);
    }

    private static EvilAnswer of(String name, String verdict, String text) {
        return new EvilAnswer(name, filled(verdict), filled(text));
    }

    private static String filled(String text) {
        return text.replace("{L}", Integer.toString(SMUGGLED.length()))
                .replace("{X}", Integer.toHexString(SMUGGLED.length()))
                .replace("{C}", Integer.toString(SMUGGLED.length() + 5))
                .replace("|", "\\r\\n")
                .replace("{S}", SMUGGLED);
    }
}
