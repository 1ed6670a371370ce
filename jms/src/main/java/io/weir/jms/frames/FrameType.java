package io.weir.jms.frames;

/**
 * The types of messaging frames, 0x20 to 0x5F of the protocol's types; {@code docs/wire.md} has their tables. Types below
 * 0x40 go from the client to the broker, the others from the broker to the client. Immutable.
 */
public final class FrameType {
    /** Starts deliveries; no reply; stream 0. */
    public static final int CONNECTION_START = 0x20;
    /** Stops deliveries; answered by OK when no further DELIVER follows; {@link ClientFrames.Plain}; stream 0. */
    public static final int CONNECTION_STOP = 0x21;
    /** {@link ClientFrames.SetClientId}; stream 0. */
    public static final int SET_CLIENT_ID = 0x22;
    /** {@link ClientFrames.OpenSession}; the stream is the session's number from then on. */
    public static final int OPEN_SESSION = 0x23;
    /** {@link ClientFrames.Undo}. */
    public static final int CLOSE_SESSION = 0x24;
    /** {@link ClientFrames.OpenConsumer}. */
    public static final int OPEN_CONSUMER = 0x25;
    /** {@link ClientFrames.CloseConsumer}. */
    public static final int CLOSE_CONSUMER = 0x26;
    /** {@link ClientFrames.ConsumerMode}. */
    public static final int CONSUMER_MODE = 0x27;
    /** {@link ClientFrames.Receive}; answered by DELIVER frames and one RECEIVE_DONE. */
    public static final int RECEIVE = 0x28;
    /** {@link ClientFrames.Plain} with the number of the RECEIVE, which is then answered by RECEIVE_DONE. */
    public static final int CANCEL_RECEIVE = 0x29;
    /** {@link SendFrame}. */
    public static final int SEND = 0x2A;
    /** {@link AckFrame}; no reply. */
    public static final int ACK = 0x2B;
    /** {@link CreditFrame}; no reply. */
    public static final int CREDIT = 0x2C;
    /** {@link ClientFrames.Undo}. */
    public static final int RECOVER = 0x2D;
    /** {@link ClientFrames.Plain}; answered when all earlier frames of this session are processed and durable. */
    public static final int SYNC = 0x2E;
    /** {@link ClientFrames.Plain}. */
    public static final int COMMIT = 0x2F;
    /** {@link ClientFrames.Undo}. */
    public static final int ROLLBACK = 0x30;
    /** {@link ClientFrames.Unsubscribe}. */
    public static final int UNSUBSCRIBE = 0x31;
    /** {@link ClientFrames.CreateTemporary}; answered by OK with the name. */
    public static final int CREATE_TEMPORARY = 0x32;
    /** {@link ClientFrames.DeleteTemporary}. */
    public static final int DELETE_TEMPORARY = 0x33;
    /** {@link ClientFrames.Browse}; answered by DELIVER frames and one BROWSE_DONE. */
    public static final int BROWSE = 0x34;
    /** {@link ClientFrames.CheckDestination}. */
    public static final int CHECK_DESTINATION = 0x35;

    /**
     * {@code u32 request}, then as ACK; answered when it is processed, and the consumption reported by it and by
     * earlier ACKs is durable. Since version 2.
     */
    public static final int SETTLE = 0x36;
    /** {@link BranchFrames.Request}; answered by BRANCH_DONE. Since version 3. */
    public static final int BRANCH = 0x37;

    /** {@link BrokerFrames.Ok}. */
    public static final int OK = 0x40;
    /** {@link BrokerFrames.Refused}. */
    public static final int REFUSED = 0x41;
    /** {@link DeliverFrame}. */
    public static final int DELIVER = 0x42;
    /** {@link BrokerFrames.ReceiveDone}. */
    public static final int RECEIVE_DONE = 0x43;
    /** {@link BrokerFrames.ConsumerClosed}. */
    public static final int CONSUMER_CLOSED = 0x44;
    /** {@link BrokerFrames.ConnectionError}; stream 0. */
    public static final int CONNECTION_ERROR = 0x45;
    /** {@link BrokerFrames.OneWayFailed}. */
    public static final int ONE_WAY_FAILED = 0x46;
    /** {@link BrokerFrames.BrowseDone}. */
    public static final int BROWSE_DONE = 0x47;
    /** {@link BranchFrames.Done}. */
    public static final int BRANCH_DONE = 0x48;

    private FrameType() {}

    /** The name for logs and errors; "0x5f" for a type that is not a messaging frame. */
    public static String name(int type) {
        String name = clientName(type);
        return name.isEmpty() ? "0x" + Integer.toHexString(type) : name;
    }

    private static String clientName(int type) {
        return switch (type) {
            case CONNECTION_START -> "CONNECTION_START";
            case CONNECTION_STOP -> "CONNECTION_STOP";
            case SET_CLIENT_ID -> "SET_CLIENT_ID";
            case OPEN_SESSION -> "OPEN_SESSION";
            case CLOSE_SESSION -> "CLOSE_SESSION";
            case OPEN_CONSUMER -> "OPEN_CONSUMER";
            case CLOSE_CONSUMER -> "CLOSE_CONSUMER";
            case CONSUMER_MODE -> "CONSUMER_MODE";
            case RECEIVE -> "RECEIVE";
            case CANCEL_RECEIVE -> "CANCEL_RECEIVE";
            case SEND -> "SEND";
            case ACK -> "ACK";
            case CREDIT -> "CREDIT";
            case RECOVER -> "RECOVER";
            case SYNC -> "SYNC";
            case COMMIT -> "COMMIT";
            case ROLLBACK -> "ROLLBACK";
            case UNSUBSCRIBE -> "UNSUBSCRIBE";
            case CREATE_TEMPORARY -> "CREATE_TEMPORARY";
            case DELETE_TEMPORARY -> "DELETE_TEMPORARY";
            case BROWSE -> "BROWSE";
            case CHECK_DESTINATION -> "CHECK_DESTINATION";
            case SETTLE -> "SETTLE";
            case BRANCH -> "BRANCH";
            default -> brokerName(type);
        };
    }

    private static String brokerName(int type) {
        return switch (type) {
            case OK -> "OK";
            case REFUSED -> "REFUSED";
            case DELIVER -> "DELIVER";
            case RECEIVE_DONE -> "RECEIVE_DONE";
            case CONSUMER_CLOSED -> "CONSUMER_CLOSED";
            case CONNECTION_ERROR -> "CONNECTION_ERROR";
            case ONE_WAY_FAILED -> "ONE_WAY_FAILED";
            case BROWSE_DONE -> "BROWSE_DONE";
            case BRANCH_DONE -> "BRANCH_DONE";
            default -> "";
        };
    }
}
