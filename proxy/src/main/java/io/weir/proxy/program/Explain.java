package io.weir.proxy.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Directive;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramObject;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.RunTrace;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServer;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Explains how a program handles a request: {@code ./weir check --explain URL}. The request runs through the program as
 * a client's would, up to the point where something would be fetched. Used once.
 */
public final class Explain implements RunTrace {
    /** Time limit for a function to decide. */
    private static final long PATIENCE_MILLIS = 30_000;

    /** The paths that the demo origin serves. */
    private static final Set<String> DEMO = Set.of("/", "/time");

    private final StringBuilder text = new StringBuilder();
    private @Nullable Stage shown;

    private Explain() {}

    /**
     * The request to explain.
     *
     * @param url absolute URL, path, or {@code host:port} for CONNECT
     * @param virtualServer the listener's, for hosts that no virtual server has
     * @param proxied the request has the absolute URL, as clients of a forward proxy send it
     */
    public record Question(
            String method, String url, InetAddress client, String listener, String virtualServer, boolean proxied) {
        /** A question on a listener that names no virtual server. */
        public Question(String method, String url, InetAddress client, String listener, boolean proxied) {
            this(method, url, client, listener, VirtualServer.DEFAULT_NAME, proxied);
        }

        /** A GET from this machine on the listener {@code http}. */
        public static Question get(String url) {
            return new Question("GET", url, InetAddress.getLoopbackAddress(), "http", false);
        }

        private String head() {
            int scheme = url.indexOf("://");
            String rest = scheme < 0 ? url : url.substring(scheme + 3);
            int slash = rest.indexOf('/');
            String authority = slash < 0 ? rest : rest.substring(0, slash);
            if (url.startsWith("/") || url.equals("*")) {
                return line(url, "localhost");
            }
            // a scheme of neither a server nor a proxy is refused as such
            boolean other = scheme > 0 && !url.substring(0, scheme).matches("(?i)https?");
            if (method.equals("CONNECT") || proxied || other) {
                return line(url, authority);
            }
            return line(slash < 0 ? "/" : rest.substring(slash), authority);
        }

        private String line(String target, String host) {
            return method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
        }
    }

    /** Runs pooled functions in the calling thread: there is no other work. */
    private record Inline(Set<String> names) implements WorkPools {
        @Override
        public boolean execute(String pool, Runnable task) {
            task.run();
            return true;
        }
    }

    /** The objects and directives that run, in order, with parameters, places and outcomes, and the result, as text. */
    public static String explain(Program program, Question question) {
        Explain explain = new Explain();
        Action action = explain.run(program, question);
        if (action == null && question.url().contains("://") && !question.proxied()) {
            Question whole = new Question(
                    question.method(),
                    question.url(),
                    question.client(),
                    question.listener(),
                    question.virtualServer(),
                    true);
            if (answers(program, whole)) {
                explain.text.append("Sent to this server as a proxy, with its whole URL, it is answered: --proxied\n");
            }
        }
        return explain.text.toString();
    }

    /** Whether the result is neither a refusal nor an error. */
    public static boolean answers(Program program, Question question) {
        Explain explain = new Explain();
        Action action = explain.run(program, question);
        return switch (action) {
            case null -> false;
            case Action.Respond respond -> respond.status() < 400;
            case Action.Builtin _ -> DEMO.contains(question.url());
            default -> true;
        };
    }

    private @Nullable Action run(Program program, Question question) {
        SyntheticRequest request;
        try {
            request = SyntheticRequest.of(
                    question.head(),
                    question.client(),
                    program.virtualServers(),
                    question.listener(),
                    question.virtualServer());
        } catch (IllegalArgumentException e) {
            text.append(question.method())
                    .append(' ')
                    .append(question.url())
                    .append(": ")
                    .append(e.getMessage())
                    .append('\n');
            return null;
        }
        text.append(question.method()).append(' ').append(question.url());
        text.append(" from ").append(question.client().getHostAddress());
        text.append(", listener ").append(question.listener());
        text.append(", virtual server ").append(request.virtualServer().name()).append('\n');
        ProgramHost host = new ProgramHost(new Inline(Set.of()), SystemClock.INSTANCE, new Stats(), Log.NONE);
        ProgramRun run = new ProgramRun(host, null);
        run.trace(this);
        RunState state = settled(request, run.start(request, program));
        CacheTerms cache = run.cache();
        if (state == RunState.READY) {
            state = settled(request, run.service());
        }
        if (state == RunState.FAILED) {
            ProxyFault fault = run.fault();
            settled(request, run.error(fault == null ? ProxyFault.FUNCTION : fault));
        }
        run.finish();
        result(run, state, cache);
        return state == RunState.WAITING || state == RunState.CLOSE ? null : run.action();
    }

