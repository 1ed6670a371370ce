package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

/** The check that other tests rely on does find a buffer. */
class LeakCheckTest {
    @Test
    void theOneBufferThatIsNotReleasedIsFound() {
        LeakCheck.begin();
        for (int i = 0; i < 100; i++) {
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        LeakCheck.end(2);
        lose();
        assertThatThrownBy(() -> LeakCheck.end(2))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("leaked buffers");
        LeakCheck.begin();
    }

    private static void lose() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16).writeByte(1);
    }
}
