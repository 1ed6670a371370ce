package io.weir.wire.invoke.caller;

import io.netty.buffer.ByteBuf;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.InvocationFault.Code;
import io.weir.wire.invoke.InvocationFault.Executed;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.description.MethodDescription;
import io.weir.wire.invoke.description.Thrown;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One call, from the proxy's method to its result, over as many attempts as are safe: a call that was certainly not
 * executed goes to the current owner; one that may have been executed goes to another owner only if the method is
 * idempotent, and otherwise only to the same owner under the same fence, which recognises the repeat. One thread, one
 * call.
 */
final class RemoteCall {
    /** Attempts made without waiting for an owner. */
    private static final int PROMPT = 3;

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final ServiceProxy proxy;
    private final Invoker invoker;
    private final InterfaceDescription type;
    private final MethodDescription method;
    private final ByteBuf arguments;
    private final long deadline;
    private final long patience;
    private final long request;
    private int attempts;
    /** The first failure of an attempt whose outcome is unknown. */
    private @Nullable InvocationFault doubt;

    RemoteCall(
            ServiceProxy proxy, InterfaceDescription type, MethodDescription method, ByteBuf arguments, long deadline) {
        this.proxy = proxy;
        this.invoker = proxy.invoker();
        this.type = type;
        this.method = method;
        this.arguments = arguments;
        this.deadline = deadline;
        this.patience = invoker.clock().nanos() + proxy.options().ownerWait().toNanos();
        this.request = invoker.begin();
    }

    @Nullable
    Object run() throws Throwable {
        try {
            ServiceReference to = proxy.last();
            if (to == null) {
                to = find(null, new InvocationFault(Code.NO_OWNER, here("no member offers it")));
            }
            while (true) {
                Step step = attempt(to);
                InvocationFault why = step.why();
                if (why == null) {
                    return step.value();
                }
                ServiceReference next = step.next();
                to = next == null ? find(to, why) : next;
                proxy.last(to);
            }
        } finally {
            invoker.settle(request);
        }
    }

    /**
     * The outcome of an attempt: a value; or the reason of a failure with the reference to try next, null if it must be
     * looked up.
     */
    private record Step(
            @Nullable Object value,
            @Nullable ServiceReference next,
            @Nullable InvocationFault why) {
        static Step value(@Nullable Object value) {
            return new Step(value, null, null);
        }

        static Step next(@Nullable ServiceReference next, InvocationFault why) {
            return new Step(null, next, why);
        }
    }

