package io.weir.server.history;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads the recorded history, also while it is being written and without a server. Stateless. */
final class HistoryArchive {
    /** A statistic in the history: its first time, and its number of sets of label values. */
    record Known(String metric, long since, int children) {}

    private final Path folder;

    HistoryArchive(Path dataDir) {
        this.folder = dataDir.resolve(Recorder.FOLDER);
    }

    /**
     * The curves of a statistic, by label values.
     *
     * @throws TooMany if more series match than one answer may hold
     */
    List<Curve> answer(Question question) throws IOException {
        Aggregator aggregator = new Aggregator(question);
        List<Ring.Part> near = Ring.files(folder, Recorder.SHORT);
        long shortSince = near.isEmpty() ? Long.MAX_VALUE : near.getFirst().start();
        read(within(Ring.files(folder, Recorder.LONG), question), aggregator, shortSince);
        read(within(near, question), aggregator, Long.MAX_VALUE);
        return aggregator.curves();
    }

    /** A file's rows count until the start of the next file: later ones were written while the clock was ahead. */
    private static void read(List<Ring.Part> parts, Aggregator aggregator, long until) throws IOException {
        for (int i = 0; i < parts.size(); i++) {
            aggregator.until(
                    i + 1 < parts.size() ? Math.min(until, parts.get(i + 1).start()) : until);
            read(parts.get(i), aggregator);
        }
    }

    /** All statistics in the history, by name. */
    List<Known> known() throws IOException {
        Map<String, Known> found = new TreeMap<>();
        List<Ring.Part> all = new ArrayList<>(Ring.files(folder, Recorder.LONG));
        all.addAll(Ring.files(folder, Recorder.SHORT));
        for (Ring.Part part : all) {
            Names names = new Names();
            read(part, names);
            names.children.forEach((metric, labels) -> found.merge(
                    metric,
                    new Known(metric, part.start(), labels.size()),
                    (a, b) -> new Known(metric, Math.min(a.since(), b.since()), Math.max(a.children(), b.children()))));
        }
        return List.copyOf(found.values());
    }

    private static void read(Ring.Part part, Rows.Reader reader) throws IOException {
        try {
            Rows.read(part.file(), reader);
        } catch (NoSuchFileException e) {
            // it was deleted while earlier ones were being read
        }
    }

    /**
     * Files that may have rows within the query's time, and the one before, because counters need their previous
     * values.
     */
    private static List<Ring.Part> within(List<Ring.Part> all, Question question) {
        int first = 0;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).start() <= question.from()) {
                first = Math.max(0, i - 1);
            }
        }
        List<Ring.Part> some = new ArrayList<>();
        for (Ring.Part part : all.subList(first, all.size())) {
            if (part.start() < question.to()) {
                some.add(part);
            }
        }
        return some;
    }

    /** Collects the names of a file's series. */
    private static final class Names implements Rows.Reader {
        private final Map<String, Set<List<String>>> children = new TreeMap<>();

        @Override
        public void defined(SeriesKey series) {
            children.computeIfAbsent(series.metric(), _ -> new HashSet<>()).add(series.labels());
        }

        @Override
        public void row(long millis, long covers, long[] values) {
            // only names are needed
        }

        @Override
        public void ended(int number) {
            // it existed once
        }
    }
}
