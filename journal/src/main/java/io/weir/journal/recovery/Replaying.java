package io.weir.journal.recovery;

import io.weir.journal.disk.Window;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.Segment;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Passes every live entry to the owner, in the order of ids. Confined to the opening thread; used for one start. */
public final class Replaying {
    private final String journal;
    private final Recovered recovered;
    private final RecoveryProgress progress;
    private final Map<Long, Window> windows = new HashMap<>();

    public Replaying(String journal, Recovered recovered, RecoveryProgress progress) {
        this.journal = journal;
        this.recovered = recovered;
        this.progress = progress;
    }

    public void to(Replay replay) throws IOException, JournalFault {
        Map<Long, Segment> segments = new HashMap<>();
        for (Segment s : recovered.segments()) {
            segments.put(s.number(), s);
        }
        long[] ids = recovered.index().sortedIds();
        int done = 0;
        for (long id : ids) {
            long place = recovered.index().get(id);
            Segment s = segments.get(LocationIndex.segment(place));
            if (s == null) {
                throw new IOException("entry " + id + " is in no segment");
            }
            one(id, s, LocationIndex.offset(place), replay);
            done++;
            if (progress.step()) {
                progress.log(JournalMessages.REPLAYING, journal, done, ids.length);
            }
        }
        replay.end();
    }

    private void one(long id, Segment s, long offset, Replay replay) throws IOException {
        Window w = windows.computeIfAbsent(s.number(), _ -> new Window(s.file, s.end));
        int head = w.at(offset, Records.HEADER);
        if (head < 0) {
            throw new IOException("segment " + s.name + " was truncated while it was read");
        }
        int type = w.buffer().getInt(head + Records.AT_TYPE);
        int length = w.buffer().getInt(head + Records.AT_LENGTH);
        ByteBuffer payload = w.view(offset + Records.HEADER, length);
        if (payload == null) {
            throw new IOException("segment " + s.name + " was truncated while it was read");
        }
        replay.entry(id, type, payload.asReadOnlyBuffer());
    }
}
