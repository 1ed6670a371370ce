package io.weir.wire.invoke.caller;

import io.netty.buffer.ByteBuf;
import io.weir.base.Fence;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import org.jspecify.annotations.Nullable;

/** The outcome of sending a call to a member. Immutable. */
sealed interface CallAnswer {
    /** The method's result, still encoded, in unpooled bytes: decoding may run the application's constructors. */
    record Result(ByteBuf bytes) implements CallAnswer {}

    /**
     * The call failed.
     *
     * @param thrown index among the exceptions that the method declares, from 1; 0 for none of them
     */
    record Failed(InvocationFault.Code code, int thrown, String text) implements CallAnswer {}

    /** The member is not the owner, and has not executed it. */
    record WrongOwner(@Nullable String address, Fence fence) implements CallAnswer {}

    /** The member no longer responds, and the cluster has assigned the service to another one in the meantime. */
    record Superseded(ServiceReference by) implements CallAnswer {}

    /** The connection was closed. */
    record Lost(Throwable cause) implements CallAnswer {}
}
