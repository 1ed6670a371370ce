package io.weir.proxy.program.run;

/** The state of a {@link ProgramRun} after a group of stages. Immutable. */
public enum RunState {
    /** The group is complete: the engine continues. */
    READY,
    /** A function waits: {@link RequestContext#resumed} is called on the loop with the state that follows. */
    WAITING,
    /** The run holds a fault: the engine calls {@link ProgramRun#error} and answers. */
    FAILED,
    /** The connection must be closed without an answer. */
    CLOSE
}
