package io.weir.wire.invoke.caller;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.invoke.CallContext;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.codec.CodecFault;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.description.MethodDescription;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.RemoteException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handler of a proxy: its methods become calls to the service's current owner. equals, hashCode and toString are
 * answered locally: two proxies of one service and one invoker are equal. Shared by the calling threads.
 */
final class ServiceProxy implements InvocationHandler {
    private final Invoker invoker;
    private final String service;
    private final List<InterfaceDescription> interfaces;
    private final References references;
    private final ProxyOptions options;
    /** Where the service was found last; only a hint. */
    private volatile @Nullable ServiceReference last;

    ServiceProxy(
            Invoker invoker,
            String service,
            List<InterfaceDescription> interfaces,
            References references,
            ProxyOptions options,
            @Nullable ServiceReference first) {
        this.invoker = invoker;
        this.service = service;
        this.interfaces = interfaces;
        this.references = references;
        this.options = options;
        this.last = first;
    }

    Invoker invoker() {
        return invoker;
    }

    String service() {
        return service;
    }

    References references() {
        return references;
    }

    ProxyOptions options() {
        return options;
    }

    @Nullable
    ServiceReference last() {
        return last;
    }

    void last(@Nullable ServiceReference found) {
        last = found;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(method, arguments);
        }
        for (InterfaceDescription d : interfaces) {
            MethodDescription m = d.method(method);
            if (m != null) {
                return call(d, m, arguments);
            }
        }
        throw new UnfitInterface("not a remote method: " + method);
    }

    private Object ofObject(Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "hashCode" -> service.hashCode() * 31 + System.identityHashCode(invoker);
            case "equals" -> arguments != null && same(arguments[0]);
            default -> "proxy of " + service + ", last at " + last;
        };
    }

    private boolean same(@Nullable Object other) {
        return other != null
                && Proxy.isProxyClass(other.getClass())
                && Proxy.getInvocationHandler(other) instanceof ServiceProxy p
                && p.invoker == invoker
                && p.service.equals(service)
                && p.interfaces.equals(interfaces);
    }

    private @Nullable Object call(InterfaceDescription d, MethodDescription m, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            ByteBuf bytes = encoded(m, arguments);
            Export local = references.local(service);
            InterfaceDescription here = local == null ? null : local.type(d.hash());
            MethodDescription owners = here == null ? null : here.method(m.id());
            if (local != null && owners != null) {
                return new LocalCall(service, local, owners, m).run(bytes, deadline(m));
            }
            return new RemoteCall(this, d, m, bytes, deadline(m)).run();
        } catch (InvocationFault e) {
            throw toThrow(m, e);
        }
    }

    /** The method's own deadline, or that of the call which this thread executes, whichever is earlier. */
    private long deadline(MethodDescription m) {
        long own = invoker.clock().nanos() + options.nanos(m.method().getName());
        CallContext outer = CallContext.current();
        return outer != null && outer.deadline() - own < 0 ? outer.deadline() : own;
    }

    private ByteBuf encoded(MethodDescription m, @Nullable Object @Nullable [] arguments) {
        ByteBuf bytes = Unpooled.buffer(64);
        try {
            m.writeArguments(bytes, arguments);
        } catch (CodecFault e) {
            throw new InvocationFault(InvocationFault.Code.ARGUMENTS, m + ": " + e.text(), e);
        }
        if (bytes.readableBytes() > invoker.limits().arguments()) {
            throw new InvocationFault(
                    InvocationFault.Code.TOO_LARGE,
                    m + ": arguments of " + bytes.readableBytes() + " bytes, the maximum is "
                            + invoker.limits().arguments());
        }
        return bytes;
    }

    /** Converts to a RemoteException if the method declares it, as in RMI. */
    private static Throwable toThrow(MethodDescription m, InvocationFault fault) {
        for (Class<?> declared : m.thrown()) {
            if (declared == RemoteException.class) {
                return new RemoteException(fault.text(), fault);
            }
        }
        return fault;
    }
}
