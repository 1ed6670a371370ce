package io.weir.proxy.function;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A function's decision on a request, and its changes. Immutable, shared by any threads: the {@code with} methods
 * return a new verdict.
 *
 * <p>A reason is the label of {@code weir_proxy_faults_total} that counts it, and appears in the problem document that
 * the client gets.
 */
public final class Verdict {
    /** The decision; the exit codes of a server application function in {@code obj.conf}. */
    public enum Kind {
        /** {@link Verdict#proceed()}: {@code REQ_PROCEED}. */
        PROCEED,
        /** {@link Verdict#decline()}: {@code REQ_NOACTION}. */
        DECLINE,
        /** {@link Verdict#refuse()}: {@code REQ_ABORTED}. */
        REFUSE,
        /** {@link Verdict#forbidContent()}: {@code REQ_ABORTED}. */
        FORBID_CONTENT,
        /** {@link Verdict#respond}: {@code REQ_PROCEED} with an answer. */
        RESPOND,
        /** {@link Verdict#redirect}: {@code REQ_PROCEED} with a redirect. */
        REDIRECT,
        /** {@link Verdict#busy()}: {@code REQ_TOOBUSY}. */
        BUSY,
        /** {@link Verdict#restart()}: {@code REQ_RESTART}. */
        RESTART,
        /** {@link Verdict#close()}: {@code REQ_EXIT}. */
        CLOSE,
        /** {@link Verdict#later(CompletionStage)}. */
        LATER
    }

    private static final byte[] NOTHING = {};
    private static final Verdict PROCEED = of(Kind.PROCEED);
    private static final Verdict DECLINE = of(Kind.DECLINE);
    private static final Verdict REFUSE = of(Kind.REFUSE);
    private static final Verdict FORBID_CONTENT = of(Kind.FORBID_CONTENT);
    private static final Verdict BUSY = of(Kind.BUSY);
    private static final Verdict RESTART = of(Kind.RESTART);
    private static final Verdict CLOSE = of(Kind.CLOSE);

    private final Content content;
    private final Map<String, String> variables;
    private final HeaderEdits requestEdits;
    private final HeaderEdits responseEdits;

    /** The decision, without the changes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Content(
            Kind kind,
            int status,
            String text,
            byte[] body,
            @Nullable CompletionStage<Verdict> later) {}

    private Verdict(
            Content content, Map<String, String> variables, HeaderEdits requestEdits, HeaderEdits responseEdits) {
        this.content = content;
        this.variables = variables;
        this.requestEdits = requestEdits;
        this.responseEdits = responseEdits;
    }

    private static Verdict of(Content content) {
        return new Verdict(content, Map.of(), HeaderEdits.NONE, HeaderEdits.NONE);
    }

    private static Verdict of(Kind kind) {
        return of(new Content(kind, 0, "", NOTHING, null));
    }

    /** Done without objection: the request continues. In Service and Error only an answer completes the stage. */
    public static Verdict proceed() {
        return PROCEED;
    }

    /** This function does not decide: the stage's next directive runs. */
    public static Verdict decline() {
        return DECLINE;
    }

    /** Refused: 403, reason {@code denied}. */
    public static Verdict refuse() {
        return REFUSE;
    }

    /** Refused because of its content: 403, reason {@code content-forbidden}. */
    public static Verdict forbidContent() {
        return FORBID_CONTENT;
    }

    /** Too busy: 503 with Retry-After (RFC 9110 sections 15.6.4, 10.2.3), reason {@code pool-full}. */
    public static Verdict busy() {
        return BUSY;
    }

    /**
     * Restarts the request, with the variables that were set; in PathCheck and ObjectType only, in other stages this is
     * a failure of the function: 500, reason {@code function}. More than {@code proxy.restarts} times: 500, reason
     * {@code restart-limit}.
     */
    public static Verdict restart() {
        return RESTART;
    }

    /** Closes the connection without an answer. */
    public static Verdict close() {
        return CLOSE;
    }

    /**
     * Decided asynchronously, within {@code proxy.time-outs.function}: otherwise 504, reason {@code function-time-out}.
     * Not in Filter and Output.
     *
     * @param verdict completed on any thread; its failure is logged (WEIR-450001) and answered with 500, reason {@code
     *     function}
     */
    public static Verdict later(CompletionStage<Verdict> verdict) {
        return of(new Content(Kind.LATER, 0, "", NOTHING, verdict));
    }

