package io.weir.proxy.function;

import io.weir.proxy.program.Action;
import io.weir.proxy.program.HeaderEdits;
import io.weir.proxy.program.Outcome;
import io.weir.proxy.program.ProxyFault;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a function decides on a request, and what it changes. Immutable: the {@code with} methods give another verdict.
 */
public final class Verdict {
    private static final HeaderEdits NO_EDITS = new HeaderEdits(List.of(), Map.of());
    private static final Verdict PROCEED = of(Outcome.PROCEED, null, null, null);
    private static final Verdict DECLINE = of(Outcome.NOACTION, null, null, null);
    private static final Verdict REFUSE = of(Outcome.ABORTED, ProxyFault.DENIED, null, null);
    private static final Verdict FORBID_CONTENT = of(Outcome.ABORTED, ProxyFault.CONTENT_FORBIDDEN, null, null);
    private static final Verdict BUSY = of(Outcome.TOOBUSY, null, null, null);
    private static final Verdict RESTART = of(Outcome.RESTART, null, null, null);
    private static final Verdict CLOSE = of(Outcome.EXIT, null, null, null);

    private final Outcome outcome;
    private final @Nullable ProxyFault fault;
    private final @Nullable Action action;
    private final @Nullable CompletionStage<Verdict> later;
    private final @Nullable String location;
    private final Map<String, String> variables;
    private final HeaderEdits requestEdits;
    private final HeaderEdits responseEdits;

    private Verdict(
            Outcome outcome,
            @Nullable ProxyFault fault,
            @Nullable Action action,
            @Nullable CompletionStage<Verdict> later,
            @Nullable String location,
            Map<String, String> variables,
            HeaderEdits requestEdits,
            HeaderEdits responseEdits) {
        this.outcome = outcome;
        this.fault = fault;
        this.action = action;
        this.later = later;
        this.location = location;
        this.variables = variables;
        this.requestEdits = requestEdits;
        this.responseEdits = responseEdits;
    }

    private static Verdict of(
            Outcome outcome,
            @Nullable ProxyFault fault,
            @Nullable Action action,
            @Nullable CompletionStage<Verdict> later) {
        return new Verdict(outcome, fault, action, later, null, Map.of(), NO_EDITS, NO_EDITS);
    }

    /** Done, nothing against it: the request goes on. In Service and Error only an answer is done. */
    public static Verdict proceed() {
        return PROCEED;
    }

    /** Not this function's matter: the next one is asked. */
    public static Verdict decline() {
        return DECLINE;
    }

    /** Refused: 403, reason {@code denied}. */
    public static Verdict refuse() {
        return REFUSE;
    }

    /** Refused for what it carries: 403, reason {@code content-forbidden}. */
    public static Verdict forbidContent() {
        return FORBID_CONTENT;
    }

    /** Too busy: 503 with Retry-After, reason {@code pool-full}. */
    public static Verdict busy() {
        return BUSY;
    }

    /** The request starts again, with the variables that were set; in PathCheck and ObjectType only. */
    public static Verdict restart() {
        return RESTART;
    }

    /** The connection is closed without an answer. */
    public static Verdict close() {
        return CLOSE;
    }

    /** Decided elsewhere, within {@code proxy.time-outs.function}; what it fails with is logged and answered with 500. */
    public static Verdict later(CompletionStage<Verdict> verdict) {
        return of(Outcome.WAITING, null, null, verdict);
    }

    /**
     * An answer; not in Filter and Output.
     *
     * @param status 200 to 599
     * @param contentType value of Content-Type; empty: none
     * @param body not to be changed afterwards
     * @throws IllegalArgumentException for another status, and for what is no field's value
     */
    public static Verdict respond(int status, String contentType, byte[] body) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status is 200 to 599, found " + status);
        }
        HeaderEdits.checkValue(contentType);
        return of(Outcome.PROCEED, null, new Action.Respond(status, contentType, body), null);
    }

    /**
     * A redirect; not in Filter and Output.
     *
     * @param status 300 to 399
     * @param location where to; absolute, or a path
     * @throws IllegalArgumentException for another status, and for what is no field's value
     */
    public static Verdict redirect(int status, String location) {
        if (status < 300 || status > 399 || status == 304) {
            throw new IllegalArgumentException("the status of a redirect is 300 to 399, found " + status);
        }
        HeaderEdits.checkValue(location);
        return new Verdict(
                Outcome.PROCEED, null, new Action.Redirect(status), null, location, Map.of(), NO_EDITS, NO_EDITS);
    }

    /** The same with a variable for functions that come later and for the access log ({@code %vars.name%}). */
    public Verdict withVariable(String name, String value) {
        Map<String, String> more = new HashMap<>(variables);
        more.put(name, value);
        return changed(Map.copyOf(more), requestEdits, responseEdits);
    }

    /** The same with a field set in the request to the origin. @throws IllegalArgumentException when it is none */
    public Verdict withRequestField(String name, String value) {
        return changed(variables, new HeaderEdits(List.of(), Map.of(name, value)).and(requestEdits), responseEdits);
    }

    /** The same with a field removed from the request to the origin. @throws IllegalArgumentException when it is none */
    public Verdict withoutRequestField(String name) {
        return changed(variables, new HeaderEdits(List.of(name), Map.of()).and(requestEdits), responseEdits);
    }

    /**
     * The same with a field set in the answer to this client, whether it is fetched, stored or Weir's own; what is stored
     * stays as it was.
     *
     * @throws IllegalArgumentException for what is no field, and for fields that frame the message
     */
    public Verdict withResponseField(String name, String value) {
        return changed(variables, requestEdits, new HeaderEdits(List.of(), Map.of(name, value)).and(responseEdits));
    }

    /** The same with a field removed from an origin's answer to this client. */
    public Verdict withoutResponseField(String name) {
        return changed(variables, requestEdits, new HeaderEdits(List.of(name), Map.of()).and(responseEdits));
    }

    private Verdict changed(Map<String, String> vars, HeaderEdits request, HeaderEdits response) {
        return new Verdict(outcome, fault, action, later, location, vars, request, response);
    }

    Outcome outcome() {
        return outcome;
    }

    @Nullable
    ProxyFault fault() {
        return fault;
    }

    @Nullable
    Action action() {
        return action;
    }

    @Nullable
    CompletionStage<Verdict> later() {
        return later;
    }

    @Nullable
    String location() {
        return location;
    }

    Map<String, String> variables() {
        return variables;
    }

    HeaderEdits requestEdits() {
        return requestEdits;
    }

    HeaderEdits responseEdits() {
        return responseEdits;
    }
}
