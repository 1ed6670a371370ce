package io.weir.cluster.members;

import io.weir.cluster.ratis.RatisPeer;
import java.util.List;
import java.util.UUID;

/** Messages between members; each request is answered by {@link Introduced} or {@link Done}. Immutable. */
sealed interface MembersMessage {
    /** Introduces the sender and requests the receiver's introduction. */
    record Introduce(Introduction self) implements MembersMessage {}

    /** The receiver's introduction. */
    record Introduced(Introduction self) implements MembersMessage {}

    /** The cluster was formed by these peers; the founder is the first of them by name. */
    record Form(String sender, UUID cluster, List<RatisPeer> peers) implements MembersMessage {
        public Form {
            peers = List.copyOf(peers);
        }
    }

    /** Requests to become a voter of the log. */
    record Join(Introduction self) implements MembersMessage {}

    /** Invites the receiver to open the log and receive its entries. */
    record Invite(UUID cluster) implements MembersMessage {}

    /** Change the voters. */
    record Change(What what, String member, String address) implements MembersMessage {}

    /** The result of a request. */
    record Done(Outcome outcome, String text) implements MembersMessage {}

    /** Changes; their order is part of the protocol. */
    enum What {
        ADD,
        REMOVE,
        REPLACE
    }

    /** Outcomes; their order is part of the protocol. */
    enum Outcome {
        DONE,
        /** Refused; a retry is useless until an operator intervenes. */
        REFUSED,
        /** Not now, or not on this member: the text names the leader if known. */
        LATER
    }
}
