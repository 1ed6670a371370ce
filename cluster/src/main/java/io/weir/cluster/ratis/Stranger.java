package io.weir.cluster.ratis;

/** Why one end of a connection to a member's log was refused. */
enum Stranger {
    PLAIN("plain", "no TLS: no member's log speaks like that"),
    NO_PROOF("no-proof", "it shows nothing that is made with cluster.secret"),
    WRONG_SECRET("wrong-secret", "it has another cluster.secret, or is of another cluster"),
    CERTIFICATE("certificate", "its certificate is not of the authorities in cluster.tls"),
    SILENT("silent", "it did not say in time who it is"),
    TOO_LONG("too-long", "it sent too much before it said who it is"),
    TOO_MANY("too-many", "too many connections are open that did not say yet who they are"),
    LEFT("left", "it left before it said who it is"),
    DECLINED("declined", "it declines this member: its cluster.secret or cluster.tls is another"),
    HANDSHAKE("handshake", "its TLS handshake failed"),
    CALL("call", "a call on a connection that proved nothing");

    private final String label;
    private final String text;

    Stranger(String label, String text) {
        this.label = label;
        this.text = text;
    }

    /** The value of the counter's label. */
    String label() {
        return label;
    }

    String text() {
        return text;
    }
}
