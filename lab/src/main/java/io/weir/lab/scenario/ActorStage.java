package io.weir.lab.scenario;

import java.util.Map;

/** What an actor sees of the scenario that it plays in. Thread-safe. */
interface ActorStage {
    int port(String listener);

    Certificates certificates();

    Transcript transcript();

    int patienceMillis();

    String fill(String text, Map<String, String> local);

    /** Makes a value known to all actors. */
    void share(String name, String value);

    void signal(String who, String point);

    void await(String point);

    /** Waits until a counter's condition holds. */
    void until(String condition);

    /** Same as {@link #until}; reads better at the end of a block. */
    void counter(String condition);
}
