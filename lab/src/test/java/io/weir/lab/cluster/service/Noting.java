package io.weir.lab.cluster.service;

import io.weir.cluster.timer.Firing;
import io.weir.cluster.timer.TimerListener;

/** Notes each firing under {@code fired}, then waits while there is a file {@code hold-fired}. Stateless. */
public final class Noting implements TimerListener {
    @Override
    public void timerExpired(Firing firing) {
        Booking.note("fired", firing.id() + " " + firing.scheduled().toEpochMilli() + " " + firing.fence());
        Booking.await("hold-fired", false);
    }
}
