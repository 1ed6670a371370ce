package io.weir.server.monitor;

import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.cluster.ClusterDeclarations;
import io.weir.server.figures.http.BucketDeclarations;
import io.weir.server.figures.http.CacheDeclarations;
import io.weir.server.figures.http.Http2Declarations;
import io.weir.server.figures.http.TrafficDeclarations;
import io.weir.server.figures.kernel.KernelDeclarations;
import io.weir.server.figures.kernel.PoolDeclarations;
import io.weir.server.figures.kernel.ServerDeclarations;
import io.weir.server.figures.messaging.MessagingDeclarations;
import io.weir.server.figures.origins.OriginDeclarations;
import io.weir.server.figures.tls.TlsDeclarations;
import io.weir.server.figures.work.WorkDeclarations;
import java.util.List;
import java.util.stream.Stream;

/** All groups of figures that are declared once for all views. Stateless. */
public final class DeclaredFigures {
    private DeclaredFigures() {}

    /** In the order of stats-xml. */
    public static List<FigureGroup<?>> all() {
        return Stream.of(
                        ServerDeclarations.ALL,
                        KernelDeclarations.ALL,
                        PoolDeclarations.ALL,
                        CacheDeclarations.ALL,
                        Http2Declarations.ALL,
                        TrafficDeclarations.ALL,
                        BucketDeclarations.ALL,
                        WorkDeclarations.ALL,
                        TlsDeclarations.ALL,
                        OriginDeclarations.ALL,
                        MessagingDeclarations.ALL,
                        ClusterDeclarations.ALL)
                .<FigureGroup<?>>flatMap(List::stream)
                .toList();
    }
}