    /**
     * An answer; not in Filter and Output.
     *
     * @param status 200 to 599 (RFC 9110 section 15)
     * @param contentType value of Content-Type (RFC 9110 section 8.3); empty: none
     * @param body sent unchanged, with its length as Content-Length; must not be modified afterwards
     * @throws IllegalArgumentException for another status, and for an invalid field value
     */
    public static Verdict respond(int status, String contentType, byte[] body) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status is 200 to 599, found " + status);
        }
        HeaderEdits.checkValue(contentType);
        return of(new Content(Kind.RESPOND, status, contentType, body, null));
    }

    /**
     * A redirect; not in Filter and Output.
     *
     * @param status 300 to 399, except 304 (RFC 9110 section 15.4)
     * @param location value of Location (RFC 9110 section 10.2.2): absolute, or a path
     * @throws IllegalArgumentException for another status, and for an invalid field value
     */
    public static Verdict redirect(int status, String location) {
        if (status < 300 || status > 399 || status == 304) {
            throw new IllegalArgumentException("the status of a redirect is 300 to 399, found " + status);
        }
        HeaderEdits.checkValue(location);
        return of(new Content(Kind.REDIRECT, status, location, NOTHING, null));
    }

    /**
     * The same with a variable for functions that run later and for the access log ({@code %vars.name%}). A request has
     * at most 64; setting more fails the function: 500, reason {@code function}.
     */
    public Verdict withVariable(String name, String value) {
        Map<String, String> more = new HashMap<>(variables);
        more.put(name, value);
        return changed(Map.copyOf(more), requestEdits, responseEdits);
    }

    /**
     * The same with a field set in the request to the origin.
     *
     * @param name of the field (RFC 9110 section 5.1), in any case
     * @param value of the field (RFC 9110 section 5.5)
     * @throws IllegalArgumentException for an invalid field, and for fields that frame the message
     */
    public Verdict withRequestField(String name, String value) {
        return changed(variables, new HeaderEdits(List.of(), Map.of(name, value)).and(requestEdits), responseEdits);
    }

    /**
     * The same with a field removed from the request to the origin.
     *
     * @param name of the field, in any case
     * @throws IllegalArgumentException for an invalid field name, and for fields that frame the message
     */
    public Verdict withoutRequestField(String name) {
        return changed(variables, new HeaderEdits(List.of(name), Map.of()).and(requestEdits), responseEdits);
    }

    /**
     * The same with a field set in the answer to this client, whether it is fetched, stored or Weir's own; the stored
     * answer is not changed.
     *
     * @param name of the field, in any case
     * @param value of the field
     * @throws IllegalArgumentException for an invalid field, and for fields that frame the message
     */
    public Verdict withResponseField(String name, String value) {
        return changed(variables, requestEdits, new HeaderEdits(List.of(), Map.of(name, value)).and(responseEdits));
    }

    /**
     * The same with a field removed from an origin's answer to this client.
     *
     * @param name of the field, in any case
     * @throws IllegalArgumentException for an invalid field name, and for fields that frame the message
     */
    public Verdict withoutResponseField(String name) {
        return changed(variables, requestEdits, new HeaderEdits(List.of(name), Map.of()).and(responseEdits));
    }

    private Verdict changed(Map<String, String> vars, HeaderEdits request, HeaderEdits response) {
        return new Verdict(content, vars, request, response);
    }

    /** The decision. */
    public Kind kind() {
        return content.kind;
    }

    /** Status of {@link Kind#RESPOND} and {@link Kind#REDIRECT}; 0 for others. */
    public int status() {
        return content.status;
    }

    /** Content-Type of {@link Kind#RESPOND}; empty: none. */
    public String contentType() {
        return content.kind == Kind.RESPOND ? content.text : "";
    }

    /** Body of {@link Kind#RESPOND}: itself, not a copy; empty for others. */
    public byte[] body() {
        return content.body;
    }

    /** Target of {@link Kind#REDIRECT}; null for others. */
    public @Nullable String location() {
        return content.kind == Kind.REDIRECT ? content.text : null;
    }

    /** The pending decision of {@link Kind#LATER}; null for others. */
    public @Nullable CompletionStage<Verdict> decision() {
        return content.later;
    }

    /** Variables that it sets. */
    public Map<String, String> variables() {
        return variables;
    }

    /** Changes to the request to the origin. */
    public HeaderEdits requestEdits() {
        return requestEdits;
    }

    /** Changes to the answer to this client. */
    public HeaderEdits responseEdits() {
        return responseEdits;
    }
}
