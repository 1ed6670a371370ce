package io.weir.cluster.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The statements of the log table: entry n + 1 is written only by a member that saw entry n committed.
 *
 * <p>Why all readers see the same order without gaps, at READ COMMITTED: an entry's number is 1 + the highest number
 * among the rows that its insert's snapshot contains, and a snapshot contains what was committed before (and what the
 * transaction wrote itself). So when n + 1 commits, n has committed before it or with it, and every later snapshot that
 * contains n + 1 contains n: by induction everything below. Concurrent inserts of the same number are serialized by the
 * primary key: the second waits for the first, fails on the duplicate and is retried. Numbers are never reused, because
 * compaction deletes only entries that a committed snapshot covers, and never the last {@link #KEPT} rows, so the
 * highest number remains. (An insert that was stuck between its snapshot and its key while a thousand others passed
 * could still fill a deleted number: readers skip numbers below the deletion mark of the snapshot row, so it counts as
 * never committed.) All members must read the primary, not a lagging replica.
 *
 * <p>Why an entry is never duplicated: its request identifier is unique in the table. A repeated insert fails, or waits
 * for the first, as long as the row is kept; and an insert is refused once the log has grown by {@link #KEPT} entries
 * since the first attempt, which is before the row can be deleted. So even a long delayed insert has no effect.
 *
 * <p>Immutable; used over its caller's connection, within its caller's transaction.
 */
final class LogTable {
    /** Number of entries kept before a snapshot. */
    static final long KEPT = 1000;
    /** Maximum length of an entry in bytes. */
    static final int MAX_ENTRY = 1 << 20;
    /** Maximum number of entries per read. */
    static final int READ = 500;

    private static final String OURS = "DOMAIN_NAME = ? and CLUSTER_NAME = ?";

    private final Database database;
    private final String member;
    private final String append;
    private final String read;
    private final String log;
    private final String snapshot;

    LogTable(Database database, String member) {
        this.database = database;
        this.member = member;
        this.log = database.table(Schema.LOG);
        this.snapshot = database.table(Schema.SNAPSHOT);
        this.append = "insert into " + log
                + " (DOMAIN_NAME, CLUSTER_NAME, SEQ, REQUEST_ID, PROPOSER, WRITTEN_AT, ENTRY) select ?, ?, T.TOP + 1, ?, ?, "
                + database.dialect().now() + ", ? from (select coalesce(max(SEQ), 0) as TOP from " + log + " where "
                + OURS + " and SEQ >= ?) T where T.TOP < ? and T.TOP >= ?";
        this.read = "select SEQ, REQUEST_ID, ENTRY from " + log + " where " + OURS
                + " and SEQ > ? and SEQ > coalesce((select S.SEQ - " + KEPT + " from " + snapshot
                + " S where S.DOMAIN_NAME = ? and S.CLUSTER_NAME = ?), 0) order by SEQ fetch first " + READ
                + " rows only";
    }

    /**
     * Appends entries in order, all or none.
     *
     * @param applied a number known to be in the log, from which the search for the highest starts; 0 initially
     * @return how many were appended; the others are too old to be retried
     * @throws SQLException with a duplicate key if another member was faster, or if one of the entries exists already:
     *     {@link #present} distinguishes these
     */
    int append(Connection c, List<Submission> drafts, long applied) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(append)) {
            for (Submission draft : drafts) {
                s.setString(1, Database.DOMAIN);
                s.setString(2, database.cluster());
                s.setString(3, draft.request);
                s.setString(4, member);
                s.setBytes(5, draft.command);
                s.setString(6, Database.DOMAIN);
                s.setString(7, database.cluster());
                s.setLong(8, applied);
                s.setLong(9, draft.base + KEPT);
                s.setLong(10, applied);
                s.addBatch();
            }
            int taken = 0;
            for (int count : s.executeBatch()) {
                taken += count;
            }
            return taken;
        }
    }

    /** Which of these requests are in the log. */
    Set<String> present(Connection c, List<Submission> drafts) throws SQLException {
        String select = "select REQUEST_ID from " + log + " where " + OURS + " and REQUEST_ID in ("
                + "?, ".repeat(drafts.size() - 1) + "?)";
        try (PreparedStatement s = c.prepareStatement(select)) {
            s.setString(1, Database.DOMAIN);
            s.setString(2, database.cluster());
            for (int i = 0; i < drafts.size(); i++) {
                s.setString(3 + i, drafts.get(i).request);
            }
            Set<String> found = new HashSet<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(r.getString(1));
                }
            }
            return found;
        }
    }

    /** The entries after a number, in order; at most {@link #READ}. */
    List<LogEntry> after(Connection c, long seq) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(read)) {
            s.setString(1, Database.DOMAIN);
            s.setString(2, database.cluster());
            s.setLong(3, seq);
            s.setString(4, Database.DOMAIN);
            s.setString(5, database.cluster());
            List<LogEntry> rows = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    rows.add(new LogEntry(r.getLong(1), r.getString(2), r.getBytes(3)));
                }
            }
            return rows;
        }
    }

    Optional<LogEntry> snapshot(Connection c) throws SQLException {
        try (PreparedStatement s = c.prepareStatement("select SEQ, STATE from " + snapshot + " where " + OURS)) {
            s.setString(1, Database.DOMAIN);
            s.setString(2, database.cluster());
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(LogEntry.snapshot(r.getLong(1), r.getBytes(2))) : Optional.empty();
            }
        }
    }

    /**
     * Writes a snapshot and deletes the entries that it covers, in one transaction; does nothing if a later snapshot
     * exists.
     */
    boolean compact(Connection c, LogEntry state) throws SQLException {
        if (!overwrite(c, state)) {
            return false;
        }
        try (PreparedStatement s = c.prepareStatement("delete from " + log + " where " + OURS + " and SEQ <= ?")) {
            s.setString(1, Database.DOMAIN);
            s.setString(2, database.cluster());
            s.setLong(3, state.seq - KEPT);
            s.executeUpdate();
            return true;
        }
    }

    private boolean overwrite(Connection c, LogEntry state) throws SQLException {
        String now = database.dialect().now();
        String update = "update " + snapshot + " set SEQ = ?, STATE = ?, WRITTEN_AT = " + now + " where " + OURS
                + " and SEQ < ?";
        try (PreparedStatement s = c.prepareStatement(update)) {
            s.setLong(1, state.seq);
            s.setBytes(2, state.bytes);
            s.setString(3, Database.DOMAIN);
            s.setString(4, database.cluster());
            s.setLong(5, state.seq);
            if (s.executeUpdate() == 1) {
                return true;
            }
        }
        if (snapshot(c).isPresent()) {
            return false;
        }
        String insert = "insert into " + snapshot
                + " (SEQ, STATE, WRITTEN_AT, DOMAIN_NAME, CLUSTER_NAME) values (?, ?, " + now + ", ?, ?)";
        try (PreparedStatement s = c.prepareStatement(insert)) {
            s.setLong(1, state.seq);
            s.setBytes(2, state.bytes);
            s.setString(3, Database.DOMAIN);
            s.setString(4, database.cluster());
            return s.executeUpdate() == 1;
        }
    }
}
