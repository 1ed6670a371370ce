package io.weir.proxy.program.functions;

import io.weir.http.Fields;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The prepared set-variable. Immutable, shared. */
final class VariableChanges implements ServerFunction.Step {
    /** The blocks of the reference. */
    private static final Set<String> BLOCKS = Set.of("vars", "headers", "srvhdrs", "client", "reqpb");

    private final Map<String, String> set = new LinkedHashMap<>();
    private final List<Removal> removals = new ArrayList<>();
    private final Edits request = new Edits();
    private final Edits answer = new Edits();
    private final @Nullable HeaderEdits requestEdits;
    private final @Nullable HeaderEdits answerEdits;
    private final List<Removal> requestRemovals = new ArrayList<>();
    private final @Nullable String object;
    private final @Nullable String location;
    private final boolean closes;
    private final StepOutcome outcome;
    private final int status;
    private final @Nullable String reason;

    /** A name, and what its value must match to be removed; null: whatever it is. */
    private record Removal(String name, @Nullable PathPattern value) {}

    /** The edits of one block, until they are made. */
    private static final class Edits {
        private final List<String> remove = new ArrayList<>();
        private final Map<String, String> set = new LinkedHashMap<>();
        private final List<HeaderEdits.Added> add = new ArrayList<>();

        private @Nullable HeaderEdits made() {
            return remove.isEmpty() && set.isEmpty() && add.isEmpty() ? null : new HeaderEdits(remove, set, add);
        }
    }

    /** @throws IllegalArgumentException saying which parameter cannot be meant */
    VariableChanges(Parameters p) {
        for (String name : p.names()) {
            if (name.startsWith("$")) {
                assign(name, p.need(name));
            } else {
                changes(name, p.all(name));
            }
        }
        requestEdits = request.made();
        answerEdits = answer.made();
        object = p.text("name");
        location = p.text("url");
        if (location != null) {
            NameFunctions.bytes(location);
        }
        closes = p.given("keep-alive") && !on(p, "keep-alive");
        String error = p.text("error");
        status = error == null ? 0 : status(error);
        int blank = error == null ? -1 : error.indexOf(' ');
        reason = error == null || blank < 0 ? null : error.substring(blank + 1).strip();
        outcome = outcome(p);
    }

    private static boolean on(Parameters p, String name) {
        String text = p.text(name);
        if (text == null) {
            return false;
        }
        Boolean flag = text.isEmpty() ? Boolean.TRUE : Parameters.flag(text);
        if (flag == null) {
            throw new IllegalArgumentException("\"" + name + "\" is on or off, found \"" + text + "\"");
        }
        return flag;
    }

    private static int status(String error) {
        String digits = error.length() < 3 ? "" : error.substring(0, 3);
        if (!digits.matches("[45][0-9][0-9]") || (error.length() > 3 && error.charAt(3) != ' ')) {
            throw new IllegalArgumentException(
                    "\"error\" is a status from 400 to 599 and a reason, such as 403 Forbidden," + " found \"" + error
                            + "\"; redirects are url=");
        }
        return Integer.parseInt(digits);
    }

    private StepOutcome outcome(Parameters p) {
        for (String name : List.of("http-downgrade", "http-upgrade")) {
            if (p.given(name)) {
                throw new IllegalArgumentException(
                        "\"" + name + "\": answers are in the version of the client's request (RFC 9110 section 2.5)");
            }
        }
        boolean noaction = on(p, "noaction");
        if (noaction && status > 0) {
            throw new IllegalArgumentException(
                    "\"error\" with \"noaction\" would change the status of an origin's answer, which stays as it is");
        }
        if (on(p, "exit")) {
            return StepOutcome.EXIT;
        }
        if (on(p, "abort") || status > 0) {
            return StepOutcome.ABORTED;
        }
        return (on(p, "stop") || location != null) && !noaction ? StepOutcome.PROCEED : StepOutcome.NOACTION;
    }

    /** {@code insert}, {@code set} or {@code remove}, with the block in the name or in the values. */
    private void changes(String parameter, List<String> values) {
        int dash = parameter.indexOf('-');
        String change = dash < 0 ? parameter : parameter.substring(0, dash);
        String block = dash < 0 ? null : parameter.substring(dash + 1);
        if (!Set.of("insert", "set", "remove").contains(change) || (block != null && !BLOCKS.contains(block))) {
            return;
        }
        for (String value : values) {
            int dot = block == null ? value.indexOf('.') : -1;
            String of = block != null ? block : dot < 0 ? "" : value.substring(0, dot);
            change(parameter, change, of, block != null ? value : value.substring(dot + 1));
        }
    }

