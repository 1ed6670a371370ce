package io.weir.lab.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A scenario's expectations of a received message. Stateless; each check throws a {@link ScenarioFailure} with expected
 * and actual value.
 */
final class Checks {
    private Checks() {}

    /** {@code = text}, {@code ~ regex}, {@code !~ regex}, {@code != text} or a numeric {@code >= <= > <}. */
    static void compare(String what, @Nullable String actual, String operator, String expected) {
        if (actual == null) {
            throw new ScenarioFailure(what + " is absent; expected " + operator + " " + expected);
        }
        boolean holds = switch (operator) {
            case "=" -> actual.equals(expected);
            case "!=" -> !actual.equals(expected);
            case "~" ->
                Pattern.compile(expected, Pattern.DOTALL).matcher(actual).find();
            case "!~" ->
                !Pattern.compile(expected, Pattern.DOTALL).matcher(actual).find();
            case ">=", "<=", ">", "<" -> ordered(Double.parseDouble(actual), operator, Double.parseDouble(expected));
            default -> throw new ScenarioFailure("unknown operator `" + operator + "`");
        };
        if (!holds) {
            throw new ScenarioFailure(
                    what + " is `" + shown(actual) + "`; expected " + operator + " `" + expected + "`");
        }
    }

    static boolean ordered(double a, String operator, double b) {
        return switch (operator) {
            case "=" -> a == b;
            case ">=" -> a >= b;
            case "<=" -> a <= b;
            case ">" -> a > b;
            case "<" -> a < b;
            default -> throw new ScenarioFailure("unknown operator `" + operator + "`");
        };
    }

    /** {@code NAME absent | NAME present | NAME count N | NAME op value}; several values are joined with a comma. */
    static void header(ScenarioMessage message, String text) {
        fields(message.fields, "header", text);
    }

    static void trailer(ScenarioMessage message, String text) throws IOException {
        fields(message.body().trailers, "trailer", text);
    }

    private static void fields(List<ScenarioMessage.Field> fields, String kind, String text) {
        String[] parts = text.split("\\s+", 3);
        String what = kind + " " + parts[0];
        List<String> values = fields.stream()
                .filter(f -> f.name().equalsIgnoreCase(parts[0]))
                .map(ScenarioMessage.Field::value)
                .toList();
        String operator = parts.length > 1 ? parts[1] : "present";
        switch (operator) {
            case "absent" -> demand(values.isEmpty(), what + " is there: " + values);
            case "present" -> demand(!values.isEmpty(), what + " is absent in " + fields);
            case "count" ->
                demand(
                        values.size() == Integer.parseInt(parts[2]),
                        what + " is there " + values.size() + " times: " + values);
            default ->
                compare(
                        what,
                        values.isEmpty() ? null : String.join(", ", values),
                        operator,
                        parts.length > 2 ? parts[2] : "");
        }
    }

    /** {@code empty | size N | fill N | sha256 HEX | op text}. */
    static void body(ScenarioMessage message, String text) throws IOException {
        Body body = message.body();
        String[] parts = text.split("\\s+", 2);
        String argument = parts.length > 1 ? parts[1] : "";
        switch (parts[0]) {
            case "empty" -> demand(body.size == 0, "body has " + body.size + " bytes: " + shown(latin(body)));
            case "size" ->
                demand(body.size == Text.count(argument), "body has " + body.size + " bytes; expected " + argument);
            case "fill" -> {
                demand(body.size == Text.count(argument), "body has " + body.size + " bytes; expected " + argument);
                demand(body.pattern, "body is not the fill pattern: " + shown(latin(body)));
            }
            case "sha256" -> compare("body's sha256", body.sha256, "=", argument);
            case "=", "!=" ->
                compare("body", latin(body), parts[0], new String(Text.bytes(argument), StandardCharsets.ISO_8859_1));
            default -> compare("body", latin(body), parts[0], argument);
        }
    }

    static void framing(ScenarioMessage message, String expected) {
        compare("framing", message.framing.name().toLowerCase(java.util.Locale.ROOT), "=", expected);
    }

    static void demand(boolean holds, String otherwise) {
        if (!holds) {
            throw new ScenarioFailure(otherwise);
        }
    }

    private static String latin(Body body) {
        return new String(body.kept, StandardCharsets.ISO_8859_1);
    }

    private static String shown(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return Text.show(bytes, 0, bytes.length, 500);
    }
}
