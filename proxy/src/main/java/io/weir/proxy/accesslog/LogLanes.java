package io.weir.proxy.accesslog;

import java.util.List;

/** One event loop's lanes of all access logs. Confined to the loop; lives as long as the logs. */
public final class LogLanes {
    private final LogLane[] lanes;

    LogLanes(List<LogLane> lanes) {
        this.lanes = lanes.toArray(LogLane[]::new);
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
