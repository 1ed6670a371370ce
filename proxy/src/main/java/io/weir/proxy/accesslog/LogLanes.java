package io.weir.proxy.accesslog;

import java.util.List;

/**
 * One event loop's lanes of all access logs. Appended to by the loop alone; which they are changes with the logs, from one
 * record to the next. Lives as long as the loop.
 */
public final class LogLanes {
    private volatile LogLane[] lanes;

    LogLanes(List<LogLane> lanes) {
        this.lanes = lanes.toArray(LogLane[]::new);
    }

    /** These count from the next record on. By who changes the logs. */
    void now(List<LogLane> next) {
        lanes = next.toArray(LogLane[]::new);
    }

    /** Appends a record of an exchange to the log of this name; nothing when there is none. Allocates nothing. */
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
