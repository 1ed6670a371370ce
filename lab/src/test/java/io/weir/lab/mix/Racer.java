package io.weir.lab.mix;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the same thing by GET and DELETE over two connections, and has both answered at the same moment: what the GET
 * brought may be stored before or after the DELETE made it out of date, but who asks then does not get it. Confined to its
 * thread.
 */
final class Racer implements Runnable {
    /** New connections after so many rounds: which muxer they get is chance. */
    private static final int ROUNDS = 100;

    /** To who wants only what is stored. */
    private static final int NOT_STORED = 504;

    private static final long FIRST_ID = 900_000_000_000L;

    private final long seed;
    private final int port;
    private final Ledger ledger;
    private final Judge judge;
    private final Target target;
    private volatile boolean stopped;
    private long next = FIRST_ID;

    Racer(long seed, int port, Ledger ledger, int number) {
        this.seed = seed;
        this.port = port;
        this.ledger = ledger;
        this.judge = new Judge(ledger);
        this.target = new Target(Target.Place.REVERSE, "mix.test", 'h', number);
        this.next += number * 1_000_000_000L;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                try (Http1Client one = new Http1Client(port, ledger);
                        Http1Client other = new Http1Client(port, ledger)) {
                    for (int round = 0; round < ROUNDS && !stopped; round++) {
                        race(Dice.of(seed, next), one, other);
                    }
                }
            }
        } catch (IOException e) {
            ledger.violation(Feature.PURGES, "a racer could not go on: " + e);
        }
    }

    private void race(Dice dice, Http1Client one, Http1Client other) throws IOException {
        Meeting meeting = new Meeting();
        Ask get = ask(dice, "GET", meeting);
        Ask delete = ask(dice, "DELETE", meeting);
        one.send(get, dice);
        other.send(delete, dice);
        judge.judge(get, one.receive(get, dice), false);
        Answer deleted = other.receive(delete, dice);
        judge.judge(delete, deleted, false);
        judge.forget(delete, deleted);
        Ask after = ask(dice, "GET", null);
        Answer stored = one.ask(List.of(after), dice).getFirst();
        if (stored.status != NOT_STORED) {
            judge.judge(after, stored, false);
        }
        ledger.count("races");
    }

    private Ask ask(Dice dice, String method, @Nullable Meeting meeting) {
        Ask ask = new Ask(next++, dice, target, method, meeting);
        ledger.asked(ask);
        return ask;
    }
}
