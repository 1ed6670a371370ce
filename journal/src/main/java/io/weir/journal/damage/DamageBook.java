package io.weir.journal.damage;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.journal.disk.Disk;
import io.weir.journal.settings.JournalMessages;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The damage found in a journal, across restarts, until it is acknowledged; bounded. An acknowledged place is kept as
 * long as its segment exists, because each start finds it again. Shared, behind one lock: views read it, and it is
 * written only when damage is found.
 */
public final class DamageBook implements Damages {
    /** Maximum of listed places. */
    static final int MOST = 1000;
    /** Maximum of places kept, including acknowledged ones; further places are found again by each start. */
    static final int MOST_KEPT = 10 * MOST;
    /** Maximum of lines about what was lost at one place. */
    static final int MOST_LINES = 20;

    private static final int LONGEST_LINE = 400;

    private final String journal;
    private final DamageFile file;
    private final Clock clock;
    private final Log log;
    private List<Damage> places = List.of();
    private long next = 1;
    private long beyond;

    public DamageBook(String journal, Disk disk, Clock clock, Log log) {
        this.journal = journal;
        this.file = new DamageFile(disk, journal);
        this.clock = clock;
        this.log = log;
    }

    /** Reads the damage found before. An unreadable list is set aside, and recorded as damage itself. */
    public synchronized void read() {
        try {
            take(file.read());
        } catch (IOException e) {
            log.log(JournalMessages.DAMAGE_UNREADABLE, journal, e);
            try {
                file.putAside();
            } catch (IOException again) {
                log.log(JournalMessages.DAMAGE_NOT_KEPT, journal, again);
            }
            add(List.of(of(
                    "start",
                    file.name(),
                    0,
                    -1,
                    "the list of damage cannot be read: " + e.getMessage(),
                    List.of("unacknowledged damage found earlier is no longer listed"))));
        }
    }

    private void take(DamageFile.Content c) {
        places = c.places();
        next = c.next();
        beyond = c.beyond();
    }

    /** Creates the description of a place found now. */
    public Damage of(String by, String segment, long offset, long length, String cause, List<String> lost) {
        List<String> lines = new ArrayList<>();
        for (String line : lost.subList(0, Math.min(lost.size(), MOST_LINES))) {
            lines.add(line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…");
        }
        if (lost.size() > MOST_LINES) {
            lines.add(lost.getLast());
        }
        return new Damage(0, clock.millis(), by, segment, offset, length, cause, lines, "");
    }

    /** Whether a place was found before. */
    public synchronized boolean knows(String segment, long offset) {
        return places.stream().anyMatch(d -> d.file().equals(segment) && d.offset() == offset);
    }

    /** Whether a place was acknowledged: it still exists, but is no longer reported. */
    public synchronized boolean isAcknowledged(String segment, long offset) {
        return places.stream().anyMatch(d -> !d.isOpen() && d.file().equals(segment) && d.offset() == offset);
    }

    /** Adds places; those found before are ignored. */
    public synchronized void add(List<Damage> found) {
        List<Damage> all = new ArrayList<>(places);
        long listed = all.stream().filter(Damage::isOpen).count();
        boolean news = false;
        for (Damage d : found) {
            if (all.stream().noneMatch(d::isAt)) {
                news = true;
                if (listed < MOST && all.size() < MOST_KEPT) {
                    listed++;
                    all.add(d.numbered(next++));
                } else {
                    beyond++;
                }
            }
        }
        if (news) {
            places = List.copyOf(all);
            store();
        }
    }

    /** Removes acknowledged places of segments that no longer exist; these segments exist. */
    public synchronized void retain(Set<String> segments) {
        List<Damage> left = places.stream()
                .filter(d -> d.isOpen() || segments.contains(d.file()))
                .toList();
        if (left.size() < places.size()) {
            places = left;
            store();
        }
    }

    private void store() {
        try {
            file.write(new DamageFile.Content(places, next, beyond));
        } catch (IOException e) {
            // it is known until the process ends, and what is still in its segment is found again by the next start
            log.log(JournalMessages.DAMAGE_NOT_KEPT, journal, e);
        }
    }

    /** Logs the open damage, at a start. */
    public void report() {
        if (!isClear()) {
            log.log(JournalMessages.DAMAGE_OPEN, journal, open().size() + beyond());
        }
    }

    @Override
    public String journal() {
        return journal;
    }

    @Override
    public synchronized List<Damage> open() {
        return places.stream().filter(Damage::isOpen).toList();
    }

    @Override
    public synchronized long beyond() {
        return beyond;
    }

    @Override
    public synchronized int acknowledge(long upTo, String by) throws IOException {
        String who = by + ", " + Instant.ofEpochMilli(clock.millis());
        List<Damage> after = new ArrayList<>();
        int n = 0;
        for (Damage d : places) {
            boolean now = d.isOpen() && d.number() <= upTo;
            after.add(now ? d.acknowledged(who) : d);
            n += now ? 1 : 0;
        }
        if (n > 0 || (beyond > 0 && places.stream().noneMatch(Damage::isOpen))) {
            file.write(new DamageFile.Content(after, next, 0));
            places = List.copyOf(after);
            beyond = 0;
            log.log(JournalMessages.DAMAGE_ACKNOWLEDGED, by, n, journal);
        }
        return n;
    }
}
