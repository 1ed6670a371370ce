package io.weir.lab.scenario;

import java.util.Map;

/** An actor's view of its scenario. Thread-safe. */
interface ActorStage {
    int port(String listener);

    Certificates certificates();

    Transcript transcript();

    int patienceMillis();

    String fill(String text, Map<String, String> local);

    /** Shares a value with all actors. */
    void share(String name, String value);

    void signal(String who, String point);

    void await(String point);

    /** Waits until a condition on a counter holds. */
    void until(String condition);

    /** Same as {@link #until}; reads better at the end of a block. */
    void counter(String condition);
}
