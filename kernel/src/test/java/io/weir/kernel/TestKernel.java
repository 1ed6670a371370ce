package io.weir.kernel;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A kernel with an echo listener, and everything that a test wants to look at. */
final class TestKernel implements AutoCloseable {
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final Live<KernelConfig> config;
    final Kernel kernel;
    final EchoProtocol echo;
    final Listener listener;

    TestKernel(String... settings) throws BindFailure {
        this(SystemClock.INSTANCE, Map.of(), settings);
    }

    TestKernel(Clock clock, Map<String, WorkManagerConfig> work, String... settings) throws BindFailure {
        this(clock, work, WorkConfig.NONE, settings);
    }

    TestKernel(Clock clock, Map<String, WorkManagerConfig> work, WorkConfig classes, String... settings)
            throws BindFailure {
        this(clock, work, classes, null, settings);
    }

    /** That of one of several processes. */
    static TestKernel sharing(Path tickets) throws BindFailure {
        return new TestKernel(SystemClock.INSTANCE, Map.of(), WorkConfig.NONE, tickets);
    }

    private TestKernel(
            Clock clock,
            Map<String, WorkManagerConfig> work,
            WorkConfig classes,
            @Nullable Path tickets,
            String... settings)
            throws BindFailure {
        this.config = new Live<>(Configs.kernel(settings));
        this.kernel = new Kernel(new KernelParts(config, work, clock, stats, log)
                .with(new Live<>(classes))
                .sharing(tickets));
        this.echo = new EchoProtocol(kernel);
        this.listener = kernel.open("echo", Configs.listener(), echo);
    }

    LineClient client() throws IOException {
        return LineClient.to(listener);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
