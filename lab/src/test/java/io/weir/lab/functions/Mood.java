package io.weir.lab.functions;

import io.weir.proxy.function.FunctionRequest;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Does what its parameter says, without blocking. Shared. */
public final class Mood implements RequestFunction {
    private static final List<String> DEEDS = List.of(
            "proceed",
            "decline",
            "refuse",
            "forbid",
            "busy",
            "restart",
            "restart-once",
            "close",
            "throw",
            "link",
            "answer",
            "redirect",
            "later",
            "never",
            "fail-later",
            "tag");

    @Override
    public String name() {
        return "mood";
    }

    @Override
    public String doc() {
        return "Does what its parameter says.";
    }

    @Override
    public Set<Stage> stages() {
        return Set.of(Stage.PATH_CHECK, Stage.OBJECT_TYPE, Stage.SERVICE, Stage.ERROR, Stage.FILTER, Stage.OUTPUT);
    }

    @Override
    public List<ParameterSpec> parameters() {
        return List.of(
                ParameterSpec.word("does", "proceed", DEEDS, "what it does"),
                ParameterSpec.of("text", ParameterSpec.Type.TEXT, "", "what it says"));
    }

    @Override
    public Step prepare(Parameters parameters) {
        String does = parameters.need("does");
        String text = parameters.need("text");
        if (does.equals("answer") && text.isEmpty()) {
            throw new IllegalArgumentException("an answer needs \"text\"");
        }
        return request -> decide(does, text, request);
    }

    private static Verdict decide(String does, String text, FunctionRequest request) {
        return switch (does) {
            case "decline" -> Verdict.decline();
            case "refuse" -> Verdict.refuse().withResponseField("X-Why", text);
            case "forbid" ->
                text.equals(request.answerField("Content-Type")) || text.isEmpty()
                        ? Verdict.forbidContent()
                        : Verdict.proceed();
            case "busy" -> Verdict.busy();
            case "restart" -> Verdict.restart();
            case "restart-once" ->
                request.variable("seen") == null
                        ? Verdict.restart().withVariable("seen", "yes")
                        : Verdict.proceed().withRequestField("X-Restarts", String.valueOf(request.restarts()));
            case "close" -> Verdict.close();
            case "throw" -> throw new IllegalStateException(text);
            case "link" -> throw new NoClassDefFoundError(text);
            case "answer" ->
                answer(text, request)
                        .withResponseField("X-Mood", request.stage().word());
            case "redirect" -> Verdict.redirect(307, text);
            case "later" -> Verdict.later(CompletableFuture.supplyAsync(Verdict::proceed));
            case "never" -> Verdict.later(new CompletableFuture<>());
            case "fail-later" -> Verdict.later(CompletableFuture.failedFuture(new IllegalStateException(text)));
            case "tag" ->
                Verdict.proceed()
                        .withResponseField("X-Tag", text + " " + request.query() + " " + request.answerStatus())
                        .withoutResponseField("X-Secret");
            default -> Verdict.proceed();
        };
    }

    private static Verdict answer(String text, FunctionRequest request) {
        String reason = request.reason();
        String body = reason == null ? text : text + " " + reason;
        return Verdict.respond(reason == null ? 200 : 503, "text/plain", body.getBytes(StandardCharsets.UTF_8));
    }
}
