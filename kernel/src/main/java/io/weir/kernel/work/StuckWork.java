package io.weir.kernel.work;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Work in which a thread is stuck. Immutable. */
record StuckWork(WorkManager manager, Runnable task, long since) {
    private static final int MAX_FRAMES = 40;
    private static final long SECOND = 1_000_000_000L;

    /** The request that the thread works for, or null if unknown. */
    RequestWork.@Nullable Subject subject() {
        return task instanceof RequestWork w ? w.subject() : null;
    }

    void found(Thread thread, long now, Duration longest) {
        RequestWork.Subject subject = subject();
        manager.stuck(
                thread.getName(),
                (now - since) / SECOND,
                subject == null ? task.getClass().getName() : subject.toString(),
                longest.toSeconds(),
                stack(thread));
    }

    void over(String thread, long now) {
        manager.unstuck(thread, (now - since) / SECOND);
    }

    /** The stack trace on one line, innermost frame first. */
    private static String stack(Thread thread) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < frames.length && i < MAX_FRAMES; i++) {
            text.append(i == 0 ? "at " : " at ").append(frames[i]);
        }
        return text.append(frames.length > MAX_FRAMES ? " ..." : "").toString();
    }
}
