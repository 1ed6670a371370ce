package io.weir.lab.bench;

import io.weir.base.SystemClock;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.HttpBench;
import io.weir.lab.bench.http.OptionError;
import io.weir.lab.bench.jms.JmsBench;
import io.weir.lab.bench.jms.JmsOptions;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.WeirServer;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** The verb {@code bench} of the launcher. Stateless. */
public final class BenchCommand {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private BenchCommand() {}

    public static void main(String[] words) {
        System.exit(run(Arrays.asList(words), System.out, System.err));
    }

    /** Exit status: 0 measured, 1 could not, 2 misused. */
    public static int run(List<String> words, PrintStream out, PrintStream err) {
        if (words.contains("--help") || words.contains("-h")) {
            out.print(usage(words));
            return 0;
        }
        try {
            if (jms(words)) {
                JmsOptions options = JmsOptions.parse(words.subList(1, words.size()));
                new JmsBench(options, WeirServer.Build.ofLauncher(), SystemClock.INSTANCE, out).run();
            } else {
                BenchOptions options = BenchOptions.parse(words);
                new HttpBench(options, WeirServer.Build.ofLauncher(), SystemClock.INSTANCE, out).run();
            }
            return 0;
        } catch (OptionError e) {
            err.println("weir: " + e.getMessage());
            err.print(usage(words));
            return MISUSED;
        } catch (BenchFailure e) {
            err.println("weir: " + e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("weir: interrupted");
            return FAILED;
        } catch (Exception e) {
            err.println("weir: the benchmark failed: " + e);
            return FAILED;
        }
    }

    private static boolean jms(List<String> words) {
        return !words.isEmpty() && words.getFirst().equals("jms");
    }

    private static String usage(List<String> words) {
        return jms(words) ? JmsOptions.USAGE : BenchOptions.USAGE + "\n" + JmsOptions.USAGE;
    }
}
