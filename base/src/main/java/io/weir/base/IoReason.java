package io.weir.base;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Why input or output failed, in words: many exceptions of files have a path for a message and nothing else, some have
 * nothing at all. Stateless.
 */
public final class IoReason {
    private IoReason() {}

    /** What failed, with the path that the exception names, and why. */
    public static String of(IOException e) {
        if (e instanceof FileSystemException f) {
            return f.getFile() + ": " + ofFile(f);
        }
        if (e instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /** Why, of a file that the reader knows. */
    public static String ofFile(IOException e) {
        if (!(e instanceof FileSystemException f)) {
            return of(e);
        }
        String reason = f.getReason();
        return reason == null || reason.isEmpty() ? kind(f) : reason;
    }

    private static String kind(FileSystemException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "no such file or folder";
            case FileAlreadyExistsException _ -> "it is there already and is no folder";
            case NotDirectoryException _ -> "it is no folder";
            default -> e.getClass().getSimpleName();
        };
    }
}
