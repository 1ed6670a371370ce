package io.weir.base;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * The reason of an I/O failure in words, because many file exceptions have only a path as message, and some have no
 * message at all. Stateless.
 */
public final class IoReason {
    private IoReason() {}

    /** What failed, with the path from the exception, and why. */
    public static String of(IOException e) {
        if (e instanceof FileSystemException f) {
            return f.getFile() + ": " + ofFile(f);
        }
        if (e instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /** Why it failed, for a file that is known to the reader. */
    public static String ofFile(IOException e) {
        if (!(e instanceof FileSystemException f)) {
            return of(e);
        }
        String reason = f.getReason();
        return reason == null || reason.isEmpty() ? kind(f) : reason;
    }

    private static String kind(FileSystemException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "it already exists and is not a folder";
        }
        if (e instanceof NotDirectoryException) {
            return "it is not a folder";
        }
        return e.getClass().getSimpleName();
    }
}
