package io.weir.proxy.program.match;

import io.weir.http.Authority;
import io.weir.http.Method;
import io.weir.http.TargetForm;

/**
 * The properties of a request that rules are matched against. Confined to a run, reused: a run writes it, an index
 * reads it.
 */
public final class MatchInput {
    public byte[] hostBytes = new byte[0];
    public int hostFrom;
    /** Without port and trailing dots. */
    public int hostTo;

    public byte[] pathBytes = new byte[0];
    public int pathFrom;
    public int pathTo;
    public Method method = Method.GET;
    public String methodName = "GET";
    public TargetForm form = TargetForm.ORIGIN;
    public int virtualServer;

    /** Sets the host from the effective authority, without its port and trailing dots. */
    public void host(byte[] bytes, int from, int to) {
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
