package io.weir.cluster.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code cluster.deploy}: hot deployments. Immutable. */
public record DeployConfig(
        @Knob(
                doc = "Largest archive that may be deployed.",
                value = "64MiB",
                min = "1KiB",
                max = "1GiB",
                watch = "weir_deploy_total")
        ByteSize maxSize,

        @Knob(
                doc = "How long a member may take to get an archive from another.",
                value = "30s",
                min = "1s",
                max = "1h",
                watch = "weir_deploy_total")
        Duration fetchTimeOut) {}
