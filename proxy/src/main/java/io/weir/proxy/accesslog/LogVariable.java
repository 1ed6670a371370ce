package io.weir.proxy.accesslog;

/** The values of an exchange for the access log, by the Sun proxy's token names. Immutable. */
public enum LogVariable {
    /** The client's address. */
    CLIENT_IP("Ses->client.ip"),
    CLIENT_DNS("Ses->client.dns"),
    /** The authenticated user. */
    AUTH_USER("Req->vars.auth-user"),
    PAUTH_USER("Req->vars.pauth-user"),
    /** The request line as received. */
    REQUEST_LINE("Req->reqpb.clf-request"),
    PROXY_REQUEST("Req->reqpb.proxy-request"),
    METHOD("Req->reqpb.method"),
    URI("Req->reqpb.uri"),
    QUERY("Req->reqpb.query"),
    PROTOCOL("Req->reqpb.protocol"),
    /** The target as received; {@link #URI} is its path only. */
    TARGET("Req->reqpb.clf-request.uri"),
    PROTOCOL_NAME("Req->reqpb.clf-request.protocol.name"),
    PROTOCOL_VERSION("Req->reqpb.clf-request.protocol.version"),
    /** NSAPI's number of the method, -1 if it has none; and of the protocol: 9, 100, 101. */
    METHOD_NUM("Req->method_num"),
    PROTV_NUM("Req->protv_num"),
    /** Status sent to the client; {@code -} if none was sent. */
    STATUS("Req->srvhdrs.clf-status"),
    STATUS_REASON("Req->srvhdrs.clf-status.reason"),
    /** Bytes of content sent to the client. */
    CONTENT_LENGTH("Req->srvhdrs.content-length"),
    CONTENT_TYPE("Req->srvhdrs.content-type"),
    /** Status that the origin sent; {@code -} on a pure cache hit. */
    REMOTE_STATUS("Req->vars.remote-status"),
    /** The protocol of the origin's answer; {@code -} on a pure cache hit. */
    REMOTE_PROTOCOL("Req->vars.remote-protocol"),
    /** Bytes of the head from client to proxy, and so on for the four directions. */
    C2P_HL("Req->vars.c2p-hl"),
    C2P_CL("Req->vars.c2p-cl"),
    P2R_HL("Req->vars.p2r-hl"),
    P2R_CL("Req->vars.p2r-cl"),
    R2P_HL("Req->vars.r2p-hl"),
    R2P_CL("Req->vars.r2p-cl"),
    P2C_HL("Req->vars.p2c-hl"),
    P2C_CL("Req->vars.p2c-cl"),
    /** Whole seconds from the end of the request's head to the answer's end. */
    XFER_TIME("Req->vars.xfer-time"),
    /**
     * The same and its parts in milliseconds: total; resolving the origin's name; waiting for a connection, including
     * resolving; from then to the first byte of the answer; from then to its end.
     */
    XFER_TIME_TOTAL("Req->vars.xfer-time-total"),
    XFER_TIME_DNS("Req->vars.xfer-time-dns"),
    XFER_TIME_CWAIT("Req->vars.xfer-time-cwait"),
    XFER_TIME_IWAIT("Req->vars.xfer-time-iwait"),
    XFER_TIME_FWAIT("Req->vars.xfer-time-fwait"),
    /** {@code DIRECT}, {@code PROXY(h:p)}, {@code ORIGIN(url)}. */
    ACTUAL_ROUTE("Req->vars.actual-route"),
    /** {@code FIN}, {@code INTR} or {@code TIMEOUT}, of the client's and the origin's side. */
    CLI_STATUS("Req->vars.cli-status"),
    SVR_STATUS("Req->vars.svr-status"),
    /** The cache's handling. */
    CCH_STATUS("Req->vars.cch-status"),
    /** The virtual server's name. */
    VSID("vsid"),
    /** Microseconds from the end of the request's head to the answer's end. */
    DURATION("duration"),
    /** {@code cache} if answered from the store, else {@code proxy}. */
    SUBSYSTEM("subsystem"),
    /** The request's id, as in error answers. */
    REQUEST_ID("Req->vars.request-id");

    private final String token;

    LogVariable(String token) {
        this.token = token;
    }

    /** The spelling between percent signs. */
    public String token() {
        return token;
    }
}
