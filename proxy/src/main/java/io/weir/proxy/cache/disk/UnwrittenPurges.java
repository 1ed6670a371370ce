package io.weir.proxy.cache.disk;

import io.weir.base.Log;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.Identity;
import java.io.IOException;

/** Sees to it that a kill does not undo purges that could not be written. The writer's only. */
final class UnwrittenPurges {
    private final String name;
    private final Folder folder;
    private final Adoption adoption;
    private final DiskCounters counters;
    private final Log messages;
    private boolean hidden;
    /** That could not be done, and was said. */
    private boolean exposed;

    UnwrittenPurges(String name, Folder folder, Adoption adoption, DiskCounters counters, Log messages) {
        this.name = name;
        this.folder = folder;
        this.adoption = adoption;
        this.counters = counters;
        this.messages = messages;
    }

    /**
     * There are some: without its identity the next start takes nothing of what is there. Removing a file needs no space;
     * where that is not permitted, or the folder is not found any more, a mark does it.
     */
    void hide() {
        if (hidden) {
            return;
        }
        try {
            Identity.remove(folder);
            hidden = true;
        } catch (IOException e) {
            counters.writeErrors.inc();
            mark(e);
        }
    }

    private void mark(IOException reason) {
        try {
            folder.mark(true);
            hidden = true;
        } catch (IOException _) {
            counters.writeErrors.inc();
            if (!exposed) {
                exposed = true;
                messages.log(DiskMessages.STAYS_FOUND, name, reason.toString());
            }
        }
    }

    /** All purges are written. */
    void show() throws IOException {
        exposed = false;
        if (hidden) {
            adoption.own().write(folder);
            if (folder.marked()) {
                folder.mark(false);
            }
            hidden = false;
        }
    }
}
