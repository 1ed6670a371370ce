package io.weir.lab.mix;

/** Who may reach the origins by the forward proxy and by tunnels. Stateless. */
final class Permission {
    private Permission() {}

    /** Whether some rule that was in force between the request and now lets it pass. */
    static boolean mayPass(Ledger ledger, Ask ask, long now) {
        return switch (ask.who) {
            case INSIDER -> true;
            case OUTSIDER -> ledger.outsidersMayPass.within(ask.started, now).contains(true);
            case STRANGER -> false;
        };
    }

    /** Whether some rule that was in force between the request and now refuses it. */
    static boolean mayBeRefused(Ledger ledger, Ask ask, long now) {
        return switch (ask.who) {
            case INSIDER -> false;
            case OUTSIDER -> ledger.outsidersMayPass.within(ask.started, now).contains(false);
            case STRANGER -> true;
        };
    }
}
