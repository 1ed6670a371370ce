package io.weir.kernel;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.work.WorkConfig;
import io.weir.kernel.work.WorkManagerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A kernel with an echo listener, and everything that a test wants to look at. */
public final class TestKernel implements AutoCloseable {
    public final Stats stats = new Stats();
    public final RecordingLog log = new RecordingLog();
    public final Live<KernelConfig> config;
    public final Kernel kernel;
    public final EchoProtocol echo;
    public final Listener listener;

    public TestKernel(String... settings) throws BindFailure {
        this(SystemClock.INSTANCE, Map.of(), settings);
    }

    public TestKernel(Clock clock, Map<String, WorkManagerConfig> work, String... settings) throws BindFailure {
        this(clock, work, WorkConfig.NONE, settings);
    }

    public TestKernel(Clock clock, Map<String, WorkManagerConfig> work, WorkConfig classes, String... settings)
            throws BindFailure {
        this(clock, work, classes, null, false, settings);
    }

    /** That of one of several processes. */
    public static TestKernel sharing(Path tickets) throws BindFailure {
        return new TestKernel(SystemClock.INSTANCE, Map.of(), WorkConfig.NONE, tickets, false);
    }

    /** That of a listener that must answer whatever strangers do. */
    public static TestKernel makingRoom(Clock clock, String... settings) throws BindFailure {
        return new TestKernel(clock, Map.of(), WorkConfig.NONE, null, true, settings);
    }

    private TestKernel(
            Clock clock,
            Map<String, WorkManagerConfig> work,
            WorkConfig classes,
            @Nullable Path tickets,
            boolean makesRoom,
            String... settings)
            throws BindFailure {
        this.config = new Live<>(Configs.kernel(settings));
        KernelParts parts = new KernelParts(config, work, clock, stats, log)
                .with(new Live<>(classes))
                .sharing(tickets);
        this.kernel = new Kernel(makesRoom ? parts.makingRoom() : parts);
        this.echo = new EchoProtocol(kernel);
        this.listener = kernel.open("echo", Configs.listener(), echo);
    }

    /** Connections whose client is waited for: what ends that wait is armed. */
    public int awaited() {
        return kernel.intake().awaited();
    }

    public LineClient client() throws IOException {
        return LineClient.to(listener);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