    private void change(String parameter, String change, String block, String pair) {
        int end = 0;
        while (end < pair.length() && pair.charAt(end) != '=' && pair.charAt(end) != ':') {
            end++;
        }
        String name = pair.substring(0, end).strip();
        String value = end == pair.length() ? null : pair.substring(end + 1).strip();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("\"" + parameter + "\" is name=value, found \"" + pair + "\"");
        }
        switch (block) {
            case "vars" -> variable(change, name, value);
            case "headers" -> edit(change, request, requestRemovals, name, value);
            case "srvhdrs" -> {
                if (change.equals("remove") && value != null) {
                    throw new IllegalArgumentException(
                            "\"" + parameter + "\" has a value: fields of the answer are removed by their name");
                }
                edit(change, answer, List.of(), name, value);
            }
            case "client", "reqpb" ->
                throw new IllegalArgumentException("\"" + parameter + "\": "
                        + (block.equals("client") ? "what is known about the client" : "the request line")
                        + " is not changed; map and redirect change the path");
            default ->
                throw new IllegalArgumentException("\"" + parameter + "\" is block.name=value, with a block of "
                        + String.join(", ", BLOCKS.stream().sorted().toList()) + ", found \"" + pair + "\"");
        }
    }

    private void variable(String change, String name, @Nullable String value) {
        if (change.equals("remove")) {
            removals.add(new Removal(name, value == null ? null : Patterns.parse(PathMatch.WILDCARD, value)));
        } else {
            set.put(name, value == null ? "" : value);
        }
    }

    private static void edit(String change, Edits edits, List<Removal> byValue, String name, @Nullable String value) {
        String text = value == null ? "" : value;
        switch (change) {
            case "insert" -> edits.add.add(new HeaderEdits.Added(name, text));
            case "set" -> edits.set.put(name, text);
            default -> {
                if (value == null) {
                    edits.remove.add(name);
                } else {
                    new HeaderEdits(List.of(name), Map.of());
                    byValue.add(new Removal(name, Patterns.parse(PathMatch.WILDCARD, value)));
                }
            }
        }
    }

    private void assign(String parameter, String value) {
        int brace = parameter.indexOf('{');
        String name = brace < 0 ? parameter.substring(1) : parameter.substring(1, brace);
        if (brace < 0) {
            if (Set.of("security", "senthdrs", "keep_alive").contains(name)) {
                throw new IllegalArgumentException(
                        "\"" + parameter + "\" cannot be set" + (name.equals("keep_alive") ? "; keep-alive= can" : ""));
            }
            set.put(name, value);
            return;
        }
        String key = parameter.substring(brace + 1).replaceAll("[{}'\"]", "");
        if (name.equals("cookie")) {
            answer.add.add(new HeaderEdits.Added("Set-Cookie", key + "=" + value + "; Path=/"));
            return;
        }
        change(parameter, "set", name, key + "=" + value);
    }

    @Override
    public StepOutcome run(FunctionContext run) {
        for (Removal removal : removals) {
            String now = run.variable(removal.name());
            if (now != null && (removal.value() == null || Patterns.matches(removal.value(), now))) {
                run.remove(removal.name());
            }
        }
        boolean room = true;
        for (Map.Entry<String, String> e : set.entrySet()) {
            room &= run.variable(e.getKey(), e.getValue());
        }
        if (!room || (object != null && !run.add(object))) {
            throw new IllegalStateException(
                    "there are too many variables or objects already, or a variable is too long");
        }
        edit(run);
        if (closes) {
            run.close();
        }
        return end(run);
    }

    private void edit(FunctionContext run) {
        if (requestEdits != null) {
            run.requestEditsInstead(requestEdits);
        }
        if (answerEdits != null) {
            run.outputEditsInstead(answerEdits);
        }
        Fields fields = run.request().head().fields();
        for (Removal removal : requestRemovals) {
            String now = fields.combined(removal.name());
            if (now != null && removal.value() != null && Patterns.matches(removal.value(), now)) {
                run.requestEditsInstead(new HeaderEdits(List.of(removal.name()), Map.of()));
            }
        }
    }

    private StepOutcome end(FunctionContext run) {
        if (outcome == StepOutcome.ABORTED && run.stage() != Stage.ERROR) {
            // without a status it is the server's failure, 500
            return status == 0 ? outcome : run.abort(ProxyFault.DENIED, status, reason);
        }
        if (location != null && outcome == StepOutcome.PROCEED) {
            run.answerWith(new Action.Redirect(302), location);
        }
        return outcome;
    }
}
