package io.weir.proxy.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.proxy.cache.store.FetchedFrom;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an answer was fetched, as one member tells another. */
class OwnerMarkTest {
    @Test
    void itIsReadAsItWasWritten() throws Exception {
        assertThat(OwnerMark.read(OwnerMark.text(null))).isNull();
        assertThat(OwnerMark.read(OwnerMark.text(FetchedFrom.PARENT))).isSameAs(FetchedFrom.PARENT);
        List<InetAddress> both = List.of(InetAddress.getByName("192.0.2.1"), InetAddress.getByName("2001:db8::1"));
        FetchedFrom read = Objects.requireNonNull(OwnerMark.read(OwnerMark.text(FetchedFrom.of(both))));
        assertThat(read.addresses()).isEqualTo(both);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "here", "192.0.2.1,", "www.example.com", "1,2,3,4,5,6,7,8,9"})
    void nothingElseIsRead(String text) {
        assertThatThrownBy(() -> OwnerMark.read(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