    private Step attempt(ServiceReference to) throws Throwable {
        attempts++;
        WireUrl.Address address = to.address();
        if (address == null) {
            return unreached(
                    to, new InvocationFault(Code.UNREACHABLE, "the address of " + to.member() + " is not known"));
        }
        CallLink link;
        try {
            link = invoker.links().take(address, left());
        } catch (InvocationFault e) {
            return unreached(to, e);
        }
        try {
            checkLength(link);
            CallHead head = new CallHead(
                    invoker.origin(),
                    request,
                    invoker.settledBelow(),
                    doubt != null,
                    (int) Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(left()), Integer.MAX_VALUE)),
                    proxy.service(),
                    to.fence(),
                    type.hash(),
                    method.id());
            return judged(to, await(to, link, head));
        } finally {
            link.release();
        }
    }

    /** Checks the length, because a frame that is too long would close the connection. */
    private void checkLength(CallLink link) {
        int frame = arguments.readableBytes() + CallHead.MOST;
        if (frame > link.connection().maxFrame()) {
            throw new InvocationFault(
                    Code.TOO_LARGE,
                    here("arguments of " + arguments.readableBytes() + " bytes do not fit the connection's frames of "
                            + link.connection().maxFrame()));
        }
    }

    private long left() {
        long left = deadline - invoker.clock().nanos();
        if (left <= 0) {
            InvocationFault d = doubt;
            throw d != null ? d : new InvocationFault(Code.TIME_OUT, here("no response arrived before the deadline"));
        }
        return left;
    }

    private String here(String text) {
        return method + " of " + proxy.service() + ": " + text;
    }

    private CallAnswer await(ServiceReference to, CallLink link, CallHead head) {
        if (link.connection().loop().inEventLoop()) {
            throw new IllegalStateException("a call blocks: it cannot be made on an event loop");
        }
        CompletableFuture<CallAnswer> answer = link.call(head, arguments);
        OwnerWatch watch = new OwnerWatch(link, proxy.service(), to);
        try {
            while (true) {
                try {
                    return answer.get(Math.min(left(), OwnerWatch.CHECK_NANOS), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    ServiceReference newer = watch.check(proxy.references(), left());
                    if (newer != null) {
                        link.cancel(head);
                        return new CallAnswer.Superseded(newer);
                    }
                }
            }
        } catch (InvocationFault e) {
            link.cancel(head);
            throw e;
        } catch (InterruptedException e) {
            link.cancel(head);
            Thread.currentThread().interrupt();
            throw new InvocationFault(Code.INTERRUPTED, here("the calling thread was interrupted"), e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("responses complete normally", e);
        }
    }

    /** No connection: this attempt did not execute the call. */
    private Step unreached(ServiceReference to, InvocationFault why) {
        if (why.code() != Code.UNREACHABLE || (doubt != null && !method.idempotent())) {
            throw doubt != null ? doubt : why;
        }
        return Step.next(null, new InvocationFault(why.code(), here(why.text()) + " (owner " + to.member() + ")", why));
    }

    private Step judged(ServiceReference to, CallAnswer answer) throws Throwable {
        if (answer instanceof CallAnswer.Result r) {
            return Step.value(result(r));
        }
        if (answer instanceof CallAnswer.Failed f) {
            return failed(to, f);
        }
        if (answer instanceof CallAnswer.WrongOwner w) {
            return moved(to, w);
        }
        if (answer instanceof CallAnswer.Lost l) {
            return lost(to, l);
        }
        return superseded(to, ((CallAnswer.Superseded) answer).by());
    }

    private @Nullable Object result(CallAnswer.Result r) {
        try {
            return method.readResult(r.bytes());
        } catch (RuntimeException e) {
            throw new InvocationFault(Code.ANSWER, here(String.valueOf(e.getMessage())), e);
        }
    }

    private Step failed(ServiceReference to, CallAnswer.Failed f) throws Throwable {
        InvocationFault fault = new InvocationFault(
                f.code(), here(to.member() + " returned " + f.code().label() + ": " + f.text()));
        boolean elsewhere = f.code() == Code.NO_SERVICE || f.code() == Code.STOPPING;
        if (elsewhere && (doubt == null || method.idempotent())) {
            return Step.next(null, fault);
        }
        InvocationFault d = doubt;
        if (d != null && f.code().executed() == Executed.NO) {
            throw d;
        }
        throw f.code() == Code.APPLICATION ? Thrown.made(method, f.thrown(), f.text(), fault) : fault;
    }

    private Step moved(ServiceReference to, CallAnswer.WrongOwner w) {
        InvocationFault d = doubt;
        if (d != null && !method.idempotent()) {
            throw d;
        }
        InvocationFault why =
                new InvocationFault(Code.NO_OWNER, here(to.member() + " no longer owns it with fence " + to.fence()));
        List<WireUrl.Address> addresses = w.address() == null ? List.of() : ServiceReference.addresses(w.address());
        boolean newer = w.fence().compareTo(to.fence()) > 0;
        return Step.next(
                newer && !addresses.isEmpty() && attempts < PROMPT ? to.at(addresses.get(0), w.fence()) : null, why);
    }

    private Step lost(ServiceReference to, CallAnswer.Lost l) {
        InvocationFault fault = new InvocationFault(
                Code.LOST,
                here("the connection to " + to.member() + " was lost before the response arrived: "
                        + l.cause().getMessage()),
                l.cause());
        doubt = doubt == null ? fault : doubt;
        if (method.idempotent()) {
            return Step.next(null, fault);
        }
        if (attempts > PROMPT) {
            throw fault;
        }
        return Step.next(to, fault);
    }

    /**
     * It is unknown whether the silent owner has executed the call or still will; what it does from now on has no
     * effect in the cluster.
     */
    private Step superseded(ServiceReference to, ServiceReference by) {
        InvocationFault fault = new InvocationFault(
                Code.LOST,
                here(to.member() + " stopped responding, and the cluster assigned the service to " + by.member()
                        + " with fence " + by.fence() + " before the response arrived"));
        doubt = doubt == null ? fault : doubt;
        if (method.idempotent()) {
            return Step.next(by, fault);
        }
        throw fault;
    }

    /**
     * Looks up the current owner: immediately after the first failure, then after pauses, until attempts and wait time
     * are used up.
     */
    private ServiceReference find(@Nullable ServiceReference last, InvocationFault why) {
        InvocationFault failure = why;
        while (attempts < PROMPT || patience - invoker.clock().nanos() > 0) {
            if (attempts > 1) {
                pause(Math.min(SHORTEST_PAUSE << Math.min(attempts, 10), LONGEST_PAUSE));
            }
            try {
                ServiceReference now = proxy.references().find(proxy.service(), last, left());
                if (now != null) {
                    return now;
                }
                failure = new InvocationFault(Code.NO_OWNER, here("no member offers it now"));
            } catch (InvocationFault e) {
                if (e.code() != Code.UNREACHABLE) {
                    throw e;
                }
                failure = new InvocationFault(e.code(), here(e.text()), e);
            }
            // without wait time, another query would not change anything
            attempts = Math.max(attempts + 1, PROMPT);
        }
        throw doubt != null ? doubt : failure;
    }

    private void pause(long nanos) {
        LockSupport.parkNanos(this, Math.min(nanos, left()));
        if (Thread.currentThread().isInterrupted()) {
            throw new InvocationFault(Code.INTERRUPTED, here("the calling thread was interrupted"));
        }
    }
}
