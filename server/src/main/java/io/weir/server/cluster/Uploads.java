package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.base.OwnerOnly;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterStats;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Archives that are being uploaded from an operator's machine: {@code POST /cluster/upload} starts one and names it,
 * {@code POST /cluster/upload?id=&offset=} brings a piece of it in Base64, as large as {@code admin.max-body} allows,
 * and a deployment refers to it by its name. A bounded number at once, each at most as large as an archive may be;
 * stalled ones are aborted. Shared; its lock is held while a piece is written.
 */
public final class Uploads {
    /** Maximum number of concurrent uploads. */
    static final int MAX_UPLOADS = 4;
    /** An upload without a piece for this long may be aborted in favour of another. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int ID_BYTES = 16;

    private static final class Upload {
        final Path file;
        long size;
        long touched;

        Upload(Path file, long touched) {
            this.file = file;
            this.touched = touched;
        }
    }

    private final Path folder;
    private final long maxSize;
    private final long piece;
    private final Clock clock;
    private final Stats stats;
    private final SecureRandom chance = new SecureRandom();
    private final Map<String, Upload> open = new HashMap<>();
    private boolean cleared;

    /**
     * Creates the uploads, none yet.
     *
     * @param folder for their files; what an earlier process left there is deleted at the first upload
     * @param maxSize bytes of an archive
     * @param maxBody bytes of a request's body
     */
    public Uploads(Path folder, long maxSize, long maxBody, Clock clock, Stats stats) {
        this.folder = folder;
        this.piece = maxBody / 4 * 3;
        this.maxSize = maxSize;
        this.clock = clock;
        stats.begin(ClusterStats.UPLOADS);
        this.stats = stats;
    }

    void register(AdminRouter router) {
        router.change("POST", "/cluster/upload", this::answer, "id", "offset");
    }

    private AdminAnswer answer(AdminRequest r) throws IOException {
        String id = r.parameter("id");
        return id == null ? begin() : piece(id, r.parameter("offset"), r.body());
    }

    private synchronized AdminAnswer begin() throws IOException {
        if (!cleared) {
            clear();
            cleared = true;
        }
        abortStalled();
        if (open.size() >= MAX_UPLOADS) {
            return refused(
                    503, "Service unavailable", MAX_UPLOADS + " archives are being uploaded already: try again later");
        }
        byte[] id = new byte[ID_BYTES];
        chance.nextBytes(id);
        String name = HexFormat.of().formatHex(id);
        OwnerOnly.folder(folder);
        open.put(name, new Upload(OwnerOnly.create(folder.resolve(name)), clock.nanos()));
        return AdminAnswer.json(200, j -> j.add("upload", name).add("piece", piece));
    }

    private synchronized AdminAnswer piece(String id, @Nullable String offset, String body) throws IOException {
        Upload u = open.get(id);
        if (u == null) {
            return refused(404, "Not found", "there is no such upload: it was abandoned, or used already. Start again");
        }
        if (!Long.toString(u.size).equals(offset)) {
            return refused(409, "Conflict", "the next piece is that at offset " + u.size + ", not " + offset);
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(body.strip());
        } catch (IllegalArgumentException e) {
            return refused(400, "Bad request", "a piece is Base64: " + e.getMessage());
        }
        if (u.size + bytes.length > maxSize) {
            drop(id);
            return refused(
                    413, "Content too large", "an archive has at most " + maxSize + " bytes (cluster.deploy.max-size)");
        }
        try {
            Files.write(u.file, bytes, StandardOpenOption.APPEND);
        } catch (IOException e) {
            // a part of it may be in the file, so later pieces would be at wrong offsets
            drop(id);
            throw new NotWritten(u.file, e);
        }
        u.size += bytes.length;
        u.touched = clock.nanos();
        long size = u.size;
        return AdminAnswer.json(200, j -> j.add("upload", id).add("size", size));
    }

    /** The file of a complete upload, which the caller must delete; null if there is none of that name. */
    synchronized @Nullable Path take(String id) {
        Upload u = open.remove(id);
        if (u == null) {
            return null;
        }
        stats.counter(ClusterStats.UPLOADS, "taken").inc();
        return u.file;
    }

    private AdminAnswer refused(int status, String title, String why) {
        stats.counter(ClusterStats.UPLOADS, "refused").inc();
        return AdminAnswer.problem(status, title, why);
    }

    private void abortStalled() throws IOException {
        long now = clock.nanos();
        for (String id : List.copyOf(open.keySet())) {
            Upload u = open.get(id);
            if (u != null && now - u.touched > PATIENCE.toNanos()) {
                drop(id);
                stats.counter(ClusterStats.UPLOADS, "given-up").inc();
            }
        }
    }

    private void drop(String id) throws IOException {
        Upload u = open.remove(id);
        if (u != null) {
            Files.deleteIfExists(u.file);
        }
    }

    /** Deletes what an earlier process left. */
    private void clear() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> left = Files.list(folder)) {
            for (Path file : left.toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
