package io.weir.cluster.state.naming;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;

/** Encodes and decodes commands about names, and bindings. */
public final class NamingCodec {
    private static final int REMOTE = 0;
    private static final int TEXT = 1;

    private NamingCodec() {}

    public static void write(BytesOut out, int group, NamingCommand command) {
        switch (command) {
            case NamingCommand.Bind c ->
                value(out.u8(group).name(c.path()).name(c.lease()).fence(c.fence()), c.value());
            case NamingCommand.Rebind c ->
                value(out.u8(group | 1).name(c.path()).name(c.lease()).fence(c.fence()), c.value());
            case NamingCommand.Unbind c ->
                out.u8(group | 2).name(c.path()).name(c.lease()).fence(c.fence());
        }
    }

    public static NamingCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new NamingCommand.Bind(in.name(), in.name(), in.fence(), value(in));
            case 1 -> new NamingCommand.Rebind(in.name(), in.name(), in.fence(), value(in));
            case 2 -> new NamingCommand.Unbind(in.name(), in.name(), in.fence());
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void value(BytesOut out, BindingValue value) {
        switch (value) {
            case BindingValue.Remote r ->
                out.u8(REMOTE)
                        .name(r.service())
                        .list(
                                r.interfaces(),
                                StateLimits.INTERFACES,
                                (o, i) -> o.name(i.name()).i64(i.hash()));
            case BindingValue.Text t -> out.u8(TEXT).text(t.value(), StateLimits.TEXT);
        }
    }

    public static BindingValue value(BytesIn in) {
        int kind = in.u8();
        return switch (kind) {
            case REMOTE ->
                new BindingValue.Remote(
                        in.name(), in.list(StateLimits.INTERFACES, i -> new BindingValue.Interface(i.name(), i.i64())));
            case TEXT -> new BindingValue.Text(in.text(StateLimits.TEXT));
            default -> throw new IllegalArgumentException("unknown kind of binding: " + kind);
        };
    }

    public static void binding(BytesOut out, Binding b) {
        out.name(b.path()).name(b.lease()).fence(b.fence()).name(b.member());
        value(out, b.value());
        out.i64(b.index());
    }

    public static Binding binding(BytesIn in) {
        return new Binding(in.name(), in.name(), in.fence(), in.name(), value(in), in.i64());
    }
}
