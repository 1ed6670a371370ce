package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigProblem;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.RequestContext;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Programs in obj.conf, and requests to them: what the tests of functions stand on. */
final class ObjConfBench {
    final Bench bench = new Bench();

    private static ProgramBuilder compiled(String text) {
        ProgramBuilder builder =
                new ProgramBuilder(FunctionCatalogue.builtin(), WorkPools.NONE, VirtualServers.DEFAULT);
        new ObjConfSource("obj.conf", text, Map.of(), Chance.seeded(1)).compile(builder);
        return builder;
    }

    /** A program of these objects. */
    Program program(String text) {
        ProgramBuilder builder = compiled(text);
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    /** A program of these directives in the default object, which answers with 200 at the end. */
    Program directives(String lines) {
        return program("<Object name=default>\n" + lines + "\nService fn=send-answer\n</Object>\n");
    }

    /** What is wrong with a directive. */
    List<String> problems(String line) {
        return compiled("<Object name=default>\n" + line + "\n</Object>\n").problems().stream()
                .sorted(ConfigProblem.IN_ORDER)
                .map(ConfigProblem::toString)
                .toList();
    }

    ProgramRun run(Program program, String line, String... fields) {
        return bench.run(program, head(line, fields), "127.0.0.1");
    }

    ProgramRun run(Program program, RequestContext request) {
        ProgramRun run = new ProgramRun(bench.host, null);
        if (run.start(request, program) == RunState.READY) {
            run.service();
        }
        return run;
    }

    static String head(String line, String... fields) {
        int url = line.indexOf("://");
        String host = url < 0 ? "www.example.com" : line.substring(url + 3, line.indexOf('/', url + 3));
        host = line.startsWith("CONNECT ") ? line.substring("CONNECT ".length()) : host;
        StringBuilder b = new StringBuilder(line)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\n");
        for (String field : fields) {
            b.append(field).append("\r\n");
        }
        return b.append("\r\n").toString();
    }

    /** Path and query as the origin gets them. */
    static String target(ProgramRun run) {
        ByteBuf out = Unpooled.buffer();
        run.writeTarget(out);
        String text = out.toString(StandardCharsets.ISO_8859_1);
        out.release();
        return text;
    }

    /** The origin that the route names. */
    static String origin(ProgramRun run) {
        return Objects.requireNonNull(run.route()).origins().getFirst().url();
    }

    /** The body of a fixed answer. */
    static String body(@Nullable Action action) {
        return new String(((Action.Respond) Objects.requireNonNull(action)).body(), StandardCharsets.UTF_8);
    }

    /** What the origin gets in a field that the program sets; null: nothing. */
    static @Nullable String sent(ProgramRun run, String field) {
        HeaderEdits edits = run.requestEdits();
        return edits == null ? null : edits.set().get(field);
    }
}
