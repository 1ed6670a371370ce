package io.weir.server.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicLong;

/** A file on a disk that has room for so many bytes more: what fits is written, as a system does, and then nothing. */
final class FullDisk extends FileChannel {
    private final FileChannel file;
    private final AtomicLong room;

    FullDisk(FileChannel file, AtomicLong room) {
        this.file = file;
        this.room = room;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int fits = (int) Math.min(room.get(), from.remaining());
        if (fits == 0) {
            throw new IOException("No space left on device");
        }
        room.addAndGet(-fits);
        ByteBuffer some = from.slice(from.position(), fits);
        from.position(from.position() + fits);
        return file.write(some);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return file.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return file.read(into, offset, length);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return file.read(into, position);
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        file.force(metaData);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return file.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
