package io.weir.wire.invoke.caller;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.invoke.CallContext;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.codec.CodecFault;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.MethodDescription;
import io.weir.wire.invoke.description.Thrown;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * A call to a service that this member owns: on the calling thread, without a connection, but by value and subject to
 * the fence's validity like any other. The owner's classes and the caller's may be from different class loaders (a
 * deployment's, a function's): values are passed as bytes, encoded and decoded by each side with its own classes. One
 * thread, one call.
 */
final class LocalCall {
    private static final String SELF = "";

    private final String service;
    private final Export export;
    private final MethodDescription method;
    private final MethodDescription callers;
    private @Nullable Object result;
    private @Nullable Throwable failure;

    /**
     * Creates a call.
     *
     * @param method as described by the service's class
     * @param callers the same method as described by the caller's class
     */
    LocalCall(String service, Export export, MethodDescription method, MethodDescription callers) {
        this.service = service;
        this.export = export;
        this.method = method;
        this.callers = callers;
    }

    @Nullable
    Object run(ByteBuf arguments, long deadline) throws Throwable {
        if (!export.valid().getAsBoolean()) {
            throw new InvocationFault(InvocationFault.Code.NO_OWNER, service + " ends here, its lease has expired");
        }
        CallContext context = new CallContext(service, SELF, export.fence(), deadline);
        try {
            @Nullable Object[] values = method.readArguments(arguments);
            export.scope().run(() -> context.run(() -> invoke(values)));
        } catch (CodecFault e) {
            throw new InvocationFault(InvocationFault.Code.ARGUMENTS, method + ": " + e.text(), e);
        }
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return copied();
    }

    private void invoke(@Nullable Object[] values) {
        try {
            result = method.method().invoke(export.target(), values);
        } catch (InvocationTargetException e) {
            failure = toThrow(e.getCause() == null ? e : e.getCause());
        } catch (IllegalAccessException e) {
            failure = new InvocationFault(InvocationFault.Code.INTERNAL, method + " cannot be reached", e);
        }
    }

    private Throwable toThrow(Throwable thrown) {
        int place = Thrown.place(method, thrown);
        String text = Thrown.text(method, place, thrown);
        InvocationFault fault =
                new InvocationFault(InvocationFault.Code.APPLICATION, service + " here: " + text, thrown);
        return Thrown.made(callers, place, text, fault);
    }

    private @Nullable Object copied() {
        try {
            ByteBuf bytes = Unpooled.buffer(64);
            method.writeResult(bytes, result);
            return callers.readResult(bytes);
        } catch (CodecFault e) {
            throw new InvocationFault(InvocationFault.Code.RESULT, method + ": " + e.text(), e);
        }
    }
}
