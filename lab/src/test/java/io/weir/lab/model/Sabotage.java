package io.weir.lab.model;

/** What is broken on purpose, so that a test sees the model notice it. Immutable. */
enum Sabotage {
    NONE,
    /** The disk says that it has what it has not. */
    FORGETFUL_DISK,
    /** The broker does not get some of the acknowledgements. */
    LOST_ACKNOWLEDGEMENTS,
    /** The flag of redelivered messages is taken away. */
    LOST_FLAGS,
    /** Some messages do not get to the broker, which says yes all the same. */
    LOST_MESSAGES,
    /** Some messages get to the client twice. */
    DOUBLED_MESSAGES
}
