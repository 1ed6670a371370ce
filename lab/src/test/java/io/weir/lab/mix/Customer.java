package io.weir.lab.mix;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One client after the other of the same address, for as long as the run goes. Confined to its thread. */
final class Customer implements Runnable {
    private static final List<String> METHODS =
            List.of("GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE");

    private final int number;
    private final long seed;
    private final Ask.Who who;
    private final int port;
    private final Ledger ledger;
    private final Judge judge;
    private final List<Target> targets;
    private volatile boolean stopped;

    Customer(int number, long seed, Ask.Who who, int port, Ledger ledger, List<Target> targets) {
        this.number = number;
        this.seed = seed;
        this.who = who;
        this.port = port;
        this.ledger = ledger;
        this.judge = new Judge(ledger);
        this.targets = targets;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try (Http1Client one = new Http1Client(port, ledger);
                Http2Client two = new Http2Client(port, ledger)) {
            for (int i = 0; !stopped && !Thread.currentThread().isInterrupted(); i++) {
                // what this operation does, whatever became of those before
                operation(i, Dice.of(seed, number * 10_000_019L + i), one, two);
            }
        } catch (IOException e) {
            ledger.violation(Feature.CUTS, "customer " + number + " could not go on: " + e);
        }
    }

    private void operation(int i, Dice dice, Http1Client one, Http2Client two) throws IOException {
        int kind = dice.below(100);
        boolean http2 = dice.percent(40, Feature.HTTP2_CLIENTS);
        Target target = dice.pick(targets);
        if (kind < 4) {
            tunnel(i, dice, target);
        } else if (http2) {
            int streams = 1 + dice.below(6);
            two(two, asks(i, dice, streams, true), dice);
        } else if (kind < 12 && Feature.PIPELINES.isOn()) {
            one(one, asks(i, dice, 2 + dice.below(4), false), dice);
        } else {
            one(one, List.of(ask(i, 0, dice, target, method(dice, false), manner(dice), false)), dice);
        }
    }

    /** Several at once: on one connection of HTTP/1 plain ones that are safe to repeat. */
    private List<Ask> asks(int i, Dice dice, int count, boolean http2) {
        List<Ask> asks = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            // the forward proxy is asked by HTTP/1 alone
            Target target = dice.pick(targets.stream()
                    .filter(t -> !http2 || t.place() != Target.Place.FORWARD)
                    .toList());
            Ask.Manner manner = http2 ? manner(dice) : Ask.Manner.PLAIN;
            boolean half = manner == Ask.Manner.HALF_CLOSED;
            asks.add(ask(i, n, dice, target, method(dice, !http2), half ? Ask.Manner.PLAIN : manner, http2));
        }
        return asks;
    }

    private static String method(Dice dice, boolean safe) {
        String method = dice.pick(METHODS);
        return safe && !method.equals("HEAD") ? "GET" : method;
    }

    private static Ask.Manner manner(Dice dice) {
        int n = dice.below(100);
        if (n < 8) {
            return Feature.SLOW_READERS.isOn() ? Ask.Manner.SLOW : Ask.Manner.PLAIN;
        }
        if (n < 14) {
            return Feature.RESETS.isOn() ? Ask.Manner.GOES_AWAY : Ask.Manner.PLAIN;
        }
        return n < 18 && Feature.HALF_CLOSE.isOn() ? Ask.Manner.HALF_CLOSED : Ask.Manner.PLAIN;
    }

    private Ask ask(int i, int n, Dice dice, Target target, String method, Ask.Manner manner, boolean http2) {
        boolean condition = dice.percent(25, Feature.CONDITIONS) && (method.equals("GET") || method.equals("HEAD"));
        String tag = condition ? ledger.knownTag(target) : null;
        long id = (number + 1) * 1_000_000_000L + i * 10L + n;
        Ask ask = new Ask(id, dice, target, who, manner, method, http2, tag);
        ledger.asked(ask);
        return ask;
    }

    private void one(Http1Client client, List<Ask> asks, Dice dice) throws IOException {
        judged(asks, client.ask(asks, dice), false);
    }

    private void two(Http2Client client, List<Ask> asks, Dice dice) throws IOException {
        judged(asks, client.ask(asks, dice), false);
    }

    private void judged(List<Ask> asks, List<Answer> answers, boolean tunnelled) {
        for (int n = 0; n < answers.size(); n++) {
            Ask ask = asks.get(n);
            Answer answer = answers.get(n);
            judge.judge(ask, answer, tunnelled);
            if (!tunnelled) {
                judge.forget(ask, answer);
            }
        }
    }

    private void tunnel(int i, Dice dice, Target any) throws IOException {
        Target target = targets.stream()
                .filter(t -> t.place() == Target.Place.FORWARD && t.kind() == any.kind())
                .findFirst()
                .orElse(null);
        if (target == null || !Feature.TUNNELS.isOn()) {
            return;
        }
        Ask ask = ask(i, 0, dice, target, "GET", Ask.Manner.PLAIN, false);
        Answer answer = new Tunnel(port, ledger, ask, dice).ask();
        judged(List.of(ask), List.of(answer), true);
    }
}
