package io.weir.lab.model;

import io.weir.broker.admin.BrokerAdmin;
import java.util.random.RandomGenerator;

/** Stories of what a failing disk, a full destination or a clock that is set back bring about. Confined to its simulation. */
final class DiskStories {
    private final Simulation world;
    private final Operations operations;
    private final Stories stories;
    RandomGenerator random = RandomGenerator.getDefault();

    DiskStories(Simulation world, Operations operations, Stories stories) {
        this.world = world;
        this.operations = operations;
        this.stories = stories;
    }

    private boolean isOver() {
        return world.isWrong() || world.disk().lostPower();
    }

    /** The disk refuses some of what comes next. */
    void fail() {
        world.inject(true);
        int n = 1 + random.nextInt(4);
        switch (random.nextInt(3)) {
            case 0 -> {
                world.log("the next " + n + " forces fail");
                world.disk().failForces(n);
            }
            case 1 -> {
                world.log("the disk is full");
                world.disk().capacity(world.disk().used());
            }
            default -> {
                world.log("the next " + n + " writes fail");
                world.disk().failWrites(n);
            }
        }
    }

    private void some() {
        if (random.nextInt(3) == 0) {
            world.settle();
        } else {
            world.turns(random.nextInt(60));
        }
    }

    /** What is acknowledged is not removed from the disk when the client asks whether it is; perhaps twice. */
    void acknowledgements() {
        world.log("story: acknowledgements meet a bad disk");
        Place p = world.books.queue(Profile.PLAIN);
        PeerSession listener = stories.session(PeerSession.CLIENT, null, -1);
        PeerSession sender = stories.session(PeerSession.AUTO, null, 3);
        if (isOver() || listener == null || sender == null || p.productionPaused || p.consumptionPaused) {
            return;
        }
        stories.listen(listener, p);
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, false, true);
        }
        world.settle();
        if (isOver() || listener.blocked != null) {
            return;
        }
        while (!listener.inbox.isEmpty()) {
            listener.see(listener.inbox.remove());
        }
        fail();
        listener.acknowledgeAll();
        if (random.nextBoolean()) {
            some();
        }
        for (int i = 1 + random.nextInt(3); i > 0 && !isOver() && listener.blocked == null; i--) {
            listener.sync();
            some();
        }
        if (!isOver()) {
            world.die();
        }
    }

    /** What could not be marked when it was delivered is marked when the disk is well again. */
    void lateMarks() {
        world.log("story: what is delivered is marked late");
        Place p = world.books.queue(Profile.PLAIN);
        PeerSession sender = stories.session(PeerSession.AUTO, null, 3);
        PeerSession listener = stories.session(PeerSession.CLIENT, null, random.nextBoolean() ? -1 : 4);
        if (isOver() || listener == null || sender == null || p.productionPaused || p.consumptionPaused) {
            return;
        }
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, false, true);
        }
        world.settle();
        fail();
        stories.listen(listener, p);
        world.settle();
        if (isOver()) {
            return;
        }
        world.heal();
        for (int i = 0; i < 2 && !isOver(); i++) {
            world.advance(Audit.MARKED_MILLIS);
            world.settle();
            world.audit();
        }
        if (!isOver()) {
            world.die();
        }
    }

    /** The wall clock is set back while messages wait for their redelivery. */
    void restingWhileTheClockIsSetBack() {
        world.log("story: the clock is set back while messages rest");
        Place p = world.books.queue(Profile.RESTING);
        PeerSession listener = stories.session(PeerSession.CLIENT, null, -1);
        PeerSession sender = stories.session(PeerSession.AUTO, null, 3);
        if (isOver() || listener == null || sender == null || p.productionPaused || p.consumptionPaused) {
            return;
        }
        stories.listen(listener, p);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            operations.send(sender, Profile.RESTING, false, random.nextBoolean());
        }
        world.settle();
        if (isOver() || listener.blocked != null) {
            return;
        }
        while (!listener.inbox.isEmpty()) {
            listener.see(listener.inbox.remove());
        }
        listener.undo();
        world.settle();
        long by = 5_000L + random.nextInt(60_000);
        world.log("the wall clock is set back by " + by + " ms");
        world.clock.jump(-by);
        for (int i = 0; i < 2 && !isOver(); i++) {
            world.audit();
            world.advance(3_000);
            world.settle();
        }
        world.audit();
    }

    /** While a send waits for room its destination is paused, then there is room. */
    void pausedWhileASendWaits() {
        world.log("story: production is paused while a send waits for room");
        Place p = world.books.queue(Profile.NARROW);
        PeerSession sender = stories.session(PeerSession.AUTO, null, 3);
        PeerSession patient = stories.session(PeerSession.AUTO, null, 3);
        PeerSession listener = stories.session(PeerSession.CLIENT, null, -1);
        if (isOver() || listener == null || sender == null || patient == null || p.productionPaused) {
            return;
        }
        for (int i = 0; i < 8; i++) {
            operations.send(sender, Profile.NARROW, false, false);
        }
        world.settle();
        operations.sendPatiently(patient, Profile.NARROW, 60_000);
        world.settle();
        pause(p, true);
        world.settle();
        world.audit();
        if (isOver()) {
            return;
        }
        stories.listen(listener, p);
        while (!listener.inbox.isEmpty()) {
            listener.see(listener.inbox.remove());
        }
        listener.acknowledgeAll();
        world.settle();
        if (!isOver()) {
            world.audit();
            pause(p, false);
        }
    }

    /** Bulk work has begun, and the journal is slow: what comes now is not concerned. */
    void sentWhileBulkWorkGoesOn() {
        world.log("story: messages come while others are deleted");
        Place p = world.books.queue(Profile.PLAIN);
        PeerSession sender = stories.session(PeerSession.AUTO, null, 3);
        if (isOver() || sender == null || p.productionPaused) {
            return;
        }
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, false, true);
        }
        world.settle();
        operations.structure().job(p, null, Choice.ALL);
        Job job = world.books.job();
        world.settleWithoutJournal();
        if (isOver() || job == null || job.answer.isDone()) {
            return;
        }
        job.last = operations.letters();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, false, true);
        }
        world.settleWithoutJournal();
        some();
    }

    /** The journal's queue is full of removals when messages are to be marked, or others to be removed together. */
    void fullQueue() {
        world.log("story: the journal's queue is full");
        Place p = world.books.queue(Profile.PLAIN);
        Place other = world.books.queue(Profile.RESTING);
        PeerSession listener = stories.session(PeerSession.CLIENT, null, -1);
        PeerSession sender = stories.session(PeerSession.AUTO, null, 3);
        PeerSession late = stories.session(PeerSession.CLIENT, null, -1);
        if (isOver() || listener == null || sender == null || late == null || p.consumptionPaused) {
            return;
        }
        stories.listen(listener, p);
        for (int i = 0; i < 40 && !isOver(); i++) {
            operations.send(sender, i % 8 == 0 ? Profile.RESTING : Profile.PLAIN, false, true);
            if (i % 4 == 0) {
                world.settle();
            }
        }
        world.settle();
        if (isOver() || listener.blocked != null || late.blocked != null) {
            return;
        }
        while (!listener.inbox.isEmpty()) {
            listener.see(listener.inbox.remove());
        }
        listener.acknowledgeAll();
        world.settleWithoutJournal();
        if (random.nextBoolean()) {
            operations.structure().job(other, null, Choice.ALL);
            world.settleWithoutJournal();
            some();
            world.advance(100);
            return;
        }
        stories.ask(late, other);
        world.settleWithoutJournal();
        world.turns(random.nextInt(20));
        if (!isOver()) {
            world.die();
        }
    }

    private void pause(Place p, boolean on) {
        if (!isOver()) {
            p.changed = true;
            p.productionPaused = on;
            world.log("an administrator " + (on ? "pauses" : "resumes") + " production of " + p);
            Operations.pause(world, p, BrokerAdmin.Stage.PRODUCTION, on);
        }
    }
}
