package io.weir.proxy.cache.disk;

import io.weir.base.Log;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.Identity;
import io.weir.proxy.cache.disk.files.MovedKeys;
import io.weir.proxy.cache.disk.files.Routing;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a folder a partition of a tier, before any of it is read: what belongs to another tier is removed, also what
 * missed a run, since that has missed its purges. One call, on the writer's thread.
 *
 * @param name of the partition
 * @param own what the folder is to have from now on
 * @param missed what this tier was before it took no part in a start; null: it took part in all
 * @param newest the last run that any of the tier's partitions took part in
 * @param partition its place in the routing
 */
record Adoption(String name, Identity own, @Nullable Identity missed, long newest, Routing routing, int partition) {
    /** Returns which records do not count. */
    MovedKeys run(Folder folder, Log messages) throws IOException {
        Identity known = Identity.read(folder);
        MovedKeys moved = MovedKeys.read(folder);
        String reason = folder.marked() ? "purges could not be written before it ended" : reason(known, moved);
        if (reason != null || moved == null || known == null) {
            clear(folder, reason, messages);
            own.write(folder);
            if (folder.marked()) {
                folder.mark(false);
            }
            return new MovedKeys();
        }
        long oldest = Long.MAX_VALUE;
        long last = moved.latest();
        for (String file : folder.names()) {
            if (Segment.isName(file)) {
                oldest = Math.min(oldest, Segment.number(file));
                last = Math.max(last, Segment.number(file));
            }
        }
        if (known.layout() != own.layout()) {
            // before the new layout is noted: a kill in between repeats it
            moved.move(routing, partition, last + 1);
            moved.write(folder);
            messages.log(DiskMessages.LAYOUT_CHANGED, name);
        } else if (oldest >= moved.latest()) {
            MovedKeys.remove(folder);
        }
        own.write(folder);
        return moved;
    }

    private @Nullable String reason(@Nullable Identity known, @Nullable MovedKeys moved) {
        if (known == null) {
            return "it has no file identity";
        }
        if (missed != null && known.sameSeeds(missed)) {
            return "the server was started without the disk tier meanwhile, or with another number of processes, or this"
                    + " is an older copy, so that it has missed purges";
        }
        if (!known.sameSeeds(own)) {
            return "it belongs to other partitions";
        }
        if (known.run() != newest) {
            return "it was not used when the others were, and has missed purges";
        }
        return moved == null ? "its file moved is damaged" : null;
    }

    private void clear(Folder folder, @Nullable String reason, Log messages) throws IOException {
        // until all is removed, a kill must not make it the partition of anything
        Identity.remove(folder);
        boolean empty = true;
        for (String file : folder.names()) {
            if (Segment.isName(file) || BodyFile.isName(file)) {
                folder.delete(file);
                empty = false;
            }
        }
        MovedKeys.remove(folder);
        if (!empty && reason != null) {
            messages.log(DiskMessages.BEGUN_ANEW, name, reason);
        }
    }
}
