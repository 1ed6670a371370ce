package io.weir.proxy.cache.disk;

import io.weir.http.caching.Freshness;
import io.weir.http.caching.Validators;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of the disk, as monitoring shows it. Immutable.
 *
 * @param partition its name
 * @param segment the name of its file
 * @param offset in the file, in bytes
 * @param bytes of the whole record
 * @param body the name of the file that has the body; null: the record has it
 * @param uses since it was written, at most three
 * @param variants fields by which the variants of the key are selected, if it is the record that names them: the disk
 * has none that the request selects
 * @param answer what it says of its answer; null if it was not read, or cannot be
 */
public record DiskCopy(
        String partition,
        String segment,
        long offset,
        long bytes,
        @Nullable String body,
        int uses,
        List<String> variants,
        @Nullable Answer answer) {
    public DiskCopy {
        variants = List.copyOf(variants);
    }

    /** The same in a partition. */
    DiskCopy in(String name) {
        return new DiskCopy(name, segment, offset, bytes, body, uses, variants, answer);
    }

    /**
     * What a record says of its answer.
     *
     * @param bytes of the body
     * @param vary fields by which it is selected
     * @param limited whether it is only for clients that may reach the address that it was fetched from
     */
    public record Answer(
            int status, long bytes, Freshness freshness, Validators validators, List<String> vary, boolean limited) {
        public Answer {
            vary = List.copyOf(vary);
        }
    }
}
