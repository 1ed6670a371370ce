package io.weir.server.cli;

import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.processes.Orders;
import io.weir.server.processes.WorkerLink;
import io.weir.server.start.Post;
import io.weir.server.start.ServerParts;
import io.weir.server.start.Share;
import io.weir.server.start.StartFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * One process of several (server.processes), started by the supervisor only: serves on the sockets that it is given
 * until it is stopped or the supervisor is gone. Lives as long as the process.
 */
@Command(name = "worker", hidden = true, description = "One process of several; the supervisor starts it.")
final class WorkerCommand implements Callable<Integer> {
    /** Discards the console notices of several processes; the logs have them. */
    private static final PrintStream SILENT = new PrintStream(OutputStream.nullOutputStream());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--process", required = true, description = "its number")
    private int process;

    @Option(names = "--processes", required = true, description = "number of worker processes")
    private int processes;

    @Option(names = "--link", required = true, description = "the supervisor's socket")
    private Path link = Path.of("");

    @Option(names = "--sockets", required = true, split = ",", description = "listeners whose sockets it is given")
    private List<String> listeners = List.of();

    @Option(names = "--in-force", description = "uses the configuration of the other workers, not that of the files")
    private boolean inForce;

    @Option(names = "--beside", description = "another process with its number runs")
    private volatile boolean beside;

    private volatile Set<Integer> acceptingFor = Set.of();
    private final Stopper stopper = new Stopper();
    private volatile @Nullable WorkerLink supervisor;
    private final Post post = new Post(this::say);
    private final CompletableFuture<Server> started = new CompletableFuture<>();
    private volatile @Nullable Server server;

    @Override
    public Integer call() throws Exception {
        LoadedConfig loaded = loaded();
        if (!loaded.usable()) {
            CheckCommand.report(loaded, spec.commandLine().getErr());
            return 1;
        }
        // until it accepts connections there is nothing to drain
        stopper.idle();
        Runtime.getRuntime().addShutdownHook(new Thread(stopper, "weir.Stop"));
        try {
            List<String> names = listeners.stream().filter(n -> !n.isEmpty()).toList();
            WorkerLink opened = WorkerLink.open(link, names.size() * processes, this::order, WorkerCommand::end);
            supervisor = opened;
            Path dataDir = options.dataDir(loaded);
            Server it = start(loaded, dataDir, share(opened, names));
            server = it;
            it.siblings().beside(beside);
            stopper.stop = () -> {
                // in any case, other processes accept new connections from now on
                draining(it);
                it.stop();
                counted(it);
            };
            stopper.decided.countDown();
            it.about().forEach((key, value) -> {
                if (process == 1 && !names.contains(key.replaceFirst("^listener\\.", "")) && !key.equals("admin")) {
                    opened.say(Orders.AT + " " + key + "=" + value);
                }
            });
            opened.say(Orders.READY + " " + it.adminAuthority());
            started.complete(it);
            // the server may end by itself; an order of the supervisor ends the process here
            stopper.status = it.failure().get();
            return stopper.status;
        } finally {
            // a start that failed exits with its own status
            boolean _ = stopper.begin();
            stopper.decided.countDown();
        }
    }

    private LoadedConfig loaded() throws IOException {
        String original = System.getenv(Share.ORIGINAL);
        ConfigLoader loader = options.loader();
        LoadedConfig read = (original == null ? loader : loader.shownAs(original)).load();
        // it is whole: what is wrong in files meanwhile does not matter
        return inForce ? read.inForce(link.resolveSibling(Share.IN_FORCE)) : read;
    }

    private Share share(WorkerLink opened, List<String> names) {
        Map<String, List<Integer>> sockets = new LinkedHashMap<>();
        for (int i = 0; i < opened.sockets().size(); i++) {
            sockets.computeIfAbsent(names.get(i % names.size()), _ -> new ArrayList<>())
                    .add(opened.sockets().get(i));
        }
        Path folder = link.toAbsolutePath().resolveSibling(Integer.toString(process));
        return new Share(
                process,
                processes,
                sockets,
                Objects.requireNonNullElse(System.getenv(Share.RUN), ""),
                folder,
                folder.resolve("process-" + ProcessHandle.current().pid()),
                beside,
                post);
    }

    private Server start(LoadedConfig loaded, Path dataDir, Share share) {
        try {
            return Server.start(new ServerParts(
                    loaded, dataDir, SystemClock.INSTANCE, SILENT, VersionCommand.version(), share, this::begin));
        } catch (StartFailure e) {
            throw new CliFailure("worker " + share.process() + " did not start: " + e.getMessage(), e);
        }
    }

    private void begin() throws IOException {
        if (!stopper.begin()) {
            throw new IOException("it was stopped before it accepted anything");
        }
    }

    /** Called on the link's thread, which must keep reading. */
    private void order(String line) {
        switch (Orders.word(line)) {
            case Orders.DRAIN -> end();
            case Orders.RELEASE -> on("weir.Release", this::release);
            case Orders.RETIRE -> on("weir.Retire", this::retire);
            case Orders.REOPEN -> on("weir.Reopen", Server::reopenLogs);
            case Orders.FOLLOW -> on("weir.Follow", Server::follow);
            case Orders.BESIDE -> beside(true);
            case Orders.ALONE -> beside(false);
            case Orders.STAND_IN -> {
                acceptingFor = Orders.numbers(Orders.rest(line));
                on("weir.AcceptFor", this::acceptFor);
            }
            case Orders.WELL -> answerProbe();
            case Orders.OTHERS -> post.others(Orders.rest(line));
            case Orders.FROM -> post.arrived(Orders.rest(line));
            default -> {
                // an order of another version
            }
        }
    }

    /** Orders during the start are executed once it has started. */
    private void on(String name, Consumer<Server> action) {
        var _ = started.thenAccept(it -> new Thread(() -> action.accept(it), name).start());
    }

    /** Accepted during the start, too. */
    private void beside(boolean another) {
        beside = another;
        Server it = server;
        if (it != null) {
            it.siblings().beside(another);
        }
    }

    /** The last of several threads applies the latest order. */
    private void acceptFor(Server it) {
        synchronized (stopper) {
            try {
                it.siblings().acceptFor(acceptingFor);
            } catch (IOException | RuntimeException e) {
                System.err.println("weir: the sockets of processes " + acceptingFor + " are not accepted from: " + e);
            }
        }
    }

    /** Answers at once during the start, because recovering a journal can take long. */
    private void answerProbe() {
        Server it = server;
        if (it == null) {
            say(Orders.WELL);
        } else {
            var _ = it.turn().thenRun(() -> say(Orders.WELL));
        }
    }

    private void release(Server it) {
        it.release();
        say(Orders.RELEASED);
    }

    private void retire(Server it) {
        draining(it);
        it.retire();
        counted(it);
        Runtime.getRuntime().halt(0);
    }

    private void draining(Server it) {
        say(Orders.DRAINING + " " + it.drainTimeOut().toMillis());
    }

    /** Reports the final counts, so that they are not lost. */
    private void counted(Server it) {
        WorkerLink to = supervisor;
        try {
            if (to != null) {
                to.counted(it.figures());
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("weir: the last counts could not be reported: " + e);
        }
    }

    private void say(String line) {
        WorkerLink to = supervisor;
        if (to != null) {
            to.say(line);
        }
    }

    private static void end() {
        new Thread(() -> System.exit(0), "weir.End").start();
    }
}
