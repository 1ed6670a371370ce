package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeepAliveOfferTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            timeout=5 | 5 | -1
            timeout=5, max=100 | 5 | 100
            max=0,TIMEOUT = 15 | 15 | 0
            timeout="7" | 7 | -1
            timeout=9, timeout=3 | 3 | -1
            timeout=99999999999999999999 | 2147483647 | -1
            timeout=-1 | -1 | -1
            timeout=five | -1 | -1
            timeout | -1 | -1
            ,,x=1, | -1 | -1
            timeout= | -1 | -1
            """)
    void whatAServerSaysIsRead(String value, long seconds, long requests) {
        assertThat(KeepAliveOffer.parse(value)).isEqualTo(new KeepAliveOffer(seconds, requests));
    }

    @Test
    void nothingIsSaidByNothing() {
        assertThat(KeepAliveOffer.parse(null)).isEqualTo(KeepAliveOffer.parse(""));
    }

    @Test
    void idempotentAreSafeMethodsPutAndDelete() {
        assertThat(Method.values())
                .filteredOn(m -> m.idempotent() && !m.safe())
                .containsExactly(Method.PUT, Method.DELETE);
        assertThat(Method.values()).filteredOn(Method::safe).allMatch(Method::idempotent);
    }
}
