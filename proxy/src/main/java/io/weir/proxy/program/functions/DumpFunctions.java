package io.weir.proxy.program.functions;

import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.ServerViews;
import io.weir.proxy.program.run.StepOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The functions of Service that answer with a view of the server's state: the administration's own, with its text and
 * its query. Its answer may never be stored. Stateless.
 */
public final class DumpFunctions {
    private static final String PERFDUMP = "/.perf";
    private static final String STATISTICS = "/stats-xml";
    private static final String CACHE = "/nsc";

    private DumpFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                dump(
                        "service-dump",
                        "Answers with perfdump.",
                        List.of(ParameterSpec.word("type", "perf", List.of("perf"), "the only kind")),
                        _ -> PERFDUMP),
                dump(
                        "stats-xml",
                        "Answers with stats-xml, or its document type.",
                        List.of(),
                        DumpFunctions::statistics),
                dump("service-nsc-dump", "Answers with the status page of the cache.", List.of(), _ -> CACHE),
                dump("service-nsfc-dump", "The same as service-nsc-dump.", List.of(), _ -> CACHE));
    }

    /** The name of a function in a program that needs the administration's views; empty if there is none. */
    public static Optional<String> in(Program program) {
        return program.objects().stream()
                .flatMap(object -> object.directives(Stage.SERVICE).stream())
                .map(directive -> directive.function().name())
                .filter(ServerFunction.VIEWS::contains)
                .findFirst();
    }

    private static ServerFunction dump(
            String name, String doc, List<ParameterSpec> parameters, Function<FunctionContext, String> path) {
        return SimpleFunction.of(name, Set.of(Stage.SERVICE), doc, parameters, _ -> run -> show(run, path.apply(run)));
    }

    private static String statistics(FunctionContext run) {
        return run.path().endsWith(".dtd") ? STATISTICS + "/proxystats.dtd" : STATISTICS;
    }

    private static StepOutcome show(FunctionContext run, String path) {
        RequestHead head = run.request().head();
        if (head.methodId() != Method.GET && head.methodId() != Method.HEAD) {
            return run.methodRefused("GET, HEAD");
        }
        PendingStep pending = run.pend();
        boolean begun = run.views().build(path, head.query(), answer -> pending.complete(then -> answer(then, answer)));
        if (!begun) {
            pending.complete(StepOutcome.TOOBUSY);
        }
        return StepOutcome.WAITING;
    }

    private static StepOutcome answer(FunctionContext run, ServerViews.Answer answer) {
        Map<String, String> fields = new HashMap<>(answer.fields());
        fields.put("Cache-Control", "no-store");
        run.outputEdits(new HeaderEdits(List.of(), fields));
        run.action(new Action.Respond(answer.status(), answer.contentType(), answer.body()));
        return StepOutcome.PROCEED;
    }
}
