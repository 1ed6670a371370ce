package io.weir.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.journal.settings.JournalFault;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused, and that what is named as enough is. */
class StartRoomTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 20, 59, 60, 61, 100, 700, 5000, 200_000})
    void whatIsNamedIsEnoughAndNotMuchMore(long mib) {
        long need = mib * MIB;
        long most = StartRoom.most(need, StartRoom.SERVER);
        // a serial collector counts a survivor space out
        StartRoom enough = new StartRoom(most - most / 20, most);
        assertThat(enough.holds(need, 0)).isTrue();
        assertThat(new StartRoom(most - most / 8, most).holds(need, 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {24, 40, 64, 256, 512, 4096, 65536})
    void whatProducersMayStoreFitsTheNextStart(long mib) {
        StartRoom room = new StartRoom(mib * MIB, mib * MIB);
        MemoryEstimate one = new MemoryEstimate(room);
        long messages = Math.max(mib * MIB / 8, mib * MIB - StartRoom.SERVER) / 2 / 576;
        one.message(1, 100);
        one.marked();
        assertThat(one.all() * messages).isLessThanOrEqualTo(room.heap());
    }

    @Test
    void ofHeapAndDirectMemoryThatIsNamedWhichIsShort() {
        StartRoom room = new StartRoom(100 * MIB, 100 * MIB);
        assertThat(room.enoughFor(200 * MIB, 0)).matches("-Xmx\\d+m");
        assertThat(room.enoughFor(0, 200 * MIB)).matches("-XX:MaxDirectMemorySize=\\d+m");
        assertThat(room.enoughFor(200 * MIB, 200 * MIB)).matches("-Xmx\\d+m -XX:MaxDirectMemorySize=\\d+m");
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 110_917, 5_000_000})
    void whatIsNamedForSendingTakesFurtherMessages(int messages) {
        String options = new StartRoom(40 * MIB, 40 * MIB).enoughToSend(messages, 0, messages * 200L);
        Matcher xmx = Pattern.compile("-Xmx(\\d+)m(?: -XX:MaxDirectMemorySize=(\\d+)m)?")
                .matcher(options);
        assertThat(xmx.matches()).as(options).isTrue();
        long heap = Long.parseLong(xmx.group(1)) * MIB;
        // a serial collector counts a survivor space out
        long filled = (heap - heap / 20 - StartRoom.SERVER) / 2 / 576;
        assertThat(filled).as("what limits.messages-in-memory is then").isGreaterThan(messages);
        if (xmx.group(2) != null) {
            assertThat(Long.parseLong(xmx.group(2)) * MIB / 2).isGreaterThan(messages * 200L);
        }
    }

    @Test
    void furtherCopiesCountAndThoseThatWereRemovedCountLess() {
        StartRoom room = new StartRoom(100 * MIB, 100 * MIB);
        MemoryEstimate many = new MemoryEstimate(room);
        for (int i = 0; i < 2000; i++) {
            many.message(200, 10);
        }
        assertThatThrownBy(many::check)
                .isInstanceOf(JournalFault.class)
                .hasMessageContaining("2000 messages with 398000 further copies and 20000 bytes")
                .hasMessageContaining("Start with -Xmx")
                .hasMessageContaining("so that it accepts further messages at once, with -Xmx");
        MemoryEstimate few = new MemoryEstimate(room);
        for (int i = 0; i < 2000; i++) {
            few.message(150, 10);
            for (int k = 0; k < 149; k++) {
                few.removed();
            }
        }
        assertThatCode(few::check).doesNotThrowAnyException();
    }
}
