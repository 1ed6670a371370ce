package io.weir.cluster.ratis;

/** Reasons why a peer was refused on a connection to a member's log. */
enum PeerRefusal {
    PLAIN("plain", "it does not use TLS"),
    NO_PROOF("no-proof", "it presents no proof of cluster.secret"),
    WRONG_SECRET("wrong-secret", "it has another cluster.secret, or belongs to another cluster"),
    CERTIFICATE("certificate", "its certificate is not issued by the authorities in cluster.tls"),
    SILENT("silent", "it did not authenticate in time"),
    TOO_LONG("too-long", "it sent too many bytes before authentication"),
    TOO_MANY("too-many", "too many unauthenticated connections are open"),
    LEFT("left", "it closed the connection before authentication"),
    DECLINED("declined", "it refused this member: its cluster.secret or cluster.tls differs"),
    HANDSHAKE("handshake", "its TLS handshake failed"),
    CALL("call", "a call on an unauthenticated connection");

    private final String label;
    private final String text;

    PeerRefusal(String label, String text) {
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
