package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.DestinationView;
import io.weir.broker.report.BrokerMessages;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Destinations that come and go while the broker runs: one that goes gives out what it has, and loses nothing. */
class RetiredDestinationTest {
    private static final String KEY = "queues.orders";
    private static final DestinationName ORDERS = Bench.queue("orders");
    private static final DestinationName PRICES = Bench.topic("prices");

    private final Bench bench = new Bench(KEY + ".jndi-name=", "topics.prices.jndi-name=");
    private final Probe p = bench.client();

    @AfterEach
    void close() {
        bench.close();
    }

    private boolean exists(String name) {
        return bench.engine.destinations().byText(name) != null;
    }

    private void upkeep() {
        bench.loops.loops.getFirst().on(() -> bench.maintenance().round());
        bench.loops.settle();
    }

    private BrokerFrames.Refused refused() {
        return p.expectRefusal(p.send(1, ORDERS, new Probe.Draft("more")));
    }

    @Test
    void oneThatComesIsThereAtOnce() {
        p.session(1, Probe.AUTO);
        p.expectRefusal(p.send(1, Bench.queue("new"), new Probe.Draft("a")));
        bench.change("queues.new.jndi-name=");
        p.send(1, Bench.queue("new"), "b");
        p.listen(1, 5, Bench.queue("new"));
        assertThat(p.bodies()).containsExactly("b");
    }

    @Test
    void oneThatGoesGivesOutItsMessagesAndIsThenDeleted() {
        p.session(1, Probe.AUTO);
        p.send(1, ORDERS, "a");
        p.send(1, ORDERS, "b");
        bench.remove(KEY);
        assertThat(bench.log.count(BrokerMessages.RETIRED)).isOne();
        upkeep();
        assertThat(refused().code()).isEqualTo(RefusalCode.INVALID_DESTINATION);
        assertThat(refused().text()).contains("removed from the configuration");
        assertThat(DestinationView.of(bench.destination("queue/orders")).productionPaused())
                .isTrue();
        p.listen(1, 5, ORDERS);
        assertThat(p.bodies()).containsExactly("a", "b");
        p.ack(1, 1, 2);
        assertThat(exists("queue/orders")).isTrue();
        upkeep();
        assertThat(exists("queue/orders")).isFalse();
        assertThat(bench.log.count(BrokerMessages.RETIRED_DELETED)).isOne();
        assertThat(p.frames(FrameType.CONSUMER_CLOSED)).hasSize(1);
        assertThat(refused().text()).contains("does not exist: configure it");
    }

    @Test
    void itWaitsForMessagesAtConsumers() {
        p.session(1, Probe.AUTO);
        p.listen(1, 5, ORDERS);
        p.send(1, ORDERS, "a");
        bench.remove(KEY);
        upkeep();
        assertThat(exists("queue/orders")).isTrue();
        p.lose();
        bench.loops.settle();
        upkeep();
        assertThat(exists("queue/orders")).as("the message is back in it").isTrue();
    }

