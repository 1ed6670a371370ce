package io.weir.proxy.exchange;

import io.weir.http.Authority;
import io.weir.http.FieldName;
import io.weir.http.Framing;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.Version;
import io.weir.http.semantics.Upgrades;
import io.weir.http.semantics.Via;

/** How a request is to be handled, by its head. Stateless. */
public final class RequestKinds {
    private RequestKinds() {}

    /**
     * Whether the client requests a protocol change: by Upgrade (RFC 9110 section 7.8), which HTTP/1.0 does not
     * support, or by an extended CONNECT (RFC 8441), which was translated into that. Protocols that would hide requests
     * are ignored.
     */
    static boolean wantsUpgrade(RequestHead head) {
        String protocols =
                head.version() == Version.HTTP_1_0 ? null : head.fields().combined(FieldName.UPGRADE);
        return protocols != null
                && head.fields().hasToken(FieldName.CONNECTION, "upgrade")
                && !Upgrades.hideRequests(protocols);
    }

    /** Whether Expect has anything but 100-continue, which cannot be met (RFC 9110 section 10.1.1). */
    static boolean expectsTheUnknown(RequestHead head) {
        String expected = head.fields().combined(FieldName.EXPECT);
        if (expected == null) {
            return false;
        }
        for (String member : expected.split(",", -1)) {
            if (!member.isBlank() && !member.strip().equalsIgnoreCase("100-continue")) {
                return true;
            }
        }
        return false;
    }

    /** Whether to use the cache at all: it decides the rest itself. */
    static boolean mayUseCache(RequestHead head, boolean upgrade) {
        return !upgrade
                && head.framing() == Framing.NONE
                && (head.methodId() == Method.GET || head.methodId() == Method.HEAD)
                && head.hostEnd() > head.hostStart();
    }

    /** End of the host within the authority, without its port and trailing dots. */
    public static int hostEnd(RequestHead head) {
        int from = head.hostStart();
        int end = from == head.hostEnd() ? from : Authority.hostEnd(head.bytes(), from, head.hostEnd());
        return Authority.nameEnd(head.bytes(), from, end);
    }

    /**
     * Whether the request passed this proxy before (RFC 9110 section 7.6.3). Checked before the cache look-up: a
     * looping request would join the fill that waits for its own answer.
     */
    static boolean loops(RequestHead head, String self) {
        String via = head.fields().combined(FieldName.VIA);
        return via != null && Via.passedThrough(via, self);
    }

    /** The detail of the refusal. */
    static String loopDetail(String self) {
        return "Via names " + self + " already; each proxy in a chain needs its own proxy.via-pseudonym";
    }
}
