package io.weir.lab.bench;

import io.weir.base.SystemClock;
import io.weir.lab.bench.disk.DiskBench;
import io.weir.lab.bench.disk.DiskCommand;
import io.weir.lab.bench.disk.DiskOptions;
import io.weir.lab.bench.growth.GrowthBench;
import io.weir.lab.bench.growth.GrowthBenchCommand;
import io.weir.lab.bench.growth.GrowthOptions;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.HttpBench;
import io.weir.lab.bench.http.HttpBenchCommand;
import io.weir.lab.bench.jms.JmsBench;
import io.weir.lab.bench.jms.JmsBenchCommand;
import io.weir.lab.bench.jms.JmsBenchOptions;
import io.weir.lab.bench.matrix.MatrixBench;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.bench.rules.RulesBench;
import io.weir.lab.bench.rules.RulesCommand;
import io.weir.lab.bench.rules.RulesOptions;
import io.weir.lab.verb.Taker;
import io.weir.lab.verb.VerbLine;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code bench} of the launcher. Exit status: 0 measured, 1 could not, 2 misused. Lives for one call. */
@Command(
        name = "weir bench",
        description = "Compares Weir with other servers on this machine, or with itself as its work grows.",
        synopsisSubcommandLabel = "BENCHMARK",
        sortOptions = false)
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private BenchCommand() {}

    public static void main(String[] words) {
        System.exit(line(System.out, System.err).execute(words));
    }

    static CommandLine line(PrintStream out, PrintStream err) {
        return line(
                options -> http(options, WeirServer.Build.ofLauncher(), out),
                options -> new JmsBench(options, WeirServer.Build.ofLauncher(), SystemClock.INSTANCE, out).run(),
                options -> new GrowthBench(options, WeirServer.Build.ofLauncher(), SystemClock.INSTANCE, out).run(),
                options -> new RulesBench(options, WeirServer.Build.ofLauncher(), SystemClock.INSTANCE, out).run(),
                options -> new DiskBench(options, WeirServer.Build.ofLauncher(), SystemClock.INSTANCE, out).run(),
                out,
                err);
    }

    private static void http(BenchOptions options, WeirServer.Build build, PrintStream out) throws Exception {
        if (options.matrix() == null) {
            new HttpBench(options, build, SystemClock.INSTANCE, out).run();
        } else {
            new MatrixBench(options, options.matrix(), build, SystemClock.INSTANCE, out).run();
        }
    }

    /** The command line; these execute the requested benchmark. */
    public static CommandLine line(
            Taker<BenchOptions> http,
            Taker<JmsBenchOptions> jms,
            Taker<GrowthOptions> growth,
            Taker<RulesOptions> rules,
            Taker<DiskOptions> disk,
            PrintStream out,
            PrintStream err) {
        CommandLine line = new CommandLine(new BenchCommand())
                .addSubcommand(new HttpBenchCommand(http))
                .addSubcommand(new JmsBenchCommand(jms))
                .addSubcommand(new GrowthBenchCommand(growth))
                .addSubcommand(new RulesCommand(rules))
                .addSubcommand(new DiskCommand(disk));
        return VerbLine.of(line, out, err, BenchCommand::message);
    }

    private static String message(Exception e) {
        return switch (e) {
            case BenchFailure failure -> String.valueOf(failure.getMessage());
            case InterruptedException _ -> "interrupted";
            default -> "the benchmark failed: " + e;
        };
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "which benchmark? There are "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
