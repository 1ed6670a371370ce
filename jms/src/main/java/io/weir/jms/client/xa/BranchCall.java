package io.weir.jms.client.xa;

import io.weir.jms.client.link.Call;
import io.weir.jms.frames.BranchFrames.Done;
import org.jspecify.annotations.Nullable;

/** A request about a branch whose thread waits for the answer. */
final class BranchCall extends Call {
    private volatile @Nullable Done answer;

    @Override
    public void branchDone(Done done) {
        answer = done;
        finish();
    }

    /** The answer, once it is there. */
    @Nullable
    Done answer() {
        return answer;
    }
}
