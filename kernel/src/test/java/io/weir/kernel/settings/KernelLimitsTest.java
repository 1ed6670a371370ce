package io.weir.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.kernel.Configs;
import io.weir.kernel.TestKernel;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelLimitsTest {
    private static final Machine MACHINE = new Machine(20_000, 4);

    private static KernelLimits limits(String... settings) {
        return new KernelLimits(
                new Live<>(Configs.kernel(settings)), MACHINE, Configs.work().mostThreads(MACHINE));
    }

    @Test
    void defaultsAreDerivedFromDescriptorsAndProcessors() throws Exception {
        KernelLimits l = limits();
        assertThat(l.maxConnections()).isEqualTo(16_000);
        assertThat(l.keepAlive()).isEqualTo(15_000);
        assertThat(l.queueCapacity()).isEqualTo(4_000);
        assertThat(l.throttle()).isEqualTo(128);
        assertThat(l.displayedQueueLimit()).isEqualTo(19_128);
        assertThat(l.maxFor(InetAddress.getByName("192.0.2.1"))).isEqualTo(8_000);
        assertThat(l.maxFor(InetAddress.getLoopbackAddress())).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void eachDerivedValueIsToldAtFineAndConfiguredOnesAreNot() {
        RecordingLog log = new RecordingLog();
        limits("max-connections=100", "keep-alive.max-connections=10").log(log);
        assertThat(log.entries())
                .extracting(e -> List.of(e.arguments().get(0), e.arguments().get(1)))
                .containsExactly(
                        List.of("max-connections-per-address (not loopback)", 50),
                        List.of("request-throttle", 128),
                        List.of("connection-queue.capacity", 25));
    }

    @Test
    void configuredAddressLimitHoldsForLoopbackToo() throws Exception {
        assertThat(limits("max-connections-per-address=7").maxFor(InetAddress.getLoopbackAddress()))
                .isEqualTo(7);
    }

    @Test
    void percentSocketReadersMattersOnlyToTheJavaMuxer() {
        assertThat(limits().socketReaders(MuxerKind.EPOLL)).isEqualTo(4);
        assertThat(limits("percent-socket-readers=1").socketReaders(MuxerKind.EPOLL))
                .isEqualTo(4);
        assertThat(limits().socketReaders(MuxerKind.NIO)).isEqualTo(4);
        assertThat(limits("percent-socket-readers=2").socketReaders(MuxerKind.NIO))
                .isEqualTo(2);
        assertThat(limits("socket-readers=3").socketReaders(MuxerKind.EPOLL)).isEqualTo(3);
        assertThat(limits("socket-readers=3", "percent-socket-readers=2").socketReaders(MuxerKind.NIO))
                .isEqualTo(3);
    }

    @Test
    void percentIsSaidToBeMeaninglessWithNativeMuxersOnlyWhenItWasSet() throws Exception {
        try (TestKernel unset = new TestKernel();
                TestKernel set = new TestKernel("percent-socket-readers=50");
                TestKernel java = new TestKernel("muxer=nio", "percent-socket-readers=50")) {
            assertThat(unset.log.count(KernelMessages.PERCENT_MEANINGLESS)).isZero();
            assertThat(set.log.count(KernelMessages.PERCENT_MEANINGLESS)).isOne();
            assertThat(java.log.count(KernelMessages.PERCENT_MEANINGLESS)).isZero();
            assertThat(java.log.count(KernelMessages.JAVA_IO)).isOne();
        }
    }

    @Test
    void thisMachineIsRead() {
        Machine here = Machine.current();
        assertThat(here.descriptors()).isGreaterThan(256);
        assertThat(here.processors()).isPositive();
    }
}
