package io.weir.wire.invoke.dispatch;

import io.netty.buffer.ByteBuf;
import io.weir.base.Fence;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvocationFault.Code;
import io.weir.wire.invoke.InvokeFrame;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.login.Principal;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection with incoming calls: checks and submits each. Confined to the connection's loop. */
final class CallerConnection implements FrameHandler {
    private final Dispatcher dispatcher;
    private final WireConnection connection;
    private final Principal caller;

    CallerConnection(Dispatcher dispatcher, WireConnection connection) {
        this.dispatcher = dispatcher;
        this.connection = connection;
        this.caller = new Principal(connection.user(), connection.groups());
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        InvokeFrame frame = InvokeFrame.of(type);
        if (frame == null) {
            throw new WireFault(WireFault.Reason.UNKNOWN_TYPE, "not a frame of calls: 0x" + Integer.toHexString(type));
        }
        switch (frame) {
            case CALL -> call(CallHead.read(payload), payload);
            case CANCEL -> dispatcher.cancel(connection, WireReader.i64(payload), WireReader.i64(payload));
            case RESULT, FAILED, WRONG_OWNER ->
                throw new WireFault(WireFault.Reason.WRONG_STATE, "a response without a request");
        }
    }

    private void call(CallHead head, ByteBuf payload) {
        RequestWindow.Origin origin = new RequestWindow.Origin(caller.user(), head.origin());
        RequestWindow.Known known =
                dispatcher.window().begin(origin, head, reply -> reply.send(connection, head.request()));
        if (known instanceof RequestWindow.New n) {
            begin(n.entry(), head, payload);
        } else if (known instanceof RequestWindow.Forgotten) {
            dispatcher.stats().count(Code.REPEATED.label());
            Reply.failed(Code.REPEATED, "the call was received before, and its response is no longer kept")
                    .send(connection, head.request());
        } else {
            dispatcher.stats().duplicates.inc();
            if (known instanceof RequestWindow.Answered a) {
                a.reply().send(connection, head.request());
            }
        }
    }

    private void begin(RequestWindow.Entry entry, CallHead head, ByteBuf payload) {
        Reply refusal = refusal(head, payload.readableBytes());
        if (refusal != null) {
            dispatcher.stats().count(refusal.outcome());
            dispatcher.window().refused(entry, refusal);
            return;
        }
        long now = dispatcher.parts().clock().nanos();
        RunningCall call = new RunningCall(
                dispatcher,
                connection,
                caller,
                entry,
                head,
                payload.readRetainedSlice(payload.readableBytes()),
                now,
                now + TimeUnit.MILLISECONDS.toNanos(head.millis()));
        if (!dispatcher.submit(call, call.size())) {
            call.refuse(dispatcher.isClosed() ? Code.STOPPING : Code.BUSY, "too many calls are waiting here");
        }
    }

    /** Checks that do not need the arguments. */
    private @Nullable Reply refusal(CallHead head, int bytes) {
        if (head.millis() <= 0) {
            return Reply.failed(Code.LATE, "the deadline had passed when the call arrived");
        }
        if (bytes > dispatcher.limits().bytes()) {
            return Reply.failed(
                    Code.TOO_LARGE,
                    "arguments of " + bytes + " bytes, the maximum is "
                            + dispatcher.limits().bytes());
        }
        return unowned(dispatcher, head, caller);
    }

    /** Checks that this member owns the called service with the caller's fence, and that the caller may call it. */
    static @Nullable Reply unowned(Dispatcher dispatcher, CallHead head, Principal caller) {
        Owners owners = dispatcher.parts().owners();
        Owners.Standing standing = owners.standing(head.service());
        if (standing instanceof Owners.Nowhere) {
            return Reply.failed(Code.NO_SERVICE, "no service is bound as " + head.service());
        }
        if (standing instanceof Owners.Elsewhere e) {
            owners.refused(head.service(), head.fence());
            return Reply.wrongOwner(e.address(), e.fence());
        }
        Export export = ((Owners.Here) standing).export();
        if (!export.fence().equals(head.fence())) {
            owners.refused(head.service(), head.fence());
            return Reply.wrongOwner(null, newest(export.fence(), head.fence()));
        }
        if (!export.valid().getAsBoolean()) {
            return Reply.failed(Code.NO_SERVICE, head.service() + " ends here, its lease has expired");
        }
        return unfit(dispatcher, head, caller, export);
    }

    /** A caller that knows a newer fence has to look elsewhere; it is not sent an older one. */
    private static Fence newest(Fence own, Fence callers) {
        return own.compareTo(callers) > 0 ? own : Fence.NONE;
    }

    private static @Nullable Reply unfit(Dispatcher dispatcher, CallHead head, Principal caller, Export export) {
        String denied = dispatcher.parts().access().refusal(caller, head.service(), export.role());
        if (denied != null) {
            return Reply.failed(Code.DENIED, denied);
        }
        InterfaceDescription type = export.type(head.type());
        if (type == null) {
            return Reply.failed(
                    Code.INTERFACE,
                    head.service() + " does not have the caller's version of the interface; it has "
                            + export.interfaces().stream()
                                    .map(d -> d.name() + "=" + Long.toHexString(d.hash()))
                                    .toList());
        }
        return type.method(head.method()) == null
                ? Reply.failed(Code.INTERFACE, type.name() + " has no such method")
                : null;
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        // running calls continue: the caller may reconnect for the response
    }
}
