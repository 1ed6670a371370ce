package io.weir.wire.invoke.dispatch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireConnection;
import io.weir.wire.WireMessages;
import io.weir.wire.invoke.CallContext;
import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvocationFault.Code;
import io.weir.wire.invoke.InvokeStats;
import io.weir.wire.invoke.codec.CodecFault;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.description.MethodDescription;
import io.weir.wire.invoke.description.Thrown;
import io.weir.wire.login.Principal;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An admitted call: waits for a thread, then is checked once more and executed. Created on the connection's loop,
 * executed on a thread for calls; lives until it is answered.
 */
final class RunningCall implements Runnable {
    private final Dispatcher dispatcher;
    private final WireConnection connection;
    private final Principal caller;
    private final RequestWindow.Entry entry;
    private final CallHead head;
    private final ByteBuf arguments;
    private final int size;
    private final long arrived;
    private final long deadline;
    /** Set once, by the thread that decides the call's fate: it begins, or it is refused or cancelled. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private @Nullable Reply reply;

    RunningCall(
            Dispatcher dispatcher,
            WireConnection connection,
            Principal caller,
            RequestWindow.Entry entry,
            CallHead head,
            ByteBuf arguments,
            long arrived,
            long deadline) {
        this.dispatcher = dispatcher;
        this.connection = connection;
        this.caller = caller;
        this.entry = entry;
        this.head = head;
        this.arguments = arguments;
        this.size = arguments.readableBytes();
        this.arrived = arrived;
        this.deadline = deadline;
    }

    int size() {
        return size;
    }

    boolean is(WireConnection on, long origin, long request) {
        return connection.equals(on) && head.origin() == origin && head.request() == request;
    }

    /** Cancels a call that has not begun, because its caller no longer waits. */
    boolean cancel() {
        if (!decided.compareAndSet(false, true)) {
            return false;
        }
        dispatcher.begun(size);
        dispatcher.ended(this);
        arguments.release();
        dispatcher.stats().count(InvokeStats.CANCELLED);
        dispatcher.window().refused(entry, null);
        return true;
    }

    /** Refuses a call that has not begun, because there is no room or the member is stopping. */
    void refuse(Code code, String why) {
        if (decided.compareAndSet(false, true)) {
            dispatcher.ended(this);
            arguments.release();
            dispatcher.stats().count(code.label());
            dispatcher.window().refused(entry, Reply.failed(code, why));
        }
    }

    @Override
    public void run() {
        if (!decided.compareAndSet(false, true)) {
            return;
        }
        dispatcher.begun(size);
        dispatcher.running().incrementAndGet();
        try {
            begin();
        } finally {
            arguments.release();
            dispatcher.running().decrementAndGet();
            dispatcher.ended(this);
            dispatcher.stats().time.record(dispatcher.parts().clock().nanos() - arrived);
        }
    }

    private void begin() {
        Reply refusal = deadline - dispatcher.parts().clock().nanos() <= 0
                ? Reply.failed(Code.LATE, "the deadline passed while the call waited for its turn")
                : CallerConnection.unowned(dispatcher, head, caller);
        if (refusal == null && dispatcher.parts().owners().standing(head.service()) instanceof Owners.Here here) {
            execute(here.export());
        } else {
            refused(refusal == null ? Reply.failed(Code.NO_SERVICE, head.service() + " was just removed") : refusal);
        }
    }

    private void refused(Reply refusal) {
        dispatcher.stats().count(refusal.outcome());
        dispatcher.window().refused(entry, refusal);
    }

    private void execute(Export export) {
        InterfaceDescription type = export.type(head.type());
        MethodDescription method = type == null ? null : type.method(head.method());
        if (method == null || !export.fence().equals(head.fence())) {
            refused(Reply.failed(Code.NO_SERVICE, head.service() + " just changed"));
            return;
        }
        @Nullable Object[] values;
        try {
            values = method.readArguments(arguments);
        } catch (CodecFault e) {
            refused(Reply.failed(Code.ARGUMENTS, method + ": " + e.text()));
            return;
        }
        CallContext context = new CallContext(head.service(), caller.user(), export.fence(), deadline);
        try {
            export.scope().run(() -> context.run(() -> reply = invoked(export, method, values)));
        } catch (RuntimeException | Error e) {
            // the scope's own failure, or an error after which the thread cannot continue: reported to the caller, then
            // rethrown
            answer(internal(method, e));
            throw e;
        }
        Reply r = reply;
        answer(r == null ? Reply.failed(Code.INTERNAL, method + " was not run") : r);
    }

    private void answer(Reply r) {
        dispatcher.stats().count(r.outcome());
        dispatcher.window().answered(entry, r);
    }

    private Reply invoked(Export export, MethodDescription method, @Nullable Object[] values) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(export.target().getClass().getClassLoader());
        try {
            return result(method, method.method().invoke(export.target(), values));
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause() == null ? e : e.getCause();
            int place = Thrown.place(method, thrown);
            if (place == 0) {
                dispatcher.parts().log().log(WireMessages.CALL_FAILED, method, head.service(), thrown);
            }
            return Reply.failed(Code.APPLICATION, place, Thrown.text(method, place, thrown));
        } catch (IllegalAccessException | RuntimeException e) {
            return internal(method, e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Reply internal(MethodDescription method, Throwable e) {
        dispatcher.parts().log().log(WireMessages.CALL_FAILED, method, head.service(), e);
        return Reply.failed(Code.INTERNAL, method + ": an internal error of the member; see its log");
    }

    private Reply result(MethodDescription method, @Nullable Object value) {
        ByteBuf out = Unpooled.buffer(64);
        try {
            method.writeResult(out, value);
        } catch (CodecFault e) {
            return Reply.failed(Code.RESULT, method + ": " + e.text());
        }
        // the frame's type, stream and request number precede it
        int most = Math.min(dispatcher.limits().bytes(), connection.maxFrame() - 16);
        return out.readableBytes() > most
                ? Reply.failed(
                        Code.RESULT, method + ": a result of " + out.readableBytes() + " bytes, the maximum is " + most)
                : Reply.result(out);
    }

    @Override
    public String toString() {
        return "call of " + head.service() + " by " + caller.user();
    }
}
