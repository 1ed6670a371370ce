package io.weir.proxy.exchange;

/**
 * The steps of a request, in order: a state machine. Each is a method of {@link RequestSteps} that returns the next
 * one, or {@link #WAIT}: then the callback that it waits for resumes the request.
 */
enum Step {
    /** Nothing can be done now: the exchange stays at its step. */
    WAIT,
    /** Runs the stages Input to ObjectType. Waits for functions in them. */
    TRANSLATE,
    /** Refuses what the limits, or HTTP, do not let pass. */
    CHECK,
    /** Finds out whether the cache may be asked, and what for. */
    LOOK_UP,
    /** Asks the cache: a hit is answered here, a fill of another request is joined. */
    DECIDE,
    /** Waits for a slot. */
    QUEUE,
    /** Runs Route and Service. Waits for functions in them. */
    SERVE,
    /** What the action says is answered here, or an origin has to be asked. */
    ACT,
    /** Runs DNS and Connect. Waits for functions in them. */
    CONNECT,
    /** Makes the request to the origin, for the store or past it. */
    FETCH,
    /** Gives the client what a fill has, its own or another's. Waits for more, and for the client. */
    DELIVER,
    /** Starts the exchange's own fetch, whose answer is relayed directly. Waits for its end. */
    RELAY,
    /** The bytes pass through a tunnel. Waits for its end. */
    TUNNEL,
    /** Runs Error, and answers with an error. Waits for functions. */
    FAIL,
    /** The answer is complete: logs, and goes back to the client for the next request. */
    ANSWERED,
    /** The answer cannot be completed: logs, and ends what it was given on. */
    ABORT,
    /** There is no request. */
    NONE
}
