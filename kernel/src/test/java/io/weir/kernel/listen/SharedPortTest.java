package io.weir.kernel.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.weir.kernel.Configs;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listening sockets that outlive who accepts on them. */
class SharedPortTest {
    private final IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

    @AfterEach
    void end() {
        var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void connectionsWaitInTheSocketUntilTheNextListenerTakesThem() throws Exception {
        try (SharedPort port = SharedPort.open("shared", Configs.listener(), 1, loops);
                TestKernel k = new TestKernel();
                LineClient first = LineClient.to(port.address())) {
            Listener one = k.kernel.open("one", Configs.listener(), k.echo, Descriptors.duplicate(port.descriptor(0)));
            assertThat(one.address()).isEqualTo(port.address());
            first.ask("before");
            one.close();
            try (LineClient second = LineClient.to(port.address())) {
                k.kernel.open("two", Configs.listener(), k.echo, Descriptors.duplicate(port.descriptor(0)));
                second.ask("between");
            }
        }
    }

    /** Which of the sockets of a port the system gives a connection to, it does not say: so a port has one here. */
    @Test
    void socketOfAnotherProcessIsAcceptedFromForAsLongAsThatCannot() throws Exception {
        try (SharedPort port = SharedPort.open("mine", Configs.listener(), 1, loops);
                SharedPort dead = SharedPort.open("theirs", Configs.listener(), 1, loops);
                TestKernel k = new TestKernel();
                LineClient waits = LineClient.to(dead.address())) {
            Listener one = k.kernel.open("one", Configs.listener(), k.echo, Descriptors.duplicate(port.descriptor(0)));
            waits.send("came before anybody was there");
            Set<Integer> also = Set.of(dead.descriptor(0));
            one.also(also);
            one.also(also);
            assertThat(waits.receive()).contains("came before anybody was there");
            try (LineClient next = LineClient.to(dead.address());
                    LineClient own = LineClient.to(port.address())) {
                assertThat(next.ask("next")).contains("next");
                assertThat(own.ask("own")).contains("own");
            }
            one.also(Set.of());
            try (LineClient later = LineClient.to(dead.address())) {
                later.send("for the next of its own");
                long accepted = one.accepted();
                Listener two =
                        k.kernel.open("two", Configs.listener(), k.echo, Descriptors.duplicate(dead.descriptor(0)));
                assertThat(later.receive()).contains("for the next of its own");
                assertThat(one.accepted()).isEqualTo(accepted);
                assertThat(two.accepted()).isEqualTo(1);
            }
            one.close();
            one.also(also);
        }
    }

    @Test
    void eachProcessHasASocketOfItsOwn() throws Exception {
        try (SharedPort port = SharedPort.open("shared", Configs.listener(), 3, loops)) {
            assertThat(new int[] {port.descriptor(0), port.descriptor(1), port.descriptor(2)})
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void portThatSomebodySharesAlreadyIsRefused() throws Exception {
        try (SharedPort port = SharedPort.open("shared", Configs.listener(), 2, loops)) {
            ListenerConfig same = Configs.listener("port=" + port.address().getPort());
            assertThatThrownBy(() -> SharedPort.open("again", same, 2, loops))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("already in use");
        }
    }

    @Test
    void onlyEpollTakesOver() throws Exception {
        try (SharedPort port = SharedPort.open("shared", Configs.listener(), 1, loops);
                TestKernel k = new TestKernel("muxer=nio")) {
            assertThatThrownBy(() -> k.kernel.open("one", Configs.listener(), k.echo, port.descriptor(0)))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("only epoll");
        }
    }
}
