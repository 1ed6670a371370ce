package io.weir.wire.invoke.caller;

import io.netty.buffer.ByteBuf;
import io.weir.base.Fence;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import org.jspecify.annotations.Nullable;

/** What came of sending a call to a member. Immutable. */
sealed interface CallAnswer {
    /** The method's result, still as bytes, which no pool owns: reading them may run constructors of the application. */
    record Result(ByteBuf bytes) implements CallAnswer {}

    /**
     * It failed.
     *
     * @param thrown place among the exceptions that the method declares, from 1; 0 for none of them
     */
    record Failed(InvocationFault.Code code, int thrown, String text) implements CallAnswer {}

    /** The member is not the owner, and has not executed it. */
    record WrongOwner(@Nullable String address, Fence fence) implements CallAnswer {}

    /** The member says nothing any more, and the cluster has given the service to another meanwhile. */
    record Superseded(ServiceReference by) implements CallAnswer {}

    /** The connection ended. */
    record Lost(Throwable cause) implements CallAnswer {}
}
