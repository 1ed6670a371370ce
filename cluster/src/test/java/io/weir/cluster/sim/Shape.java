package io.weir.cluster.sim;

import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.Locale;

/** How a service of {@link ShapedServices} behaves; its name begins with it. */
enum Shape {
    /** Binds nothing, is quick. */
    PLAIN,
    /** Is bound by the server, and unbound before it is deactivated. */
    EXPOSED,
    /** Binds itself in {@code activate} and unbinds itself in {@code deactivate}. */
    WEBLOGIC,
    /** Does not return from {@code deactivate} before it is interrupted; every other one not even then. */
    HANGING,
    /** Fails in either method, now and then. */
    THROWING,
    /** Takes seconds to activate, and a good part of the grace to deactivate. */
    SLOW;

    static Shape of(SingletonSpec spec) {
        String name = spec.name();
        return valueOf(name.substring(0, name.indexOf('-')).toUpperCase(Locale.ROOT));
    }

    /** The name of one of them. */
    String name(int number) {
        return name().toLowerCase(Locale.ROOT) + "-" + number;
    }

    /** Whether it is bound while it is active. */
    boolean bound() {
        return this == EXPOSED || this == WEBLOGIC;
    }
}
