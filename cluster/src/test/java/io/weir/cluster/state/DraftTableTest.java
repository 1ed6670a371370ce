package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weir.cluster.state.entry.DraftTable;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class DraftTableTest {
    private static SortedMap<String, Integer> table(int size) {
        DraftTable<Integer> draft = new DraftTable<>(Collections.emptySortedMap());
        for (int i = 0; i < size; i++) {
            draft.put("name-" + i, i);
        }
        return draft.done();
    }

    private static long bytesOfAChange(SortedMap<String, Integer> before) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // the least of several: what loads classes or is compiled allocates once
        for (int i = 0; i < 20; i++) {
            long start = threads.getCurrentThreadAllocatedBytes();
            DraftTable<Integer> draft = new DraftTable<>(before);
            draft.put("name-5", -1);
            SortedMap<String, Integer> after = draft.done();
            long bytes = threads.getCurrentThreadAllocatedBytes() - start;
            assertThat(after).hasSize(before.size()).containsEntry("name-5", -1);
            least = Math.min(least, bytes);
        }
        return least;
    }

    @Test
    void aChangeCostsTheSameWithTenAndWithTenThousand() {
        assertThat(bytesOfAChange(table(10))).isLessThan(2_000);
        assertThat(bytesOfAChange(table(10_000))).isLessThan(8_000);
    }

    @Test
    void theStateBeforeStaysAsItIs() {
        SortedMap<String, Integer> before = table(100);
        DraftTable<Integer> draft = new DraftTable<>(before);
        draft.put("name-1", -1);
        draft.remove("name-2");
        draft.put("other", 7);
        assertThat(before).hasSize(100).containsEntry("name-1", 1).containsKey("name-2");
        assertThat(draft.done()).hasSize(100).containsEntry("name-1", -1).doesNotContainKey("name-2");
        assertThat(draft.done().firstKey()).isEqualTo("name-0");
        assertThat(draft.done().lastKey()).isEqualTo("other");
    }
}
