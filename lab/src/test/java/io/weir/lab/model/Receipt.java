package io.weir.lab.model;

/** A RECEIVE: answered when it is over. Confined to its session. */
class Receipt extends Request {
    final PeerConsumer consumer;
    final int most;
    int delivered;

    Receipt(int number, String what, PeerConsumer consumer, int most) {
        super(number, what);
        this.consumer = consumer;
        this.most = most;
        this.patient = true;
    }
}
