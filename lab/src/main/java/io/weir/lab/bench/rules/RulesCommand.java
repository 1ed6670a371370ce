package io.weir.lab.bench.rules;

import io.weir.lab.verb.Taker;
import io.weir.lab.verb.VerbLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench rules}: its options. Lives for one call. */
@Command(
        name = "rules",
        description =
                "Measures response times by the number of assign-name directives in an obj.conf, beside those of the"
                        + " tuning guide's table, and what a request costs with 10,000 of them and with 10.",
        sortOptions = false,
        footerHeading = "%nExample:%n",
        footer = "  ./weir bench rules --rounds 3 --max-rules 1000")
public final class RulesCommand implements Callable<Integer> {
    private final Taker<RulesOptions> taker;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "6",
            description = "turns of each number of rules, 1 to 1000; fewer than 6 give no verdict (default:"
                    + " ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "1",
            description = "length of a turn under load in seconds, 1 to 600 (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--max-rules",
            paramLabel = "N",
            defaultValue = "10000",
            description = "larger numbers are left out, 100 to 10000 (default: ${DEFAULT-VALUE})")
    private int maxRules;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the bootstrap, a whole number (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--install", description = "installs missing programs with apt-get (default: installs nothing)")
    private boolean install;

    public RulesCommand(Taker<RulesOptions> taker) {
        this.taker = taker;
    }

    @Override
    public Integer call() throws Exception {
        VerbLine.range(spec, "--rounds", rounds, 1, 1000);
        VerbLine.range(spec, "--seconds", seconds, 1, 600);
        VerbLine.range(spec, "--max-rules", maxRules, 100, 10_000);
        taker.take(new RulesOptions(rounds, seconds, maxRules, install, seed));
        return 0;
    }
}
