package io.weir.journal.damage;

import java.util.List;

/**
 * A place in a journal whose content is not what was written. Immutable.
 *
 * @param number ascending within the journal
 * @param found wall-clock milliseconds
 * @param by what found it: {@code start} or {@code compaction}
 * @param file the segment
 * @param offset in it, bytes
 * @param length bytes; -1 if unknown
 * @param cause what is wrong with it
 * @param lost what was lost, as far as known, a line each
 * @param acknowledged by whom and when; empty if not acknowledged
 */
public record Damage(
        long number,
        long found,
        String by,
        String file,
        long offset,
        long length,
        String cause,
        List<String> lost,
        String acknowledged) {
    public Damage {
        lost = List.copyOf(lost);
    }

    public boolean isOpen() {
        return acknowledged.isEmpty();
    }

    Damage numbered(long n) {
        return new Damage(n, found, by, file, offset, length, cause, lost, acknowledged);
    }

    Damage acknowledged(String who) {
        return new Damage(number, found, by, file, offset, length, cause, lost, who);
    }

    /** Whether both are the same place, which each start finds again while its segment exists. */
    boolean isAt(Damage other) {
        return file.equals(other.file) && offset == other.offset;
    }
}
