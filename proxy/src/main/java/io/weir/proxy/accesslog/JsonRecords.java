package io.weir.proxy.accesslog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON, one object a line, always with the same members in the same order; unknown values are null. A value
 * longer than its share of the record is cut; if the members together are longer than a record may be, the last ones
 * are omitted completely and {@code "cut":true} is added: a line is always a valid object. Immutable.
 */
final class JsonRecords implements RecordFormat {
    private static final byte[] TIME = bytes("{\"time\":\"");
    private static final byte[] NULL = bytes("null");
    private static final byte[] CUT = bytes(",\"cut\":true}");
    private static final byte[] END = bytes("}");

    /** The members after the time: numbers, then short texts, then those whose length clients determine. */
    private static final List<Member> MEMBERS = members();

    static final JsonRecords INSTANCE = new JsonRecords();

    /** A member; without a variable it is the request field of that name. */
    private static final class Member {
        private final String name;
        private final byte[] start;
        private final boolean number;
        private final @Nullable LogVariable variable;
        private final String field;

        private Member(String name, boolean number, @Nullable LogVariable variable, String field) {
            this.name = name;
            this.start = bytes(",\"" + name + "\":");
            this.number = number;
            this.variable = variable;
            this.field = field;
        }

        static Member number(String name, LogVariable variable) {
            return new Member(name, true, variable, "");
        }

        static Member text(String name, LogVariable variable) {
            return new Member(name, false, variable, "");
        }

        static Member field(String name, String field) {
            return new Member(name, false, null, field);
        }
    }

    private JsonRecords() {}

    private static List<Member> members() {
        List<Member> all = new ArrayList<>();
        all.add(Member.text("vsid", LogVariable.VSID));
        all.add(Member.text("client_ip", LogVariable.CLIENT_IP));
        all.add(Member.text("method", LogVariable.METHOD));
        for (LogVariable v : List.of(LogVariable.STATUS, LogVariable.CONTENT_LENGTH, LogVariable.DURATION)) {
            String token = v.token();
            String last = token.substring(token.lastIndexOf('.') + 1).replace("clf-", "");
            all.add(Member.number(last.replace('-', '_') + (v == LogVariable.DURATION ? "_us" : ""), v));
        }
        for (LogVariable v : List.of(
                LogVariable.REMOTE_STATUS,
                LogVariable.C2P_HL,
                LogVariable.C2P_CL,
                LogVariable.P2R_HL,
                LogVariable.P2R_CL,
                LogVariable.R2P_HL,
                LogVariable.R2P_CL,
                LogVariable.P2C_HL,
                LogVariable.XFER_TIME_DNS,
                LogVariable.XFER_TIME_CWAIT,
                LogVariable.XFER_TIME_IWAIT,
                LogVariable.XFER_TIME_FWAIT)) {
            String last = v.token().substring("Req->vars.".length()).replace('-', '_');
            all.add(Member.number(last + (last.startsWith("xfer") ? "_ms" : ""), v));
        }
        all.add(Member.text("cch_status", LogVariable.CCH_STATUS));
        all.add(Member.text("cli_status", LogVariable.CLI_STATUS));
        all.add(Member.text("svr_status", LogVariable.SVR_STATUS));
        all.add(Member.text("request_id", LogVariable.REQUEST_ID));
        all.add(Member.text("protocol", LogVariable.PROTOCOL));
        all.add(Member.text("auth_user", LogVariable.AUTH_USER));
        all.add(Member.text("actual_route", LogVariable.ACTUAL_ROUTE));
        all.add(Member.field("host", "host"));
        all.add(Member.text("uri", LogVariable.URI));
        all.add(Member.text("query", LogVariable.QUERY));
        all.add(Member.field("referer", "referer"));
        all.add(Member.field("user_agent", "user-agent"));
        return List.copyOf(all);
    }

    /** The members' names and the corresponding tokens. */
    static Map<String, String> tokens() {
        Map<String, String> tokens = new HashMap<>();
        tokens.put("time", LogClock.Form.ISO.name());
        for (Member m : MEMBERS) {
            tokens.put(m.name, m.variable == null ? "Req->headers." + m.field : m.variable.token());
        }
        return Map.copyOf(tokens);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String firstLine() {
        return "";
    }

    @Override
    public void write(LogSource source, LogClock clock, RecordText out) {
        out.json();
        out.reserve(CUT.length);
        out.literal(TIME);
        clock.write(LogClock.Form.ISO, out);
        out.literal('"');
        int whole = out.length();
        for (int i = 0; i < MEMBERS.size(); i++) {
            member(MEMBERS.get(i), source, out);
            if (out.overflowed()) {
                out.cutTo(whole, CUT);
                return;
            }
            whole = out.length();
        }
        out.reserve(0);
        out.literal(END);
    }

    private static void member(Member member, LogSource source, RecordText out) {
        out.literal(member.start);
        int before = out.length();
        if (!member.number) {
            out.openValue();
        }
        int start = out.length();
        LogVariable variable = member.variable;
        if (variable == null) {
            source.logRequestField(member.field, out);
        } else {
            source.logValue(variable, out);
        }
        boolean missing = out.length() == start || (out.length() == start + 1 && out.bytes()[start] == '-');
        if (missing) {
            out.shorten(before);
            out.literal(NULL);
        } else if (!member.number) {
            out.closeValue();
        }
    }
}