    /** What was admitted is not refused later: the commit of a transaction is a promise that was prepared. */
    @Test
    void itWaitsForOpenTransactions() {
        p.session(2, Probe.TRANSACTED);
        p.expectOk(p.sendTransacted(2, ORDERS, "in time"));
        bench.remove(KEY);
        upkeep();
        assertThat(exists("queue/orders")).isTrue();
        p.session(3, Probe.TRANSACTED);
        p.expectRefusal(p.sendTransacted(3, ORDERS, "too late"));
        p.expectOk(p.commit(2));
        upkeep();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, ORDERS);
        assertThat(p.bodies()).containsExactly("in time");
    }

    @Test
    void oneThatComesBackIsAsBefore() {
        p.session(1, Probe.AUTO);
        p.send(1, ORDERS, "a");
        bench.remove(KEY);
        upkeep();
        bench.change(KEY + ".maximum-message-size=1000");
        p.send(1, ORDERS, "b");
        p.listen(1, 5, ORDERS);
        assertThat(p.bodies()).containsExactly("a", "b");
        p.ack(1, 1, 2);
        upkeep();
        assertThat(exists("queue/orders")).isTrue();
        assertThat(bench.destination("queue/orders").config().maximumMessageSize())
                .isEqualTo(1000);
    }

    @Test
    void oneThatWasDeletedComesBackEmptyAndNew() {
        bench.remove(KEY);
        upkeep();
        assertThat(exists("queue/orders")).isFalse();
        bench.change(KEY + ".jndi-name=");
        p.session(1, Probe.AUTO);
        p.send(1, ORDERS, "a");
        p.listen(1, 5, ORDERS);
        assertThat(p.bodies()).containsExactly("a");
    }

    @Test
    void aTopicStaysWithItsDurableSubscriptions() {
        p.session(1, Probe.AUTO);
        int durable =
                ClientFrames.OpenConsumer.DURABLE | ClientFrames.OpenConsumer.SHARED | ClientFrames.OpenConsumer.ASYNC;
        p.expectOk(p.open(1, 5, PRICES, durable, null, "s"));
        p.expectOk(p.closeConsumer(1, 5, 0));
        p.send(1, PRICES, "7");
        bench.remove("topics.prices");
        upkeep();
        assertThat(exists("topic/prices")).isTrue();
        p.expectOk(p.open(1, 6, PRICES, durable, null, "s"));
        assertThat(p.bodies()).containsExactly("7");
        p.ack(1, 1, 1);
        p.expectOk(p.closeConsumer(1, 6, 1));
        upkeep();
        assertThat(exists("topic/prices"))
                .as("an empty subscription is its client's, too")
                .isTrue();
        assertThat(p.expectRefusal(p.open(1, 7, PRICES, durable, null, "new")).text())
                .contains("takes no new subscriptions");
        bench.change("topics.prices.jndi-name=");
        p.send(1, PRICES, "8");
        p.expectOk(p.open(1, 8, PRICES, durable, null, "s"));
        assertThat(p.bodies()).contains("8");
        p.ack(1, 2, 2);
        p.expectOk(p.closeConsumer(1, 8, 2));
        bench.remove("topics.prices");
        p.expectOk(p.request(FrameType.UNSUBSCRIBE, 1, (r, b) -> new ClientFrames.Unsubscribe(r, "s").write(b)));
        upkeep();
        assertThat(exists("topic/prices")).isFalse();
    }

    @Test
    void whoWaitsForRoomIsToldAtOnceAndWhoWaitsElsewhereGoesOn() {
        bench.change("quotas.one.messages-maximum=1", KEY + ".quota=one", "queues.other.quota=one");
        p.session(1, Probe.AUTO);
        p.send(1, ORDERS, "a");
        int waits = p.send(1, ORDERS, new Probe.Draft("b"), 60_000);
        int elsewhere = p.send(1, Bench.queue("other"), new Probe.Draft("c"), 60_000);
        bench.remove(KEY);
        assertThat(p.expectRefusal(waits).text()).contains("removed from the configuration");
        assertThat(p.ok(elsewhere)).isFalse();
        p.listen(1, 5, ORDERS);
        p.ack(1, 1, 1);
        p.expectOk(elsewhere);
    }

    @Test
    void whoWaitsInAQuotaThatIsChangedIsToldAndWhoWaitsElsewhereGoesOn() {
        bench.change(
                "quotas.one.messages-maximum=1",
                "quotas.two.messages-maximum=1",
                KEY + ".quota=one",
                "queues.other.quota=one");
        p.session(1, Probe.AUTO);
        p.send(1, ORDERS, "a");
        int waits = p.send(1, ORDERS, new Probe.Draft("b"), 60_000);
        int elsewhere = p.send(1, Bench.queue("other"), new Probe.Draft("c"), 60_000);
        bench.change(KEY + ".quota=two");
        assertThat(p.expectRefusal(waits).text()).contains("was changed while the message waited");
        assertThat(p.ok(elsewhere)).isFalse();
        p.listen(1, 5, ORDERS);
        p.ack(1, 1, 1);
        p.expectOk(elsewhere);
    }

    /** Without it the dead letters would be discarded. */
    @Test
    void anErrorDestinationStaysWhileOneNamesIt() {
        bench.change("queues.work.delivery-failure.error-destination=queue/orders");
        bench.remove(KEY);
        upkeep();
        assertThat(exists("queue/orders")).isTrue();
        p.session(1, Probe.AUTO);
        p.send(1, Bench.queue("work"), "a");
        bench.remove("queues.work");
        upkeep();
        assertThat(exists("queue/orders")).isTrue();
        p.listen(1, 5, Bench.queue("work"));
        p.ack(1, 1, 1);
        upkeep();
        upkeep();
        assertThat(exists("queue/work")).isFalse();
        assertThat(exists("queue/orders")).isFalse();
    }

    @Test
    void twoThatNameEachOtherGoTogether() {
        bench.change(
                KEY + ".delivery-failure.error-destination=queue/errors",
                "queues.errors.delivery-failure.error-destination=queue/orders");
        bench.remove("queues.errors");
        bench.remove(KEY);
        upkeep();
        assertThat(exists("queue/orders")).isFalse();
        assertThat(exists("queue/errors")).isFalse();
    }

    @Test
    void aQuotaComesWithItsDestinationAndGoesAfterIt() {
        bench.change("quotas.small.messages-maximum=1", "queues.few.quota=small");
        p.session(1, Probe.AUTO);
        DestinationName few = Bench.queue("few");
        p.send(1, few, "a");
        p.expectRefusal(p.send(1, few, new Probe.Draft("b")));
        bench.remove("queues.few");
        bench.remove("quotas.small");
        assertThat(bench.quota("small").messages()).isEqualTo(1);
        p.listen(1, 5, few);
        p.ack(1, 1, 1);
        upkeep();
        bench.change("quotas.small.messages-maximum=2", "queues.few.quota=small");
        p.send(1, few, "c");
        p.send(1, few, "d");
        p.expectRefusal(p.send(1, few, new Probe.Draft("e")));
        p.listen(1, 6, few);
        p.ack(1, 2, 3);
        bench.remove("queues.few");
        bench.remove("quotas.small");
        assertThat(bench.engine.quotas().all()).doesNotContainKey("small");
    }

    @Test
    void whatWasNeverConfiguredStays() {
        DestinationName name = Bench.queue("of an application");
        bench.admin().create(name, bench.destination("queue/orders").config());
        bench.remove(KEY);
        upkeep();
        assertThat(exists("queue/of an application")).isTrue();
    }
}
