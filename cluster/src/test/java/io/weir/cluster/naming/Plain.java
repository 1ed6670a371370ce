package io.weir.cluster.naming;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import io.weir.cluster.singleton.Activation;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A singleton that knows nothing of JNDI. */
public class Plain implements SingletonService, Greeting {
    static final AtomicReference<@Nullable Activation> LAST = new AtomicReference<>();

    @Override
    public void activate(Fence fence) {
        LAST.set(Activation.current());
    }

    @Override
    public void deactivate() {
        // has nothing to let go of
    }

    @Override
    public String greet(String whom) {
        Activation a = Activation.current();
        return "hello " + whom + " from " + (a == null ? "nobody" : a.service());
    }
}
