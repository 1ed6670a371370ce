package io.weir.proxy.program.functions;

import io.weir.proxy.function.FunctionRequest;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link RequestFunction} in the request program. Immutable, shared. */
final class UserFunction implements ServerFunction {
    private final RequestFunction function;
    private final String name;
    private final String doc;
    private final Set<Stage> stages;
    private final List<ParameterSpec> parameters;
    private final boolean blocks;

    /** The function's description is read once. */
    UserFunction(RequestFunction function) {
        this.function = function;
        this.name = function.name();
        this.doc = function.doc();
        this.stages = Set.copyOf(function.stages());
        this.parameters = List.copyOf(function.parameters());
        this.blocks = function.blocks();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Stage> stages() {
        return stages;
    }

    @Override
    public List<ParameterSpec> parameters() {
        return parameters;
    }

    @Override
    public String doc() {
        return doc;
    }

    @Override
    public boolean blocks() {
        return blocks;
    }

    @Override
    public Step prepare(Parameters p) {
        return new UserStep(function.prepare(p));
    }

    /** The exception that the program logs before it answers 500: the function's own if it is a RuntimeException. */
    private static RuntimeException failed(@Nullable Throwable cause) {
        return cause instanceof RuntimeException own
                ? own
                : new IllegalStateException(cause == null ? "its verdict is null" : cause.toString(), cause);
    }

    /** Calls the function with a copy of the request and carries out its verdict. Immutable, shared. */
    private record UserStep(RequestFunction.Step step) implements Step {
        @Override
        public StepOutcome run(FunctionContext run) {
            return settle(run, call(RequestCopy.of(run)));
        }

        @Override
        public Supplier<Step> detach(FunctionContext run) {
            FunctionRequest request = RequestCopy.of(run);
            return () -> {
                Verdict verdict = call(request);
                return then -> settle(then, verdict);
            };
        }

        /** Sets the context class loader, so that JNDI and service loaders find the function's own classes. */
        private Verdict call(FunctionRequest request) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(step.getClass().getClassLoader());
            try {
                Verdict verdict = step.run(request);
                if (verdict == null) {
                    throw failed(null);
                }
                return verdict;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failed(e);
            } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
                throw failed(e);
            } finally {
                thread.setContextClassLoader(before);
            }
        }

        private static StepOutcome settle(FunctionContext run, Verdict verdict) {
            CompletionStage<Verdict> later = verdict.decision();
            if (later == null) {
                return perform(run, verdict);
            }
            PendingStep pending = run.pend();
            later.whenComplete((decided, failure) -> pending.complete(then -> decided(then, decided, failure)));
            return StepOutcome.WAITING;
        }

        private static StepOutcome decided(
                FunctionContext run, @Nullable Verdict verdict, @Nullable Throwable failure) {
            if (verdict != null) {
                return settle(run, verdict);
            }
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            throw failed(cause);
        }

        private static StepOutcome perform(FunctionContext run, Verdict verdict) {
            check(run, verdict);
            verdict.variables().forEach((name, value) -> {
                if (!run.variable(name, value)) {
                    throw new IllegalStateException("there are too many variables already, or one is too long");
                }
            });
            if (!verdict.requestEdits().isEmpty()) {
                run.requestEdits(verdict.requestEdits());
            }
            if (!verdict.responseEdits().isEmpty()) {
                run.outputEdits(verdict.responseEdits());
            }
            return switch (verdict.kind()) {
                case PROCEED -> answers(run.stage()) ? StepOutcome.NOACTION : StepOutcome.PROCEED;
                case DECLINE -> StepOutcome.NOACTION;
                case REFUSE -> run.abort(ProxyFault.DENIED);
                case FORBID_CONTENT -> run.abort(ProxyFault.CONTENT_FORBIDDEN);
                case RESPOND, REDIRECT -> answer(run, verdict);
                case BUSY -> StepOutcome.TOOBUSY;
                case RESTART -> StepOutcome.RESTART;
                case CLOSE -> StepOutcome.EXIT;
                case LATER -> throw new IllegalStateException("it has not decided");
            };
        }

        private static StepOutcome answer(FunctionContext run, Verdict verdict) {
            Action action = verdict.kind() == Verdict.Kind.RESPOND
                    ? new Action.Respond(verdict.status(), verdict.contentType(), verdict.body())
                    : new Action.Redirect(verdict.status());
            run.answerWith(action, verdict.location());
            return StepOutcome.PROCEED;
        }

        /** Whether a stage is complete only once a function has answered. */
        private static boolean answers(@Nullable Stage stage) {
            return stage == Stage.SERVICE || stage == Stage.ERROR;
        }

        private static void check(FunctionContext run, Verdict verdict) {
            Stage stage = run.stage();
            boolean answered = verdict.kind() == Verdict.Kind.RESPOND || verdict.kind() == Verdict.Kind.REDIRECT;
            if ((stage == Stage.FILTER || stage == Stage.OUTPUT) && answered) {
                throw new IllegalStateException("it answers in " + stage.word() + ", where there is an answer already");
            }
            boolean early = stage == Stage.PATH_CHECK || stage == Stage.OBJECT_TYPE;
            if (verdict.kind() == Verdict.Kind.RESTART && !early) {
                throw new IllegalStateException("it restarts the request after the cache look-up");
            }
        }
    }
}
