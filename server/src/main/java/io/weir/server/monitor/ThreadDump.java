package io.weir.server.monitor;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Comparator;

/** A thread dump as text. Stateless; taking it stops the machine for a moment. */
final class ThreadDump {
    private ThreadDump() {}

    static String write() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadInfo[] all = threads.dumpAllThreads(threads.isObjectMonitorUsageSupported(), false);
        Arrays.sort(all, Comparator.comparing(ThreadInfo::getThreadName));
        StringBuilder out = new StringBuilder(64 * 1024);
        out.append(all.length).append(" threads\n\n");
        for (ThreadInfo thread : all) {
            thread(out, thread);
        }
        return out.toString();
    }

    private static void thread(StringBuilder out, ThreadInfo t) {
        out.append('"').append(t.getThreadName()).append("\" #").append(t.getThreadId());
        out.append(t.isDaemon() ? " daemon " : " ").append(t.getThreadState());
        if (t.getLockName() != null) {
            out.append(" on ").append(t.getLockName());
        }
        if (t.getLockOwnerName() != null) {
            out.append(" owned by \"").append(t.getLockOwnerName()).append('"');
        }
        out.append('\n');
        for (StackTraceElement frame : t.getStackTrace()) {
            out.append("    at ").append(frame).append('\n');
        }
        out.append('\n');
    }
}
