package io.weir.server.admin;

import io.weir.server.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a handler answers: always text. Immutable.
 *
 * @param status HTTP status
 * @param contentType with its charset; empty when there is no body
 * @param body all of it, sent as UTF-8
 * @param fields further header fields; length, date, connection and the security fields are added by the listener
 */
public record AdminAnswer(int status, String contentType, String body, List<Field> fields) {
    /** A header field. */
    public record Field(String name, String value) {}

    /** The type of plain answers. */
    public static final String TEXT = "text/plain; charset=utf-8";

    public AdminAnswer {
        fields = List.copyOf(fields);
    }

    public static AdminAnswer text(String text) {
        return of(200, TEXT, text);
    }

    public static AdminAnswer html(String text) {
        return of(200, "text/html; charset=utf-8", text);
    }

    public static AdminAnswer xml(String text) {
        return of(200, "application/xml; charset=utf-8", text);
    }

    public static AdminAnswer json(int status, String text) {
        return of(status, "application/json", text);
    }

    /** One object. */
    public static AdminAnswer json(int status, Consumer<Json> members) {
        return json(status, Json.object(members));
    }

    public static AdminAnswer of(int status, String contentType, String text) {
        return new AdminAnswer(status, contentType, text, List.of());
    }

    /** No body: 204 and the like. */
    public static AdminAnswer empty(int status) {
        return new AdminAnswer(status, "", "", List.of());
    }

    /**
     * A refusal in the form of RFC 9457.
     *
     * @param status 4xx or 5xx
     * @param title what kind of problem
     * @param detail what, where, why and what to do
     */
    public static AdminAnswer problem(int status, String title, String detail) {
        return problem(status, title, detail, _ -> {});
    }

    /** The same with further members. */
    public static AdminAnswer problem(int status, String title, String detail, Consumer<Json> more) {
        return of(
                status,
                "application/problem+json",
                Json.object(j -> more.accept(j.add("type", "about:blank")
                        .add("title", title)
                        .add("status", status)
                        .add("detail", detail))));
    }

    /** The same answer with one more header field. */
    public AdminAnswer with(String name, String value) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, value));
        return new AdminAnswer(status, contentType, body, more);
    }
}
