package io.weir.server.cli;

import io.weir.base.SystemClock;
import io.weir.kernel.Listener;
import io.weir.kernel.ListenerProtocol;
import io.weir.server.Server;
import io.weir.server.ServerParts;
import io.weir.server.StartFailure;
import io.weir.server.config.LoadedConfig;
import java.io.Console;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir run}: starts the server and stays until it is told to stop, then drains. Lives as long as the server. */
@Command(name = "run", description = "Starts the server.", sortOptions = false)
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--background", description = "returns when the server is ready and leaves it running")
    private boolean background;

    @Option(names = "--detached", hidden = true, description = "the background process itself")
    private boolean detached;

    @Override
    public Integer call() throws Exception {
        LoadedConfig loaded = options.loader().load();
        if (!loaded.usable()) {
            CheckCommand.report(loaded, spec.commandLine().getErr());
            return 1;
        }
        Path dataDir = options.dataDir(loaded);
        if (background) {
            return new Background(dataDir, spec.commandLine().getOut()).start();
        }
        Stopper stopper = new Stopper();
        Runtime.getRuntime().addShutdownHook(new Thread(stopper, "weir.Stop"));
        try {
            Server server = start(loaded, dataDir);
            stopper.server = server;
            stopper.decided.countDown();
            greet(server);
            server.announced();
            if (detached) {
                server.detach();
            }
            if (!Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)) {
                // with a terminal it means that the terminal is gone, and ends the server as it ends any program
                HangUp.runs(server::reopenLogs);
            }
            new CountDownLatch(1).await();
        } finally {
            stopper.decided.countDown();
        }
        return 0;
    }

    private static Server start(LoadedConfig loaded, Path dataDir) {
        try {
            return Server.start(
                    new ServerParts(loaded, dataDir, SystemClock.INSTANCE, System.out, VersionCommand.version()));
        } catch (StartFailure e) {
            throw new CliFailure("the server did not start: " + e.getMessage(), e);
        }
    }

    private void greet(Server server) {
        server.flushLog();
        PrintWriter out = spec.commandLine().getOut();
        for (Listener l : server.listeners()) {
            if (!l.secure() && l.config().protocol() == ListenerProtocol.HTTP) {
                InetSocketAddress at = l.address();
                String host = at.getAddress().isAnyLocalAddress()
                        ? "127.0.0.1"
                        : at.getAddress().getHostAddress();
                String base = "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort();
                out.println("Try:  curl -i " + base + "/");
                out.println("      curl -x " + base + " -i http://example.com/");
                break;
            }
        }
        out.flush();
    }

    /**
     * What a signal runs: stops the server and ends the process itself, because a virtual machine that a signal ends
     * would exit with the signal's code, and a drained stop is no failure. It is in place before the server starts; a
     * signal during the start waits for its end.
     */
    private static final class Stopper implements Runnable {
        private static final long START_SECONDS = 30;

        private final CountDownLatch decided = new CountDownLatch(1);
        private volatile @Nullable Server server;

        @Override
        public void run() {
            try {
                boolean known = decided.await(START_SECONDS, TimeUnit.SECONDS);
                Server running = server;
                if (known && running != null) {
                    running.stop();
                    Runtime.getRuntime().halt(0);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
