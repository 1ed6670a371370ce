package io.weir.cluster.state;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.deployments.DeploymentCodec;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.leases.LeaseCodec;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.members.MemberCodec;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.naming.NamingCodec;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.purges.PurgeCodec;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.singletons.CheckpointCodec;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.singletons.SingletonCodec;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.timers.TimerCodec;
import io.weir.cluster.state.timers.TimerCommand;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A kind of commands: the group of its tags in the log, its codec and its rules. All kinds are listed in {@link #ALL};
 * a new kind is added here only. Immutable.
 *
 * @param group the upper four bits of the tag that precedes a command of this kind in the log
 * @param writer writes the tag and the command
 * @param reader reads the command, which is identified by the lower four bits of the tag
 * @param rules applies the command
 */
record CommandKind<C extends Command>(
        int group,
        Class<C> type,
        Writer<C> writer,
        BiFunction<BytesIn, Integer, C> reader,
        BiFunction<StateRules, C, Answer> rules) {
    private static final int GROUP = 0xf0;

    /** All kinds. */
    static final List<CommandKind<?>> ALL = List.of(
            new CommandKind<>(
                    0x10,
                    MemberCommand.class,
                    MemberCodec::write,
                    MemberCodec::read,
                    (r, c) -> r.members().apply(c)),
            new CommandKind<>(
                    0x20,
                    LeaseCommand.class,
                    LeaseCodec::write,
                    LeaseCodec::read,
                    (r, c) -> r.leases().apply(c)),
            new CommandKind<>(
                    0x30,
                    SingletonCommand.class,
                    SingletonCodec::write,
                    SingletonCodec::read,
                    (r, c) -> r.singletons().apply(c)),
            new CommandKind<>(
                    0x40,
                    NamingCommand.class,
                    NamingCodec::write,
                    NamingCodec::read,
                    (r, c) -> r.naming().apply(c)),
            new CommandKind<>(
                    0x50,
                    TimerCommand.class,
                    TimerCodec::write,
                    TimerCodec::read,
                    (r, c) -> r.timers().apply(c)),
            new CommandKind<>(
                    0x60,
                    DeploymentCommand.class,
                    DeploymentCodec::write,
                    DeploymentCodec::read,
                    (r, c) -> r.deployments().apply(c)),
            new CommandKind<>(
                    0x70,
                    CheckpointCommand.class,
                    CheckpointCodec::write,
                    CheckpointCodec::read,
                    (r, c) -> r.checkpoints().apply(c)),
            new CommandKind<>(
                    0x80,
                    PurgeCommand.class,
                    PurgeCodec::write,
                    PurgeCodec::read,
                    (r, c) -> r.purges().apply(c)));

    /** Writes a command. */
    @FunctionalInterface
    interface Writer<C> {
        void write(BytesOut out, int group, C command);
    }

    private static CommandKind<?> of(Command command) {
        for (CommandKind<?> kind : ALL) {
            if (kind.type.isInstance(command)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("a command of no kind: " + command.getClass());
    }

    static void write(BytesOut out, Command command) {
        of(command).writeOne(out, command);
    }

    private void writeOne(BytesOut out, Command command) {
        writer.write(out, group, type.cast(command));
    }

    static Command read(BytesIn in) {
        int tag = in.u8();
        for (CommandKind<?> kind : ALL) {
            if (kind.group == (tag & GROUP)) {
                return kind.reader.apply(in, tag & ~GROUP);
            }
        }
        throw BytesIn.unknown(tag);
    }

    static Answer apply(StateRules rules, Command command) {
        return of(command).applyOne(rules, command);
    }

    private Answer applyOne(StateRules to, Command command) {
        return rules.apply(to, type.cast(command));
    }
}
