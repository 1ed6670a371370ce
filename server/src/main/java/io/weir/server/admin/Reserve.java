package io.weir.server.admin;

/**
 * Who keeps his connection although he waits: those who ask for vital views, but for less than half of all connections, so
 * that there is room for newcomers whatever is asked for. Confined to the admin loop; lives as long as its listener.
 */
final class Reserve {
    private final int most;
    private int taken;

    /** @param connections that may be open at once */
    Reserve(int connections) {
        // of more than half, who waits may be given up at once
        this.most = (connections - 1) / 2;
    }

    /** Takes a place; false where there is none. */
    boolean take() {
        if (full()) {
            return false;
        }
        taken++;
        return true;
    }

    /** Whether there is none left. */
    boolean full() {
        return taken >= most;
    }

    /** Gives one back. */
    void give() {
        taken--;
    }

    int taken() {
        return taken;
    }
}
