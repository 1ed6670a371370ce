package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of BRANCH and BRANCH_DONE: operations on transaction branches (XA), with the flags and the codes of
 * {@link javax.transaction.xa.XAResource} and {@link javax.transaction.xa.XAException}. Immutable.
 */
public final class BranchFrames {
    /** The version of the protocol that has them. */
    public static final int VERSION = 3;

    /** Most branches in one BRANCH_DONE. */
    public static final int PAGE = 500;

    private BranchFrames() {}

    /** What is done with a branch. Immutable. */
    public enum Operation {
        /** Associates the stream's session with it; flags TMNOFLAGS, TMJOIN or TMRESUME; the number is its time-out. */
        START,
        /** Ends that association; flags TMSUCCESS, TMFAIL or TMSUSPEND. */
        END,
        PREPARE,
        /** Flags TMONEPHASE or TMNOFLAGS. */
        COMMIT,
        ROLLBACK,
        FORGET,
        /** Lists branches in doubt and those that were ended by hand; the number is where the page before ended, or 0. */
        RECOVER;

        private static final Operation[] ALL = values();

        static Operation read(ByteBuf in) {
            return ALL[FrameValues.upTo(in, ALL.length - 1, "branch operation")];
        }

        void write(ByteBuf out) {
            int code = 0;
            while (ALL[code] != this) {
                code++;
            }
            out.writeByte(code);
        }
    }

    /**
     * BRANCH: {@code u32 request · u8 operation · i32 flags · i64 number · branch}, RECOVER without the branch.
     *
     * @param number seconds that START gives the branch, 0 for the server's default; the place where RECOVER goes on
     */
    public record Request(
            int request,
            Operation operation,
            int flags,
            long number,
            @Nullable BranchId branch) {
        public void write(ByteBuf out) {
            out.writeInt(request);
            operation.write(out);
            out.writeInt(flags).writeLong(number);
            if (branch != null) {
                branch.write(out);
            }
        }

        public static Request read(ByteBuf in) {
            int request = WireReader.i32(in);
            Operation operation = Operation.read(in);
            int flags = WireReader.i32(in);
            long number = WireReader.i64(in);
            if (number < 0) {
                throw FrameValues.malformed("a branch request with the number " + number);
            }
            BranchId branch = operation == Operation.RECOVER ? null : BranchId.read(in);
            WireReader.end(in);
            return new Request(request, operation, flags, number, branch);
        }
    }

    /**
     * BRANCH_DONE: {@code u32 request · i32 code · text · i64 next · varint branches · branch*}.
     *
     * @param code XA_OK (0), XA_RDONLY (3) or the error code of an XAException
     * @param text the reason of an error, for people
     * @param next where the next RECOVER goes on, 0 at the end
     */
    public record Done(int request, int code, String text, long next, List<BranchId> branches) {
        /** Fewest bytes of a branch. */
        private static final int LEAST = 7;

        public Done {
            branches = List.copyOf(branches);
        }

        public void write(ByteBuf out) {
            out.writeInt(request).writeInt(code);
            WireWriter.text(out, text);
            out.writeLong(next);
            WireWriter.varint(out, branches.size());
            branches.forEach(b -> b.write(out));
        }

        public static Done read(ByteBuf in) {
            int request = WireReader.i32(in);
            int code = WireReader.i32(in);
            String text = WireReader.text(in);
            long next = WireReader.i64(in);
            int n = WireReader.count(in, LEAST);
            List<BranchId> branches = new ArrayList<>(n);
            for (int i = 0; i < n; i++) {
                branches.add(BranchId.read(in));
            }
            return new Done(request, code, text, next, branches);
        }
    }
}
