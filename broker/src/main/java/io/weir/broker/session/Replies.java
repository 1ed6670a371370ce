package io.weir.broker.session;

import io.netty.buffer.ByteBuf;
import io.weir.broker.report.BrokerCounters;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.WireConnection;
import org.jspecify.annotations.Nullable;

/** Writes the broker's answers on one stream of a connection. Confined to the connection's loop. */
final class Replies {
    private final WireConnection wire;
    private final int stream;
    private final BrokerCounters meters;

    Replies(WireConnection wire, int stream, BrokerCounters meters) {
        this.wire = wire;
        this.stream = stream;
        this.meters = meters;
    }

    /** Sends OK, unless no answer is requested. */
    void ok(int request) {
        if (request != 0) {
            ByteBuf frame = wire.newFrame(FrameType.OK, stream, 4);
            BrokerFrames.Ok.writePlain(frame, request);
            wire.send(frame);
        }
    }

    void ok(int request, @Nullable String value) {
        ByteBuf frame = wire.newFrame(FrameType.OK, stream, 64);
        new BrokerFrames.Ok(request, value, 0).write(frame);
        wire.send(frame);
    }

    /** Sends a refusal and counts it; if no answer is requested it is only counted. */
    void refused(int request, RequestRefusal r) {
        meters.refused(r);
        if (request != 0) {
            ByteBuf frame = wire.newFrame(FrameType.REFUSED, stream, 128);
            new BrokerFrames.Refused(request, r.code(), r.text()).write(frame);
            wire.send(frame);
        }
    }

    void receiveDone(int request, int count) {
        ByteBuf frame = wire.newFrame(FrameType.RECEIVE_DONE, stream, 8);
        BrokerFrames.ReceiveDone.write(frame, request, count);
        wire.send(frame);
    }

    void browseDone(int request, int count, long cursor) {
        ByteBuf frame = wire.newFrame(FrameType.BROWSE_DONE, stream, 16);
        new BrokerFrames.BrowseDone(request, count, cursor).write(frame);
        wire.send(frame);
    }

    void branchDone(BranchFrames.Done done) {
        ByteBuf frame = wire.newFrame(FrameType.BRANCH_DONE, stream, 64);
        done.write(frame);
        wire.send(frame);
    }

    void consumerClosed(int consumer, RefusalCode code, String text) {
        ByteBuf frame = wire.newFrame(FrameType.CONSUMER_CLOSED, stream, 128);
        new BrokerFrames.ConsumerClosed(consumer, code, text).write(frame);
        wire.send(frame);
    }

    void oneWayFailed(int producer, RequestRefusal r) {
        meters.refused(r);
        meters.oneWayDropped.inc();
        ByteBuf frame = wire.newFrame(FrameType.ONE_WAY_FAILED, stream, 128);
        new BrokerFrames.OneWayFailed(producer, 1, r.code(), r.text()).write(frame);
        wire.send(frame);
    }
}
