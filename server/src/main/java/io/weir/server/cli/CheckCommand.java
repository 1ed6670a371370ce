package io.weir.server.cli;

import io.weir.base.Chance;
import io.weir.base.ConfigProblem;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.proxy.program.Explain;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.run.Program;
import io.weir.server.cluster.ClassWarnings;
import io.weir.server.cluster.DatabaseProblems;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.config.PoolNames;
import io.weir.server.config.ProblemOrder;
import io.weir.server.config.Rehearsal;
import io.weir.server.config.Warnings;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.DataDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir check}: reads a configuration, reports all errors in it, and warns of settings that cannot take effect.
 * Lives for one call.
 */
@Command(
        name = "check",
        description = "Checks a configuration and reports every problem.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir check --explain http://localhost/ --method POST")
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            converter = ConfigOptions.NamedFile.class,
            description = "the configuration file")
    private @Nullable Path file;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--print-default", description = "prints the embedded default configuration")
    private boolean printDefault;

    @Option(names = "--explain", paramLabel = "URL", description = "prints what runs for a request of this URL")
    private @Nullable String explain;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            defaultValue = "GET",
            description = "method of that request (default: ${DEFAULT-VALUE})")
    private String method = "GET";

    @Option(names = "--proxied", description = "the request is in proxy form, with its whole URL")
    private boolean proxied;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (printDefault) {
            out.print(ConfigLoader.defaultText());
            out.flush();
            return 0;
        }
        if (file != null && options.namesFile()) {
            throw new ParameterException(
                    spec.commandLine(), "--config and FILE name two configurations: give one, the file is " + file);
        }
        if (!method.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            throw new ParameterException(
                    spec.commandLine(), "--method " + method + ": expected a method such as GET, without blanks");
        }
        if (explain != null) {
            requireTarget(explain);
        }
        LoadedConfig loaded = (file == null ? options.loader() : options.loaderFor(file)).load();
        if (explain != null && loaded.usable()) {
            out.print(explanation(loaded, explain));
            out.flush();
            return 0;
        }
        PrintWriter err = spec.commandLine().getErr();
        Rehearsal rehearsal = Rehearsal.of(loaded, options.dataDir(loaded));
        List<ConfigProblem> refusals = new ArrayList<>(loaded.problems());
        refusals.addAll(rehearsal.problems());
        refusals.addAll(DatabaseProblems.of(loaded, options.dataDir(loaded)));
        if (!refusals.isEmpty()) {
            refusals.sort(ProblemOrder.FILE_BY_FILE);
            rehearsal.warnings().forEach(warning -> err.println("warning: " + warning));
            report(refusals, loaded.source(), err);
            return 1;
        }
        Path dataDir = options.dataDir(loaded);
        List<ConfigProblem> warnings = new ArrayList<>(rehearsal.warnings());
        warnings.addAll(Warnings.of(loaded, dataDir));
        warnings.addAll(ClassWarnings.of(loaded, dataDir));
        warnings.forEach(warning -> err.println("warning: " + warning));
        loaded.notes().forEach(note -> err.println("note: " + note));
        out.println(loaded.source() + ": the configuration is correct.");
        running(dataDir, out);
        return 0;
    }

    /** A start would be refused: names the commands that apply the file to the running server. */
    private static void running(Path dataDir, PrintWriter out) {
        try {
            Long holder = DataDirectory.holder(dataDir);
            if (holder != null) {
                out.println("A server (process " + holder + ") runs in " + dataDir
                        + ": ./weir config reload or ./weir upgrade gives it this configuration; a second one would not start"
                        + " there.");
            }
        } catch (IOException e) {
            // problems of the folder are reported already
        }
    }

    private void requireTarget(String url) {
        boolean tunnel = method.equals("CONNECT");
        // a URL that lacks a host or a bracket is no question about routes
        boolean broken = url.contains("://")
                && !url.matches(
                        "[A-Za-z][A-Za-z0-9+.-]*://([^/?#\\[\\]]+|([^/?#@]*@)?\\[[^\\]/]+\\](:\\d*)?)([/?#].*)?");
        if (broken
                || (tunnel
                        ? !url.matches("[^/]+:\\d+")
                        : !url.startsWith("/") && !url.contains("://") && !url.equals("*"))) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--explain " + url + ": expected "
                            + (tunnel
                                    ? "host:port, such as example.com:443"
                                    : "a URL, such as http://example.com/path, or a path"));
        }
    }

    /** The program that runs for requests. */
    static Program program(LoadedConfig loaded) {
        WeirConfig config = loaded.value();
        Set<String> pools = new TreeSet<>(config.workManagers().keySet());
        pools.add(Kernel.DEFAULT);
        return Programs.compile(
                        config.proxy(),
                        config.virtualServers(),
                        new PoolNames(pools, config.requestClasses().keySet()),
                        loaded.functions(),
                        Chance.unseeded(),
                        loaded.tree())
                .orThrow();
    }

    private String explanation(LoadedConfig loaded, String url) {
        WeirConfig config = loaded.value();
        Program program = program(loaded);
        Map.Entry<String, ListenerConfig> listener = config.listeners().entrySet().stream()
                .filter(l -> l.getValue().protocol() == ListenerProtocol.HTTP)
                .findFirst()
                .orElseThrow(() -> new CliFailure("no listener has the protocol http, so no URL is answered"));
        return Explain.explain(
                program,
                new Explain.Question(
                        method,
                        url,
                        InetAddress.getLoopbackAddress(),
                        listener.getKey(),
                        listener.getValue().virtualServer(),
                        proxied));
    }

    /** Prints every problem, one per line. */
    static void report(LoadedConfig loaded, PrintWriter err) {
        report(loaded.problems(), loaded.source(), err);
    }

    private static void report(List<ConfigProblem> problems, String source, PrintWriter err) {
        for (ConfigProblem p : problems) {
            err.println(p);
        }
        int n = problems.size();
        err.println("weir: " + n + (n == 1 ? " problem" : " problems") + " in the configuration " + source);
    }
}
