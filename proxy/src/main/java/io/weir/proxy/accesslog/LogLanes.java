package io.weir.proxy.accesslog;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
        LogLane lane = lane(log);
        if (lane != null) {
            lane.append(source);
        }
    }

    /** Appends the client's address and User-Agent to the log of this name, if there is one. Allocates nothing. */
    public void appendUserAgent(String log, LogSource source) {
        LogLane lane = lane(log);
        if (lane != null) {
            lane.append(source, LogFormat.USER_AGENT);
        }
    }

    private @Nullable LogLane lane(String log) {
        for (LogLane lane : lanes) {
            if (lane.log().equals(log)) {
                return lane;
            }
        }
        return null;
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
