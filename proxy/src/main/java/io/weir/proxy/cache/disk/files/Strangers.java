package io.weir.proxy.cache.disk.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a folder has that is not the disk tier's: whoever configures such a folder hardly means it. Immutable.
 *
 * @param what it has, and what to do
 * @param refused whether a start refuses the folder; one that was the tier's before is used nevertheless, so that a file
 *     that somebody left in it costs no start
 */
public record Strangers(String what, boolean refused) {
    /** The tier's own files of all versions, the folders of processes, and what file systems and checks put there. */
    private static final Pattern OWN = Pattern.compile("(segment|body)-[0-9a-f]{1,16}|(identity|moved|purges)(\\.new)?"
            + "|lock|process-[1-9][0-9]*|lost\\+found|\\.nfs.*|\\.weir-check.*");

    private static final int MOST_NAMED = 3;
    private static final int MOST_LISTED = 10_000;

    /**
     * Those of a partition's folder.
     *
     * @param above the folder in which several processes have theirs; null: there is none
     * @return null if there are none, or no folder yet
     */
    public static @Nullable Strangers in(Path folder, @Nullable Path above) throws IOException {
        boolean known = Identity.has(folder);
        Strangers found = in(folder, known);
        return found != null || above == null ? found : in(above, known);
    }

    private static @Nullable Strangers in(Path folder, boolean known) throws IOException {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            Iterator<Path> each = files.iterator();
            while (each.hasNext() && names.size() < MOST_LISTED) {
                String name = each.next().getFileName().toString();
                if (!OWN.matcher(name).matches()) {
                    names.add(name);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (names.isEmpty()) {
            return null;
        }
        names.sort(null);
        int more = names.size() - MOST_NAMED;
        String some = String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)))
                + (more <= 0 ? "" : " and " + (names.size() == MOST_LISTED ? "at least " : "") + more + " more");
        return new Strangers(
                folder + " has what is not the disk tier's (" + some + "): "
                        + (known
                                ? "it is used, because it was the tier's before. Move that away, or name another folder"
                                : "name a folder of its own, such as " + folder.resolve("weir-cache")
                                        + ", which is made if it is not there"),
                !known);
    }

    /** The kind of a small file; 0: there is none. */
    static int kind(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return 0;
        }
        ByteBuffer kind = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
            return in.read(kind) == Integer.BYTES ? kind.getInt(0) : 0;
        }
    }
}
