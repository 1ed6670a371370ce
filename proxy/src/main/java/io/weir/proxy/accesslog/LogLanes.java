package io.weir.proxy.accesslog;

import java.util.List;

/**
 * One event loop's lanes of all access logs. Appended to by the loop only; the set of lanes changes with the logs,
 * between two records. Lives as long as the loop.
 */
public final class LogLanes {
    private volatile LogLane[] lanes;

    LogLanes(List<LogLane> lanes) {
        this.lanes = lanes.toArray(LogLane[]::new);
    }

    /** Replaces the lanes, from the next record on. Called by the thread that changes the logs. */
    void now(List<LogLane> next) {
        lanes = next.toArray(LogLane[]::new);
    }

    /** Appends a record of an exchange to the log of this name, if there is one. Allocates nothing. */
    public void append(String log, LogSource source) {
        for (LogLane lane : lanes) {
            if (lane.log().equals(log)) {
                lane.append(source);
                return;
            }
        }
    }

    /** Appends a record of a request that was refused before the program ran, to the logs of its virtual server. */
    public void refused(String virtualServer, LogSource source) {
        for (LogLane lane : lanes) {
            if (lane.serves(virtualServer)) {
                lane.append(source);
            }
        }
    }
}
