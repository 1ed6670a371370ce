package io.weir.server.admin;

/**
 * Idle connections exempt from eviction: those that requested vital views, but fewer than half of all, so that there is
 * always room for new ones. Confined to the admin loop; lives as long as its listener.
 */
final class Reserve {
    private final int most;
    private int taken;

    /** @param connections that may be open at once */
    Reserve(int connections) {
        // beyond this share, waiting connections may be evicted at once
        this.most = (connections - 1) / 2;
    }

    /** Takes a place; returns false if there is none. */
    boolean take() {
        if (full()) {
            return false;
        }
        taken++;
        return true;
    }

    /** Whether no place is left. */
    boolean full() {
        return taken >= most;
    }

    /** Returns a place. */
    void give() {
        taken--;
    }

    int taken() {
        return taken;
    }
}
