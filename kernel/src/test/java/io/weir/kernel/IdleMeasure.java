package io.weir.kernel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prints what an idle keep-alive connection costs the kernel's process, and how long the kernel's part of a hit takes. Run
 * it by hand; another process holds the clients: {@code java … IdleMeasure 5000}. It is no test: figures vary.
 */
final class IdleMeasure {
    private IdleMeasure() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("clients")) {
            clients(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            return;
        }
        int n = Integer.parseInt(arguments[0]);
        Live<KernelConfig> config = new Live<>(Configs.kernel("keep-alive.timeout=300s"));
        try (Kernel kernel =
                new Kernel(new KernelParts(config, Map.of(), SystemClock.INSTANCE, new Stats(), Log.NONE))) {
            Listener l = kernel.open("idle", Configs.listener(), new Bare(kernel));
            fill(l, kernel, 500); // classes, pools and tables exist afterwards
            report("base", kernel);
            Process many = fill(l, kernel, n);
            report("with idle connections", kernel);
            hits(kernel);
            many.destroy();
        }
    }

    /** Starts a process that opens connections, each with one answered request, and waits until all idle. */
    private static Process fill(Listener l, Kernel kernel, int n) throws Exception {
        int before = kernel.keepAlive().count();
        Process p = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        IdleMeasure.class.getName(),
                        "clients",
                        Integer.toString(l.address().getPort()),
                        Integer.toString(n))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Await.until("all idle", () -> kernel.keepAlive().count() >= before + n);
        return p;
    }

    private static void clients(int port, int n) throws IOException {
        List<LineClient> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            LineClient c =
                    LineClient.to(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), port));
            c.ask("x");
            all.add(c);
        }
        // Until the measuring process ends this one.
        int end = System.in.read();
        for (LineClient c : all) {
            c.leave();
        }
        System.out.println(end);
    }

    private static void report(String what, Kernel kernel) throws IOException {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        String rss = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(s -> s.startsWith("VmRSS"))
                .findFirst()
                .orElse("");
        System.out.println(what + ": " + kernel.connections() + " connections, heap " + heap + " bytes, " + rss);
    }

    private static void hits(Kernel kernel) throws Exception {
        Connection c = kernel.sessions().all().iterator().next();
        for (int round = 0; round < 5; round++) {
            long took = c.channel()
                    .eventLoop()
                    .submit(() -> {
                        long begin = SystemClock.INSTANCE.nanos();
                        for (int i = 0; i < 1_000_000; i++) {
                            c.busy();
                            c.state().begin("GET", "/", "default", begin);
                            kernel.connectionQueue().passed();
                            kernel.keepAlive().reserve(c);
                            c.idle();
                        }
                        return SystemClock.INSTANCE.nanos() - begin;
                    })
                    .get();
            System.out.println("kernel's part of a hit: " + took / 1_000_000 + " ns");
        }
    }

    /** The least that a protocol does. */
    private record Bare(Kernel kernel) implements Protocol {
        private static final ByteBuf ANSWER =
                Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("x\n", StandardCharsets.US_ASCII));

        @Override
        public void install(Connection connection, ChannelPipeline pipeline) {
            pipeline.addLast("bare", new Answer(connection));
        }

        private final class Answer extends SimpleChannelInboundHandler<ByteBuf> {
            private final Connection connection;

            Answer(Connection connection) {
                this.connection = connection;
            }

            @Override
            protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
                connection.busy();
                kernel.keepAlive().reserve(connection);
                var _ = ctx.writeAndFlush(ANSWER.duplicate());
                connection.idle();
            }
        }
    }
}
