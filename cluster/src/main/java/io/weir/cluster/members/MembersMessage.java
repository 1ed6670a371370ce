package io.weir.cluster.members;

import io.weir.cluster.ratis.RatisPeer;
import java.util.List;
import java.util.UUID;

/** What members say to each other; each asks and is answered, by {@link Introduced} or {@link Done}. Immutable. */
sealed interface MembersMessage {
    /** This is me; who are you? */
    record Introduce(Introduction self) implements MembersMessage {}

    /** This is me, too. */
    record Introduced(Introduction self) implements MembersMessage {}

    /** The cluster was formed, of these; who formed it is the first of them by name. */
    record Form(String teller, UUID cluster, List<RatisPeer> peers) implements MembersMessage {
        public Form {
            peers = List.copyOf(peers);
        }
    }

    /** I want to keep the log with you. */
    record Join(Introduction self) implements MembersMessage {}

    /** You may: begin, the entries come. */
    record Invite(UUID cluster) implements MembersMessage {}

    /** Change the voters. */
    record Change(What what, String member, String address) implements MembersMessage {}

    /** What became of it. */
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
        /** Not so; asking again is of no use until somebody does something. */
        REFUSED,
        /** Not now, or not here: the text says who leads, where that is known. */
        LATER
    }
}
