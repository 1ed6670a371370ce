package io.weir.wire.invoke.description;

import io.weir.base.Fence;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A service that this member owns. Immutable.
 *
 * @param target the object whose methods are called, by several threads at once
 * @param interfaces its callable interfaces
 * @param fence with which it is owned
 * @param valid whether ownership is certainly still valid; checked before each call
 * @param role group that callers must be in; null: any user logged in by name
 * @param scope runs each call, so that what the method does is attributed to the service
 */
public record Export(
        Object target,
        List<InterfaceDescription> interfaces,
        Fence fence,
        BooleanSupplier valid,
        @Nullable String role,
        Scope scope) {
    /** Runs a call on behalf of the service. */
    public interface Scope {
        void run(Runnable call);
    }

    public Export {
        interfaces = List.copyOf(interfaces);
    }

    @Nullable
    public InterfaceDescription type(long hash) {
        for (InterfaceDescription d : interfaces) {
            if (d.hash() == hash) {
                return d;
            }
        }
        return null;
    }
}
