package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.SystemClock;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.SegmentFiles;
import io.weir.journal.segment.Segments;
import io.weir.journal.segment.StaleCopies;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch's books when a group cannot be encoded. */
class BatchTest {
    @TempDir
    Path directory = Path.of(".");

    @Test
    void nothingOfAGroupThatFailedIsSettled() throws Exception {
        JournalConfig config = new Bench(directory).config();
        SegmentFiles files =
                new SegmentFiles("test", new FileDisk(directory), SystemClock.INSTANCE, Chance.seeded(1), config);
        Segments segments = new Segments(files, config, Runnable::run, SystemClock.INSTANCE, Log.NONE);
        LocationIndex index = new LocationIndex();
        SequenceSource sequences = new SequenceSource();
        sequences.startAfter(10_000);
        Batch batch = new Batch(segments, index, new StaleCopies(), sequences, config);
        Segment in = files.prepare(1, 1 << 20);
        segments.adopt(List.of(in), 1);
        in.sealed = false;
        batch.begin(in, 0);
        Group g = new Group(sequences).fenced(new Fence(5, 5));
        long added = g.add(1, Bench.text("x"));
        for (int id = 1; id <= 5000; id++) {
            index.put(id, LocationIndex.place(1, 512), 8);
            g.remove(id);
        }
        batch.add(g);
        assertThat(Bench.reason(g.fault)).isEqualTo(JournalFault.Reason.BAD_PAYLOAD);
        Group older = new Group(sequences).fenced(new Fence(4, 4));
        long second = older.add(1, Bench.text("y"));
        batch.add(older);
        assertThat(older.fault)
                .as("the fence of what was not written does not count")
                .isNull();
        batch.succeeded(batch.finish().limit());
        assertThat(index.get(added)).isEqualTo(LocationIndex.NONE);
        assertThat(index.get(second)).isNotEqualTo(LocationIndex.NONE);
        assertThat(index.count()).isEqualTo(5001);
        assertThat(batch.recordCount()).isEqualTo(1);
        in.file.close();
    }
}
