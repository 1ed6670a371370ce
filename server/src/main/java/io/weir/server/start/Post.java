package io.weir.server.start;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Letters between the processes of a server, which its supervisor passes on: a word, a space, and its parameters. Those
 * of one process to another arrive in their order, or not at all if it has ended. Shared; lives as long as the process.
 */
public final class Post {
    /** Characters of a letter, at most: it is one line on the supervisor's socket. */
    public static final int LONGEST = 60_000;

    /** Letters that arrive before their reader is there: each sender waits for an answer to its first. */
    private static final int MOST_WAITING = 64;

    private final @Nullable Consumer<String> supervisor;
    private final Map<String, Reader> readers = new HashMap<>();
    private final Queue<Letter> waiting = new ArrayDeque<>();
    private @Nullable Listed listed;

    /** Reads letters, on the link's thread. */
    @FunctionalInterface
    public interface Reader {
        /** A process, identified by its id, wrote this. */
        void read(long from, String text);
    }

    /** Learns which other processes there are, on the link's thread. */
    @FunctionalInterface
    public interface Listed {
        /** These are the others, at a time after the supervisor received the question with this number. */
        void are(long question, Set<Long> others);
    }

    private record Letter(long from, String word, String text) {}

    /** @param supervisor sends it a line; null for a single process */
    public Post(@Nullable Consumer<String> supervisor) {
        this.supervisor = supervisor;
    }

    /** Whether there may be other processes. */
    public boolean supervised() {
        return supervisor != null;
    }

    /** Sends a letter. */
    public void to(long process, String letter) {
        say("to " + process + " " + letter);
    }

    /** Asks the supervisor for the other processes; from then on it tells of each change, too. */
    public void others(long question) {
        say("others " + question);
    }

    private void say(String line) {
        Consumer<String> to = supervisor;
        if (to != null) {
            to.accept(line);
        }
    }

    /** Letters that begin with this word are for this reader from now on; those that arrived before, too. */
    public void read(String word, Reader reader) {
        Queue<Letter> before = new ArrayDeque<>();
        synchronized (this) {
            readers.put(word, reader);
            waiting.removeIf(l -> l.word().equals(word) && before.add(l));
        }
        before.forEach(l -> reader.read(l.from(), l.text()));
    }

    /** Who wants to know the others from now on. */
    public synchronized void listed(Listed by) {
        listed = by;
    }

    /** The supervisor passes on {@code FROM LETTER}. */
    public void arrived(String line) {
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].matches("\\d{1,18}")) {
            return;
        }
        Letter letter = new Letter(Long.parseLong(parts[0]), parts[1], parts.length < 3 ? "" : parts[2]);
        Reader reader;
        synchronized (this) {
            reader = readers.get(letter.word());
            if (reader == null && waiting.size() < MOST_WAITING) {
                waiting.add(letter);
            }
        }
        if (reader != null) {
            reader.read(letter.from(), letter.text());
        }
    }

    /** The supervisor tells {@code QUESTION ID,ID}: which others there are. */
    public void others(String line) {
        String[] parts = line.split(" ", 2);
        Listed to;
        synchronized (this) {
            to = listed;
        }
        if (to != null && parts.length == 2) {
            to.are(
                    Long.parseLong(parts[0]),
                    Stream.of(parts[1].split(",", -1))
                            .filter(p -> !p.isEmpty())
                            .map(Long::valueOf)
                            .collect(Collectors.toSet()));
        }
    }
}
