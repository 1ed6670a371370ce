package io.weir.server.admin.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;
import io.weir.server.admin.AdminAnswer;
import org.junit.jupiter.api.Test;

/** What is answered where bulk work stopped half-way. */
class StoppedBulkWorkTest {
    private static AdminAnswer stopped(RefusalCode code, String why) {
        return MessagingViews.done("moved", new BrokerAdmin.Done(7, false, new RequestRefusal(code, why)));
    }

    @Test
    void whoIsStoppedIsToldWhatIsDoneWhyAndToAskForTheRest() {
        AdminAnswer answer = stopped(RefusalCode.STORE, "the disk is full");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains(
                        "7 messages are moved, the others are where they were: the disk is full; ask again for the rest",
                        "\"moved\":7,\"complete\":false");
    }

    @Test
    void nobodyIsToldToAskForARestThatWentWithItsSubscription() {
        AdminAnswer answer =
                stopped(RefusalCode.DESTINATION_DELETED, "subscription topic/u#c.s was deleted: there is no rest");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains("7 messages are moved: subscription topic/u#c.s was deleted: there is no rest")
                .doesNotContain("ask again", "where they were");
    }
}
