package io.weir.server.cli;

import io.weir.base.SystemClock;
import io.weir.kernel.Listener;
import io.weir.server.Server;
import io.weir.server.ServerParts;
import io.weir.server.StartFailure;
import io.weir.server.config.LoadedConfig;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
        Server server = start(loaded, dataDir);
        greet(server);
        if (detached) {
            server.detach();
        }
        return untilStopped(server);
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
            if (!l.secure()) {
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
     * The signal's hook does the stopping and ends the process itself: a virtual machine that a signal ends would
     * otherwise exit with the signal's code, and a drained stop is no failure.
     */
    private static int untilStopped(Server server) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.stop();
                            Runtime.getRuntime().halt(0);
                        },
                        "weir.Stop"));
        never.await();
        return 0;
    }
}
