package io.weir.starter;

/** A property that stops the start, with what is wrong and what to do. Immutable. */
final class WrongSettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    WrongSettingException(String description, String action, Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    WrongSettingException(String description, String action) {
        super(description);
        this.action = action;
    }

    String action() {
        return action;
    }
}
