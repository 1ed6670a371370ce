package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.INTEGER;
import static io.weir.proxy.function.ParameterSpec.Type.REGEX;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.TargetForm;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FaultSelector;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The functions of Service, Error and AddLog. Stateless. */
final class ServiceFunctions {
    private static final Set<Stage> SERVICE = Set.of(Stage.SERVICE);
    private static final ParameterSpec LOG = ParameterSpec.of(
            "name", TEXT, "global", "the log: global is proxy.access-log, the others are in proxy.access-logs");

    private ServiceFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                proxyRetrieve(),
                sendAnswer(),
                demoOrigin(),
                sendError(),
                log("common-log"),
                log("flex-log"),
                recordUserAgent());
    }

    private static ServerFunction proxyRetrieve() {
        return SimpleFunction.of(
                ServerFunction.RETRIEVE,
                SERVICE,
                "Fetches from the route's origin, or from the host that the client requested; CONNECT opens a tunnel.",
                List.of(
                        ParameterSpec.optional("method", REGEX, "methods it answers; absent: all"),
                        ParameterSpec.optional("allow", TEXT, "methods that pass, A,B; wins over block"),
                        ParameterSpec.optional("block", TEXT, "methods that do not, A,B")),
                p -> {
                    PathPattern method =
                            p.text("method") == null ? null : Patterns.parse(PathMatch.REGEX, p.need("method"));
                    Set<String> allow = words(p.text("allow"));
                    Set<String> block = words(p.text("block"));
                    return run -> {
                        if (method != null && !Patterns.matches(method, run.input.methodName)) {
                            return StepOutcome.NOACTION;
                        }
                        String name = run.input.methodName;
                        if (allow.isEmpty() ? !block.contains(name) : allow.contains(name)) {
                            return retrieve(run);
                        }
                        return allow.isEmpty()
                                ? run.abort(ProxyFault.METHOD_NOT_ALLOWED)
                                : run.methodRefused(String.join(", ", allow));
                    };
                });
    }

    private static Set<String> words(@Nullable String list) {
        return list == null ? Set.of() : Set.copyOf(Arrays.asList(list.trim().split("\\s*,\\s*", -1)));
    }

    private static StepOutcome retrieve(FunctionContext run) {
        TargetForm form = run.input.form;
        if (form != TargetForm.AUTHORITY && run.route() != null) {
            run.action(Action.Retrieve.REVERSE);
            return StepOutcome.PROCEED;
        }
        boolean named = form == TargetForm.AUTHORITY || form == TargetForm.ABSOLUTE || run.isHostMapped();
        if (!named) {
            return run.abort(ProxyFault.NO_ROUTE);
        }
        DestinationRefusal refusal =
                run.destination().passed() ? null : run.destination().check(null);
        if (refusal == null && run.parents() != null) {
            refusal = run.destination().checkUnresolved();
        }
        if (refusal != null) {
            return run.refuse(refusal);
        }
        if (run.parents() != null && form != TargetForm.AUTHORITY && run.fetchedSecurely()) {
            return run.abort(ProxyFault.PARENT_SCHEME);
        }
        run.action(form == TargetForm.AUTHORITY ? Action.Retrieve.TUNNEL : Action.Retrieve.FORWARD);
        return StepOutcome.PROCEED;
    }

    private static ServerFunction sendAnswer() {
        return SimpleFunction.of(
                "send-answer",
                SERVICE,
                "Answers with a fixed text.",
                List.of(
                        ParameterSpec.of("status", INTEGER, "200", "status, 200 to 599"),
                        ParameterSpec.of("type", TEXT, "text/plain; charset=utf-8", "Content-Type"),
                        ParameterSpec.of("body", TEXT, "", "the text, sent as UTF-8")),
                p -> {
                    int status = p.integer("status");
                    if (status < 200 || status > 599) {
                        throw new IllegalArgumentException("\"status\" is 200 to 599");
                    }
                    new Fields().add(FieldName.CONTENT_TYPE, p.need("type"));
                    Action.Respond answer = new Action.Respond(
                            status, p.need("type"), p.need("body").getBytes(StandardCharsets.UTF_8));
                    return answering(answer);
                });
    }

    private static ServerFunction.Step answering(Action action) {
        return run -> {
            run.action(action);
            return StepOutcome.PROCEED;
        };
    }

    private static ServerFunction demoOrigin() {
        return SimpleFunction.of(
                ServerFunction.DEMO,
                SERVICE,
                "Answers as the built-in demo origin.",
                List.of(),
                _ -> answering(Action.Builtin.DEMO));
    }

    private static ServerFunction sendError() {
        return SimpleFunction.of(
                        "send-error",
                        Set.of(Stage.ERROR),
                        "Answers a fault with the text of a file, read once, at most 64 KiB.",
                        List.of(
                                ParameterSpec.required("path", TEXT, "the file"),
                                ParameterSpec.of("type", TEXT, "text/html; charset=utf-8", "Content-Type"),
                                ParameterSpec.optional("code", INTEGER, "status it is for; absent with reason: any"),
                                ParameterSpec.optional(
                                        "reason", TEXT, "reason it is for, in any case: Not Found, dns-time-out")),
                        p -> {
                            byte[] page = Pages.read("the page", p.need("path"), Pages.MAX_PAGE);
                            String type = p.need("type");
                            FaultSelector selector =
                                    new FaultSelector(p.given("code") ? p.integer("code") : 0, p.text("reason"));
                            return run -> {
                                ProxyFault fault = run.fault();
                                if (fault == null || !selector.selects(fault, run.faultStatus())) {
                                    return StepOutcome.NOACTION;
                                }
                                run.action(new Action.Respond(run.faultStatus(), type, page));
                                return StepOutcome.PROCEED;
                            };
                        })
                .reading("path");
    }

    private static ServerFunction log(String name) {
        return SimpleFunction.of(
                name,
                Set.of(Stage.ADD_LOG),
                "Appends a record to an access log, in that log's format.",
                List.of(
                        LOG,
                        ParameterSpec.optional("iponly", TEXT, "accepted; addresses are never resolved"),
                        ParameterSpec.optional("buffers-per-file", TEXT, "accepted; there is a buffer for each loop")),
                p -> {
                    String log = p.need("name");
                    return logging(run -> run.log(log));
                });
    }

    private static ServerFunction recordUserAgent() {
        return SimpleFunction.of(
                ServerFunction.RECORD_USER_AGENT,
                Set.of(Stage.ADD_LOG),
                "Appends the client's address and User-Agent to an access log, which should have no other records.",
                List.of(LOG),
                p -> {
                    String log = p.need("name");
                    return logging(run -> run.logUserAgent(log));
                });
    }

    private static ServerFunction.Step logging(Consumer<FunctionContext> record) {
        return run -> {
            record.accept(run);
            return StepOutcome.PROCEED;
        };
    }
}
