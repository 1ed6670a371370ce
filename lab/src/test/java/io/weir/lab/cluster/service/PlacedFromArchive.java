package io.weir.lab.cluster.service;

import java.util.Map;

/** The same as {@link Placed}, of a deployed archive. */
public final class PlacedFromArchive extends Placed {
    public PlacedFromArchive(Map<String, String> properties) {
        super(properties);
    }
}