    private static RunState settled(SyntheticRequest request, RunState state) {
        RunState later = state == RunState.WAITING ? request.await(PATIENCE_MILLIS) : state;
        return later == null ? RunState.WAITING : later;
    }

    @Override
    public void entered(Stage stage) {
        shown = null;
    }

    @Override
    public void ran(ProgramObject object, Directive directive, StepOutcome outcome) {
        if (shown != directive.stage()) {
            shown = directive.stage();
            text.append(shown.word()).append('\n');
        }
        String parameters = directive.function().written(directive.parameters());
        text.append("  ")
                .append(object.name())
                .append(": fn=")
                .append(directive.function().name());
        if (!parameters.isEmpty()) {
            text.append(' ').append(parameters);
        }
        String pool = directive.pool();
        if (pool != null) {
            text.append(" pool=\"")
                    .append(pool.isEmpty() ? WorkPools.DEFAULT : pool)
                    .append('"');
        }
        text.append("  [")
                .append(directive.place())
                .append("] -> ")
                .append(outcome)
                .append('\n');
    }

    private void result(ProgramRun run, RunState state, @Nullable CacheTerms cache) {
        text.append("Result: ");
        if (state == RunState.WAITING) {
            text.append("a function did not decide within ")
                    .append(PATIENCE_MILLIS / 1000)
                    .append(" s\n");
            return;
        }
        ProxyFault fault = run.fault();
        if (run.action() == null && fault != null) {
            text.append(run.faultStatus())
                    .append(' ')
                    .append(run.faultTitle())
                    .append(" (")
                    .append(fault.code())
                    .append(")\n");
            return;
        }
        if (state == RunState.CLOSE) {
            text.append("the connection is closed\n");
            return;
        }
        Action action = run.action();
        switch (action) {
            case Action.Retrieve retrieve -> retrieve(run, retrieve);
            case Action.Builtin _ -> text.append("the built-in demo origin answers");
            case Action.Respond respond ->
                text.append("a fixed answer with status ").append(respond.status());
            case Action.Redirect redirect ->
                text.append("redirect ")
                        .append(redirect.status())
                        .append(" to ")
                        .append(run.location());
            case null -> text.append(state);
        }
        text.append('\n');
        if (action instanceof Action.Retrieve || action instanceof Action.Builtin) {
            text.append("Cache: ").append(cache == null ? "off" : cache).append('\n');
        }
    }

    private void retrieve(ProgramRun run, Action.Retrieve retrieve) {
        OriginRoute route = run.route();
        if (retrieve == Action.Retrieve.REVERSE && route != null) {
            text.append("fetched from ")
                    .append(route.origins().stream().map(Origin::url).collect(Collectors.joining(", in turn with ")))
                    .append(", target ");
            ByteBuf target = Unpooled.buffer();
            run.writeTarget(target);
            text.append(target.toString(StandardCharsets.ISO_8859_1));
            target.release();
            return;
        }
        text.append(retrieve == Action.Retrieve.TUNNEL ? "tunnel to " : "fetched from ");
        text.append(run.hostName()).append(" port ").append(run.port());
        OriginRoute parents = run.parents();
        if (parents != null) {
            text.append(", through the proxy ")
                    .append(parents.origins().stream().map(Origin::url).collect(Collectors.joining(", in turn with ")));
            return;
        }
        text.append(", if the address that it resolves to is allowed");
    }
}
