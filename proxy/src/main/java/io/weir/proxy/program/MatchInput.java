package io.weir.proxy.program;

import io.weir.http.Authority;
import io.weir.http.Method;
import io.weir.http.TargetForm;

/** What rules are matched against. Confined to a run, reused: a run writes it, an index reads it. */
final class MatchInput {
    byte[] hostBytes = new byte[0];
    int hostFrom;
    /** Without port and trailing dots. */
    int hostTo;

    byte[] pathBytes = new byte[0];
    int pathFrom;
    int pathTo;
    Method method = Method.GET;
    String methodName = "GET";
    TargetForm form = TargetForm.ORIGIN;
    int virtualServer;

    /** Takes the effective authority: its port, and dots at the name's end, are left off. */
    void host(byte[] bytes, int from, int to) {
        hostBytes = bytes;
        hostFrom = from;
        int end = to;
        if (from < to && bytes[from] == '[') {
            while (end > from && bytes[end - 1] != ']') {
                end--;
            }
        } else {
            for (int i = from; i < to; i++) {
                if (bytes[i] == ':') {
                    end = i;
                    break;
                }
            }
        }
        hostTo = Authority.nameEnd(bytes, from, end);
    }
}
