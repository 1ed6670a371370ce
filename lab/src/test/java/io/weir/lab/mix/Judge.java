package io.weir.lab.mix;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What answers a request may get, given what the origins said and the operator did. Stateless but for the ledger; called by the
 * client's thread when its answer is there.
 */
final class Judge {
    private final Ledger ledger;

    Judge(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Compares.
     *
     * @param tunnelled whether it came to the letter from the origin
     */
    void judge(Ask ask, Answer answer, boolean tunnelled) {
        ledger.count("answers: " + answer.end + " " + answer.status);
        if (answer.end == Answer.End.NEVER_READ || answer.end == Answer.End.LEFT) {
            return;
        }
        for (Map<String, String> interim : answer.interim) {
            interim(ask, interim);
        }
        if (ask.scheme != null && !tunnelled) {
            if (answer.status < 400 || answer.status > 499 || answer.field("x-made") != null) {
                wrong(Feature.SCHEMES, "a scheme that the connection does not have", ask, answer, null);
            }
            return;
        }
        String made = answer.field("x-made");
        if (answer.status == 0) {
            nothing(ask, answer);
        } else if (made == null) {
            own(ask, answer);
        } else {
            Sent sent = ledger.sent(Long.parseLong(made));
            if (sent == null) {
                wrong(Feature.SURPLUS, "an answer that is for nobody", ask, answer, null);
            } else {
                passed(ask, answer, sent, tunnelled);
            }
        }
    }

    /** An unsafe request was answered: what was stored before is out of date (RFC 9111 section 4.4). */
    void forget(Ask ask, Answer answer) {
        String made = answer.field("x-made");
        Sent sent = made == null ? null : ledger.sent(Long.parseLong(made));
        if (!ask.safe() && sent != null && answer.status == 200) {
            ledger.forgot(ask.target.key(), sent.said());
        }
    }

    private void wrong(Feature about, String what, Ask ask, Answer answer, @Nullable Sent sent) {
        ledger.violation(
                about,
                what + "\n        " + ask + ", " + ask.started + " to " + ask.ended + "\n        got " + answer
                        + (sent == null ? "" : "\n        from " + sent + "\n        which was for " + sent.ask()));
    }

    private void interim(Ask ask, Map<String, String> fields) {
        String made = fields.get("x-made");
        // 103 comes before its answer is in the ledger only where the asker is told at once
        Sent sent = made == null ? null : ledger.sent(Long.parseLong(made));
        if (made != null && (sent == null || sent.ask() != ask)) {
            ledger.violation(Feature.INTERIM, "103 of " + sent + " for " + ask);
        }
    }

    /** Not a byte of a head came. */
    private void nothing(Ask ask, Answer answer) {
        boolean sentLong = ask.body != null && ask.plan.early();
        if (!sentLong) {
            wrong(ledger.troubled(ask) ? Feature.FAULT_WITH_HEAD : Feature.CUTS, "no answer", ask, answer, null);
        }
    }

    /** What the proxy says itself. */
    private void own(Ask ask, Answer answer) {
        if (answer.end != Answer.End.WHOLE) {
            wrong(Feature.FAULTS, "an answer of the proxy's own is cut", ask, answer, null);
        }
        boolean elsewhere = ask.target.place() == Target.Place.FORWARD;
        switch (answer.status) {
            case 403 -> {
                if (!elsewhere || !Permission.mayBeRefused(ledger, ask, ask.ended)) {
                    wrong(Feature.OUTSIDERS, "a refusal that no rule asks for", ask, answer, null);
                }
            }
            case 502 -> {
                boolean silent = Feature.SILENT_CLOSE.isOn()
                        && !ask.safe()
                        && (ask.method.equals("POST")
                                || ask.body != null
                                || !Feature.SILENT_CLOSE_COSTS_NOTHING.isOn());
                if (!ledger.troubled(ask) && !silent) {
                    boolean dead = !ask.safe() && Feature.SILENT_CLOSE.isOn();
                    wrong(
                            dead ? Feature.SILENT_CLOSE_COSTS_NOTHING : Feature.FAULTS,
                            "502 without a fault",
                            ask,
                            answer,
                            null);
                }
            }
            case 304 -> notModified(ask, answer, null);
            case 416 -> {
                if (!ask.ranged) {
                    wrong(Feature.RANGES, "416 to who asked for no part", ask, answer, null);
                }
            }
            default -> wrong(Feature.FAULTS, "an answer that nothing explains", ask, answer, null);
        }
    }

    /** An answer that an origin gave. */
    private void passed(Ask ask, Answer answer, Sent sent, boolean tunnelled) {
        boolean own = sent.ask() == ask;
        if (!sent.ask().target.key().equals(ask.target.key())) {
            wrong(Feature.CUTS, "another resource's answer", ask, answer, sent);
            return;
        }
        if (!own && !ask.safe()) {
            wrong(Feature.UPLOADS, "another request's answer", ask, answer, sent);
        }
        if (!own && !sent.shared()) {
            wrong(Feature.PRIVATE_FIELDS, "an answer for one client only", ask, answer, sent);
        }
        if (ask.target.varies() && !sent.language().equals(ask.language)) {
            wrong(Feature.VARIANTS, "another variant", ask, answer, sent);
        }
        permitted(ask, answer, sent, tunnelled);
        if (!own) {
            upToDate(ask, answer, sent);
        }
        if (!tunnelled) {
            configured(ask, answer, sent, own);
            ownField(ask, answer, sent, own);
        }
        status(ask, answer, sent, own);
        if (!tunnelled && Feature.TRAILERS_ASKED.isOn() && !answer.trailers.isEmpty() && !ask.trailers) {
            wrong(Feature.TRAILERS_ASKED, "trailers that were not asked for", ask, answer, sent);
        }
        String sum = answer.trailers.get("x-sum");
        if (sum != null && !sum.equals(Long.toString(sent.number())) && own) {
            wrong(Feature.TRAILERS, "trailers of another answer", ask, answer, sent);
        }
    }

    private void permitted(Ask ask, Answer answer, Sent sent, boolean tunnelled) {
        boolean elsewhere = tunnelled || ask.target.place() == Target.Place.FORWARD;
        if (elsewhere && !Permission.mayPass(ledger, ask, ask.ended)) {
            wrong(Feature.OUTSIDERS, "an answer from where the rules forbid to go", ask, answer, sent);
        }
    }

    /** Nothing that was forgotten comes back, and what must be asked for is asked for. */
    private void upToDate(Ask ask, Answer answer, Sent sent) {
        Ledger.Forgotten gone = ledger.forgotten(ask, sent.heard());
        if (gone != null) {
            wrong(Feature.PURGES, "what was forgotten at " + gone, ask, answer, sent);
        }
        Plan.Policy policy = sent.ask().plan.policy();
        Ask leader = sent.ask();
        // who is content with a head or a part is done before the fetch is
        boolean read = leader.whole && leader.noneMatch == null && !leader.head() && !leader.ranged;
        boolean over = read && leader.ended < ask.started;
        if (over && (ask.insists || policy == Plan.Policy.ALWAYS_ASK)) {
            wrong(Feature.CONDITIONS, "a stored answer where the origin must be asked", ask, answer, sent);
        }
    }

    /** What the operator configured is in force: the field that the routes add, the servers that are asked. */
    private void configured(Ask ask, Answer answer, Sent sent, boolean own) {
        String route = answer.field("x-route");
        Set<Integer> routes = ledger.routes.within(ask.started, ask.ended);
        boolean fetched = own && sent.status() == 200 && answer.status == 200;
        boolean known = route != null && route.matches("\\d{1,9}");
        // what is stored keeps what the routes said when it was fetched
        boolean right = known
                && (fetched
                        ? routes.contains(Integer.valueOf(route))
                        : routes.stream().anyMatch(r -> r >= Integer.parseInt(route)));
        if (answer.status != 304 && !right) {
            wrong(Feature.ROUTES, "routes of " + routes + " were in force", ask, answer, sent);
        }
        if (own && ask.target.place() == Target.Place.REVERSE) {
            boolean served =
                    ledger.servers.within(ask.started, ask.ended).stream().anyMatch(s -> s.contains(sent.origin()));
            if (!served) {
                wrong(Feature.ROUTES, "a server that was not in the pool", ask, answer, sent);
            }
        }
    }

    private void ownField(Ask ask, Answer answer, Sent sent, boolean own) {
        Plan.Policy policy = sent.ask().plan.policy();
        String field = answer.field("x-own");
        if (own && policy.own() && field == null && answer.status == 200 && sent.status() == 200) {
            wrong(Feature.PRIVATE_FIELDS, "the client's own field is missing", ask, answer, sent);
        }
        if (!own && field != null && field.equals(Long.toString(sent.number()))) {
            wrong(Feature.PRIVATE_FIELDS, "another client's own field", ask, answer, sent);
        }
        if (!own && answer.field("set-cookie") != null) {
            wrong(Feature.PRIVATE_FIELDS, "another client's cookie", ask, answer, sent);
        }
    }

    private void status(Ask ask, Answer answer, Sent sent, boolean own) {
        switch (answer.status) {
            case 200 -> whole(ask, answer, sent, own);
            case 206 -> part(ask, answer, sent);
            case 304 -> notModified(ask, answer, sent);
            default -> wrong(Feature.FAULTS, "a status that no origin said", ask, answer, sent);
        }
    }

    private void whole(Ask ask, Answer answer, Sent sent, boolean own) {
        String tag = ask.safe() ? unquoted(answer.field("etag")) : sent.tag();
        if (tag == null || (ask.safe() && !tag.contains(":" + ask.target.key() + ":"))) {
            wrong(Feature.CUTS, "content of something else", ask, answer, sent);
            return;
        }
        if (ask.safe()) {
            ledger.learned(ask.target, tag);
        }
        if (ask.target.varies() && ask.safe() && !tag.contains(":" + ask.language + ":")) {
            wrong(Feature.VARIANTS, "content of another variant", ask, answer, sent);
        }
        if (tag.equals(ask.noneMatch) && ask.safe()) {
            boolean stored = sent.ask().plan.policy().shared && ask.target.kind() != 'x';
            wrong(
                    stored ? Feature.CONDITIONS : Feature.CONDITIONS_UNSTORED,
                    "all of what the client has",
                    ask,
                    answer,
                    sent);
        }
        byte[] meant = ask.head() ? new byte[0] : Content.of(tag);
        bytes(ask, answer, sent, meant, own);
    }

    private void bytes(Ask ask, Answer answer, Sent sent, byte[] meant, boolean own) {
        int at = Content.difference(answer.body, meant);
        boolean cut = answer.end == Answer.End.CUT;
        if (at < answer.body.length) {
            wrong(Feature.CUTS, "wrong bytes from " + at + " on, of " + meant.length, ask, answer, sent);
        } else if (!cut && answer.body.length != meant.length) {
            wrong(
                    Feature.CUTS,
                    answer.body.length + " bytes of " + meant.length + " as if they were all",
                    ask,
                    answer,
                    sent);
        } else if (cut && !mayBeCut(ask, sent, own)) {
            wrong(
                    ask.manner == Ask.Manner.SLOW ? Feature.SLOW_READERS : Feature.CUTS,
                    "cut after " + answer.body.length + " of " + meant.length,
                    ask,
                    answer,
                    sent);
        }
    }

    private static boolean mayBeCut(Ask ask, Sent sent, boolean own) {
        boolean early = ask.body != null && ask.plan.early() && own;
        return sent.trouble().fault() || early;
    }

    private void part(Ask ask, Answer answer, Sent sent) {
        String range = answer.field("content-range");
        String tag = unquoted(answer.field("etag"));
        if (!ask.ranged || range == null || tag == null || !range.matches("bytes \\d+-\\d+/\\d+")) {
            wrong(Feature.RANGES, "a part that nobody asked for", ask, answer, sent);
            return;
        }
        String[] numbers = range.substring(6).split("[-/]", -1);
        int from = Integer.parseInt(numbers[0]);
        int to = Integer.parseInt(numbers[1]) + 1;
        byte[] all = Content.of(tag);
        if (Integer.parseInt(numbers[2]) != all.length || to > all.length || !asked(ask, from, to, all.length)) {
            wrong(Feature.RANGES, "another part, of " + all.length, ask, answer, sent);
            return;
        }
        bytes(ask, answer, sent, Arrays.copyOfRange(all, from, to), sent.ask() == ask);
    }

    private static boolean asked(Ask ask, int from, int to, int length) {
        String range = ask.fields.getFirst().substring("Range: bytes=".length());
        String[] ends = range.split("-", -1);
        int first = ends[0].isEmpty() ? Math.max(0, length - Integer.parseInt(ends[1])) : Integer.parseInt(ends[0]);
        int last = ends[0].isEmpty() || ends[1].isEmpty() ? length : Math.min(length, Integer.parseInt(ends[1]) + 1);
        return first == from && last == to;
    }

    private void notModified(Ask ask, Answer answer, @Nullable Sent sent) {
        String tag = unquoted(answer.field("etag"));
        if (ask.noneMatch == null || (tag != null && !tag.equals(ask.noneMatch))) {
            wrong(Feature.UNASKED_304, "304 to who has no such thing", ask, answer, sent);
        }
    }

    private static @Nullable String unquoted(@Nullable String etag) {
        return etag == null || etag.length() < 2 ? null : etag.substring(1, etag.length() - 1);
    }
}
